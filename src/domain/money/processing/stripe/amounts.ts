import { digitsOf, moneyText } from '#domain/kernel/values/currencies.ts';

/**
 * The amounts of a currency at Stripe, whose digits may differ from those of our minor unit: the digits of its unit and
 * the step of an amount in that unit. The last one is the least amount that Stripe charges where it also settles in the
 * currency.
 */
export type CurrencyRule = readonly [stripeDigits: number, stripeStep: number, min: number];

const usual: CurrencyRule = [2, 1, 1];

/** Every currency in which Stripe charges; those without a rule of their own have the usual one. */
const charged =
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY
  COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD
  JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD
  NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL
  THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW`.split(
    /\s+/,
  );

const own: Readonly<Record<string, CurrencyRule>> = {
  // No decimals at Stripe.
  BIF: [0, 1, 1],
  CLP: [0, 1, 1],
  DJF: [0, 1, 1],
  GNF: [0, 1, 1],
  JPY: [0, 1, 50],
  KMF: [0, 1, 1],
  KRW: [0, 1, 1],
  MGA: [0, 1, 1],
  PYG: [0, 1, 1],
  RWF: [0, 1, 1],
  VND: [0, 1, 1],
  VUV: [0, 1, 1],
  XAF: [0, 1, 1],
  XOF: [0, 1, 1],
  XPF: [0, 1, 1],
  // Two decimals at Stripe, which are always 00.
  ISK: [2, 100, 100],
  UGX: [2, 100, 100],
  // Three decimals, of which the last is always 0.
  BHD: [3, 10, 10],
  JOD: [3, 10, 10],
  KWD: [3, 10, 10],
  OMR: [3, 10, 10],
  TND: [3, 10, 10],
  AED: [2, 1, 200],
  AUD: [2, 1, 50],
  BRL: [2, 1, 50],
  CAD: [2, 1, 50],
  CHF: [2, 1, 50],
  CZK: [2, 1, 1_500],
  DKK: [2, 1, 250],
  EUR: [2, 1, 50],
  GBP: [2, 1, 30],
  HKD: [2, 1, 400],
  HUF: [2, 1, 17_500],
  INR: [2, 1, 50],
  MXN: [2, 1, 1_000],
  MYR: [2, 1, 200],
  NOK: [2, 1, 300],
  NZD: [2, 1, 50],
  PLN: [2, 1, 200],
  RON: [2, 1, 200],
  SEK: [2, 1, 300],
  SGD: [2, 1, 50],
  THB: [2, 1, 1_000],
  USD: [2, 1, 50],
};

export const stripeCurrencies: ReadonlyMap<string, CurrencyRule> = new Map(
  charged.map((code) => [code, own[code] ?? usual]),
);

export const isCharged = (currency: string) => stripeCurrencies.has(currency.toUpperCase());

/** Stripe takes amounts of at most 12 digits. */
const mostStripe = 999_999_999_999;

/** An amount that Stripe can neither charge nor refund exactly. */
export class UnfitAmount extends Error {
  override name = 'UnfitAmount';
}

/**
 * Converts an amount from our minor units to Stripe's, exactly. Errors: UnfitAmount for an unknown currency, and for an
 * amount that Stripe could only move rounded.
 */
export function toStripe(amount: number, currency: string): number {
  const [stripeDigits, step] = ruleOf(currency);
  const converted = shifted(amount, stripeDigits - digitsOf(currency.toUpperCase()));
  if (!isWhole(converted) || converted % step !== 0) {
    throw new UnfitAmount(`Stripe cannot move ${amount} minor units of ${currency} exactly`);
  }
  if (converted > mostStripe) {
    throw new UnfitAmount(`Stripe cannot move as much as ${amount} minor units of ${currency}`);
  }
  return converted;
}

/** Converts an amount from Stripe's units to our minor units, exactly. Errors: UnfitAmount. */
export function fromStripe(amount: number, currency: string): number {
  const [stripeDigits] = ruleOf(currency);
  const converted = shifted(amount, digitsOf(currency.toUpperCase()) - stripeDigits);
  if (!isWhole(converted)) {
    throw new UnfitAmount(`${amount} of Stripe’s units of ${currency} are no whole minor units`);
  }
  return converted;
}

/**
 * The least amount that Stripe charges in a currency, as a text. It is measured in the currency of the settlement, which
 * only Stripe knows, so no amount is refused before Stripe has seen it.
 */
export function leastCharge(currency: string): string {
  const [, , min] = ruleOf(currency);
  return moneyText(fromStripe(min, currency), currency.toUpperCase());
}

export const toStripeCurrency = (currency: string) => currency.toLowerCase();
export const fromStripeCurrency = (currency: string) => currency.toUpperCase();

const isWhole = (amount: number) => Number.isSafeInteger(amount);

const shifted = (amount: number, digits: number) =>
  digits >= 0 ? amount * 10 ** digits : amount / 10 ** -digits;

function ruleOf(currency: string): CurrencyRule {
  const rule = stripeCurrencies.get(currency.toUpperCase());
  if (!rule) throw new UnfitAmount(`Stripe does not charge in ${currency}`);
  return rule;
}
