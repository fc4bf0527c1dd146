import Mustache from 'mustache';

/** The values of variables, by their names: `invoice` has `number`, say. Absent values are empty. */
export type Variables = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Each use has a writer of its own: the cache of a common one would keep every draft that was ever previewed. */
const fillIn = (template: string, variables: Variables, written: (value: string) => string) =>
  new Mustache.Writer().render(template, variables, undefined, {
    escape: (value) => written(String(value)),
  });

/** The parts of a template. Errors: the library's, for a variable that is not closed. */
export const partsOf = (template: string) => new Mustache.Writer().parse(template);

const markup: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it is written in HTML, also within attributes. */
export const escapeMarkup = (text: string) =>
  text.replace(/[&<>"']/g, (character) => markup[character] ?? character);

/** Fills in the variables of a text that is shown as it is. */
export const fillInText = (template: string, variables: Variables): string =>
  fillIn(template, variables, (value) => value);

/** Fills in the variables of HTML; no value becomes markup. */
export const fillInMarkup = (template: string, variables: Variables): string =>
  fillIn(template, variables, escapeMarkup);

/** Fills in a text of one line, such as a subject. */
export const fillInLine = (template: string, variables: Variables): string =>
  fillInText(template, variables).replace(/\s+/g, ' ').trim();
