import { moneyText } from '#domain/kernel/values/currencies.ts';
import type { TaxLine } from '#domain/model/catalog/tax.ts';

/** The day of an instant, in UTC. */
export const dateOf = (at: Date) => at.toISOString().slice(0, 10);

interface Taxed {
  readonly taxes: readonly TaxLine[];
  readonly taxInclusive: boolean;
  readonly currency: string;
}

/** The row of each tax. */
export const taxSums = ({ taxes, taxInclusive, currency }: Taxed) =>
  taxes.map(({ name, ratePercentage, category, base, amount }) => {
    const tax = category === 'S' || category === 'Z' ? `${name} ${ratePercentage} %` : name;
    const of = taxes.length > 1 ? ` of ${moneyText(base, currency)}` : '';
    return {
      text: `${taxInclusive && amount !== 0 ? 'of which ' : ''}${tax}${of}`,
      amount: moneyText(amount, currency),
    };
  });

/** Why there is no tax, for each reason once. */
export const taxReasons = ({ taxes }: Pick<Taxed, 'taxes'>): string =>
  [...new Set(taxes.flatMap(({ reason }) => reason ?? []))].join('. ');
