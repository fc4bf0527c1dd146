import { escaped } from '../escaped.ts';

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | null | undefined | false | readonly Part[];

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(textOf).join('');
}

/** HTML whose values are escaped, in texts and in quoted attributes. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(textOf)));

/** The address of a link; anything but http, https and a path of this service is dropped. */
export const address = (url: string | null | undefined): string | null =>
  url && /^(https?:\/\/|\/(?!\/))/i.test(url) ? url : null;
