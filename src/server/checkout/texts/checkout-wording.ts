import { IntlMessageFormat } from 'intl-messageformat';
import { moneyText, unitPriceText } from '#domain/kernel/values/currencies.ts';
import { type Html, html } from '../../pages/html.ts';
import { type Wording, wordingFor } from '../../portal/texts/wording.ts';
import { de } from './de.ts';
import { type CheckoutTextName, type CheckoutTexts, en } from './en.ts';

/** The texts in the languages of the portal. */
const languages: Readonly<Record<Wording['language'], CheckoutTexts>> = { en, de };

/** The texts of a checkout in one language, and numbers as one region writes them. */
export interface CheckoutWording {
  readonly locale: string;
  readonly text: (
    name: CheckoutTextName,
    values?: Readonly<Record<string, string | number>>,
  ) => string;
  readonly money: (minorUnits: number, currency: string) => string;
  /** The words of the terms of a price, with amounts as the rest of the page has them. */
  readonly terms: Wording;
  /** A text of the service in English, such as the reason of a refusal. */
  readonly english: (text: string) => Html;
}

const made = new Map<string, CheckoutWording>();

/** The wording of a checkout: in the language of its customer, else in that of the browser. */
export function checkoutWordingFor(request: Request, language?: string | null): CheckoutWording {
  const wording = wordingFor(request, language);
  const known = made.get(wording.locale);
  if (known) return known;
  const one = checkoutWordingOf(wording);
  made.set(wording.locale, one);
  return one;
}

function checkoutWordingOf(wording: Wording): CheckoutWording {
  const { locale, language } = wording;
  const formats = new Map<CheckoutTextName, IntlMessageFormat>();
  const isEnglish = language === 'en';
  // In English an amount names its currency by code: a dollar is one of many.
  const terms: Wording = isEnglish
    ? {
        ...wording,
        money: (amount, currency) => moneyText(amount, currency),
        unitPrice: (amount, currency) => unitPriceText(amount, currency),
      }
    : wording;
  return {
    locale,
    text(name, values) {
      const format = formats.get(name) ?? new IntlMessageFormat(languages[language][name], locale);
      formats.set(name, format);
      return String(format.format(values));
    },
    money: terms.money,
    terms,
    english: (text) => (isEnglish ? html`${text}` : html`<span lang="en">${text}</span>`),
  };
}
