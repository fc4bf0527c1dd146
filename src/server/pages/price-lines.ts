import type { Wording } from '../portal/texts/wording.ts';

/** The model of a price of a subscription, from the graph or from the domain. Amounts are minor units. */
export interface ShownPricing {
  readonly model: string;
  readonly unitPrice: number;
  readonly currency: string;
  readonly tiers?: readonly ShownTier[] | null | undefined;
  readonly packageSize?: number | null | undefined;
  readonly freeUnits?: number | null | undefined;
  readonly minimumAmount?: number | null | undefined;
  readonly maximumAmount?: number | null | undefined;
  /** The percentage by which an item is reduced. */
  readonly discount?: string | undefined;
}

interface ShownTier {
  readonly upTo: number | string | null;
  readonly unitPrice: number | string;
  readonly flatFee: number;
}

/** Whether the amount of some quantity is not that quantity times the amount of 1. */
export const hasTerms = ({ model, ...price }: ShownPricing): boolean =>
  (model !== 'per_unit' && model !== 'flat') ||
  [price.freeUnits, price.minimumAmount, price.maximumAmount].some((value) => value != null);

/** The terms of a price, one line for each tier, package, free part or limit; empty for a price per unit. */
export function priceLines(price: ShownPricing, wording: Wording): string[] {
  const { model, currency, unitPrice, packageSize, freeUnits, minimumAmount, maximumAmount } =
    price;
  const { text, money, number } = wording;
  const tiers = price.tiers ?? [];
  const amount = money(unitPrice, currency);
  return [
    ...(model === 'flat' ? [text('anyQuantity', { price: amount })] : []),
    ...(model === 'package'
      ? [text('eachPackage', { price: amount, size: number(packageSize ?? 1) })]
      : []),
    ...tiers.map((tier, place) => {
      const cost = tierText(tier, price, wording);
      if (tier.upTo !== null) {
        return text('upToEnd', { end: number(Number(tier.upTo)), price: cost });
      }
      const start = tiers[place - 1]?.upTo;
      return start == null
        ? text('anyQuantity', { price: cost })
        : text('aboveStart', { start: number(Number(start)), price: cost });
    }),
    ...(model === 'volume' ? [text('allUnits')] : []),
    ...(freeUnits ? [text('firstFree', { count: number(freeUnits) })] : []),
    ...(minimumAmount ? [text('atLeast', { amount: money(minimumAmount, currency) })] : []),
    ...(maximumAmount ? [text('atMost', { amount: money(maximumAmount, currency) })] : []),
    ...(price.discount ? [text('lessPercent', { percent: number(Number(price.discount)) })] : []),
  ];
}

function tierText(tier: ShownTier, { model, currency }: ShownPricing, wording: Wording): string {
  const { text, money, unitPrice } = wording;
  const fee = money(tier.flatFee, currency);
  if (model === 'stairstep') return fee;
  const price = unitPrice(String(tier.unitPrice), currency);
  if (tier.flatFee === 0) return text('priceEach', { price });
  return Number(tier.unitPrice) === 0 ? fee : text('eachAndFee', { price, fee });
}
