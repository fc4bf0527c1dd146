import { IntlMessageFormat } from 'intl-messageformat';
import Negotiator from 'negotiator';
import { currencyDigits, moneyText, unitPriceText } from '#domain/kernel/values/currencies.ts';
import { de } from './de.ts';
import { en, type TextName, type Texts } from './en.ts';

/** The languages of the portal. */
export const languages = { en, de } as const satisfies Readonly<Record<string, Texts>>;

type Language = keyof typeof languages;
type Values = Readonly<Record<string, string | number>>;

/** The texts of one language, and numbers as one region writes them. */
export interface Wording {
  /** The language with its region, as the attribute `lang` has it. */
  readonly locale: string;
  readonly language: Language;
  readonly text: (name: TextName, values?: Values) => string;
  readonly money: (minorUnits: number, currency: string) => string;
  /** The price of a unit, an exact decimal of minor units. */
  readonly unitPrice: (minorUnits: string, currency: string) => string;
  /** The day of an instant, in UTC. */
  readonly day: (milliseconds: number) => string;
  readonly number: (value: number) => string;
}

const wordings = new Map<string, Wording>();

/** The wording of a locale such as `de-AT`; undefined for a language that the portal lacks. */
export function wordingOf(tag: string | null | undefined): Wording | undefined {
  const locale = tag ? knownLocale(tag) : undefined;
  if (!locale) return undefined;
  const known = wordings.get(locale);
  if (known) return known;
  const made = newWording(locale);
  wordings.set(locale, made);
  return made;
}

/** The first wording of the asked locales that the portal has: those of the link, then those of the browser. */
export function wordingFor(request: Request, ...asked: readonly (string | null | undefined)[]) {
  const headers = { 'accept-language': request.headers.get('accept-language') ?? '' };
  for (const tag of [...asked, ...new Negotiator({ headers }).languages()]) {
    const found = wordingOf(tag);
    if (found) return found;
  }
  return usualWording;
}

/** The language and the region of a tag; other parts have no effect here. */
function knownLocale(tag: string): string | undefined {
  if (tag.length > 35 || tag === '*') return undefined;
  try {
    const { language, region } = new Intl.Locale(tag);
    if (!language || !Object.hasOwn(languages, language)) return undefined;
    return region && /^[A-Z]{2}$/.test(region) ? `${language}-${region}` : language;
  } catch {
    // The tag is no locale.
    return undefined;
  }
}

function newWording(locale: string): Wording {
  const language = new Intl.Locale(locale).language as Language;
  const texts: Texts = languages[language];
  const formats = new Map<TextName, IntlMessageFormat>();
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  return {
    locale,
    language,
    text(name, values) {
      const format = formats.get(name) ?? new IntlMessageFormat(texts[name], locale);
      formats.set(name, format);
      return String(format.format(values && isolated(values)));
    },
    money: (minorUnits, currency) =>
      moneyText(minorUnits, currency, currencyDigits.has(currency) ? 'symbol' : 'code', locale),
    unitPrice: (minorUnits, currency) =>
      unitPriceText(minorUnits, currency, currencyDigits.has(currency) ? 'symbol' : 'code', locale),
    day: (milliseconds) => days.format(milliseconds),
    number: (value) => numbers.format(value),
  };
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Values whose letters run from right to left do not change the order of the letters around them. */
const isolated = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && rightToLeft.test(value) ? `\u2068${value}\u2069` : value,
    ]),
  );

/** The wording without any wish. */
export const usualWording = newWording('en');
