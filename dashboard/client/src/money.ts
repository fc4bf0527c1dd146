const withoutDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const withThree = 'BHD IQD JOD KWD LYD OMR TND';

/** The decimals of a currency by ISO 4217. `Intl` has fewer for several currencies, as they are used in shops. */
export function digitsOf(currency: string): number {
  if (withoutDecimals.includes(currency)) return 0;
  return withThree.includes(currency) ? 3 : 2;
}

/** An amount in minor units with its currency, as the language writes it; that of the reader when absent. */
export const moneyText = (amount: number, currency: string, locale?: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digitsOf(currency),
    maximumFractionDigits: digitsOf(currency),
    // Not for -0, which is the negative of an amount of 0.
    signDisplay: 'negative',
  }).format(amount / 10 ** digitsOf(currency));
