/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | null | undefined | false | readonly Part[];

/** Escapes a text for HTML and for quoted attributes. */
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(textOf).join('');
}

/** HTML whose values are escaped, in texts and in quoted attributes. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(textOf)));

/**
 * The address of a link; anything but http, https and a path of this service is dropped. Browsers read a backslash as a
 * slash and ignore control characters, so an address with one of them may lead elsewhere.
 */
export const address = (url: string | null | undefined): string | null =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  url && /^(https?:\/\/|\/(?!\/))[^\\\u0000-\u001f]*$/i.test(url) ? url : null;
