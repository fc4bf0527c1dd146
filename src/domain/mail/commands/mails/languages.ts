import { de } from './texts-de.ts';
import { en, type MailTexts } from './texts-en.ts';

const languages: Readonly<Record<string, MailTexts>> = { en, de };

/** The languages of the texts that the service has. */
export const shippedLanguages = Object.keys(languages);

/** The language of a tag without its region. */
export const baseOf = (tag: string): string => tag.split('-')[0] ?? tag;

/** The texts of exactly this language; undefined where the service has none. */
export const textsOf = (tag: string): MailTexts | undefined =>
  Object.hasOwn(languages, tag) ? languages[tag] : undefined;

/** The texts of a language, or the English ones. */
export const nearestTexts = (tag: string): MailTexts => textsOf(baseOf(tag)) ?? en;
