import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';

/**
 * The currencies of ISO 4217 that customers pay in, by their number of decimals. Funds, units of account, precious
 * metals and test codes are not among them: no customer pays in CLF, UYW or XDR. Currencies that have ceased to exist
 * are not either.
 */
const byDigits = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE
    CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW
    KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK
    PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS
    UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const;

/** The number of decimals of each currency: an amount of 1 is one of its minor units. */
export const currencyDigits: ReadonlyMap<string, number> = new Map(
  Object.entries(byDigits).flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(digits)]),
  ),
);

export const isCurrency = (code: string): boolean => currencyDigits.has(code);

/** Why a text is no currency, with the next step. */
export const unknownCurrency =
  'must be an ISO 4217 code of a currency in upper case, such as EUR, JPY or KWD';

/** The code of a currency, in upper case. */
export const currencyInput = z.string().refine(isCurrency, coded('INVALID', [], unknownCurrency));

type Display = 'code' | 'symbol';
const formats = new Map<string, Intl.NumberFormat>();

/** The decimals are those of ISO 4217: `Intl` has fewer for several currencies, as they are used in shops. */
function formatOf(currency: string, display: Display, locale: string, morePlaces = 0) {
  const key = `${currency} ${display} ${locale} ${morePlaces}`;
  const known = formats.get(key);
  if (known) return known;
  const digits = digitsOf(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: display,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits + morePlaces,
  });
  formats.set(key, format);
  return format;
}

/** The number of decimals of a currency; 2 for a code that the table lacks. */
export const digitsOf = (currency: string): number => currencyDigits.get(currency) ?? 2;

/**
 * An amount in minor units as an exact text, such as `USD 20.00`, `JPY 2,000` or, with symbols, `$20.00`, as a locale
 * writes it.
 */
export function moneyText(
  minorUnits: number | bigint,
  currency: string,
  display: Display = 'code',
  locale = 'en-US',
): string {
  const text = formatOf(currency, display, locale).format(decimalOf(minorUnits, currency));
  return text.replaceAll('\u00a0', ' ');
}

/** The price of a unit, an exact decimal of minor units with at most 9 places, as a locale writes it. */
export function unitPriceText(
  minorUnits: string,
  currency: string,
  display: Display = 'code',
  locale = 'en-US',
): string {
  const [whole = '0', fraction = ''] = minorUnits.split('.');
  if (fraction === '') return moneyText(BigInt(whole), currency, display, locale);
  const decimal = decimalOf(BigInt(whole), currency);
  const exact = digitsOf(currency) === 0 ? `${decimal}.${fraction}` : `${decimal}${fraction}`;
  const text = formatOf(currency, display, locale, fraction.length).format(exact as `${number}`);
  return text.replaceAll('\u00a0', ' ');
}

/** An amount as a caller writes it, and as people read it: `600 (USD 6.00)`. */
export const amountText = (minorUnits: number, currency: string): string =>
  `${minorUnits} (${moneyText(minorUnits, currency)})`;

/** Minor units as a decimal of the currency, exact for every amount. */
function decimalOf(minorUnits: number | bigint, currency: string): `${number}` {
  const places = digitsOf(currency);
  const sign = minorUnits < 0 ? '-' : '';
  const digits = String(minorUnits)
    .replace('-', '')
    .padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const text = places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`;
  return text as `${number}`;
}
