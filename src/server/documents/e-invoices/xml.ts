/** An element: its name, its text or children, and its attributes. Absent children are left out. */
export type Xml = readonly [
  name: string,
  content: string | readonly (Xml | null | false)[],
  attributes?: Readonly<Record<string, string>>,
];

/** Characters that XML 1.0 cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string) =>
  text
    .replace(forbidden, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** A document with one root element, as text in UTF-8. */
export const xmlText = (root: Xml): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${elementText(root)}\n`;

function elementText([name, content, attributes = {}]: Xml): string {
  const marks = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const inner =
    typeof content === 'string'
      ? escaped(content)
      : content.map((child) => (child ? elementText(child) : '')).join('');
  return `<${name}${marks.join('')}>${inner}</${name}>`;
}

/** An element with text; null where there is no text. */
export const optional = (name: string, text: string | null | undefined): Xml | null =>
  text ? [name, text] : null;

/** Minor units as a decimal of the standard, which has two places at most. */
export function decimalOf(minorUnits: number, digits: number): string {
  const sign = minorUnits < 0 ? '-' : '';
  const text = String(Math.abs(minorUnits)).padStart(digits + 1, '0');
  const [whole, places] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  return `${sign}${whole}${digits > 0 ? `.${places.slice(0, 2)}` : ''}`;
}

/** The day of an instant, in UTC: 2026-11-24. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
