import { UnfitAmount } from '#domain/money/processing/stripe/amounts.ts';
import type { SourcePrice } from '../source/source.ts';
import { decimalMinorUnits, minorUnitsOf } from './amounts.ts';
import type { StripePrice } from './shapes.ts';

type Amounts = Pick<
  StripePrice,
  'unit_amount' | 'unit_amount_decimal' | 'tiers' | 'custom_unit_amount'
>;
type Tier = NonNullable<StripePrice['tiers']>[number];

/** A price in one of its currencies, or the reason why it cannot be imported. */
export interface PriceInCurrency {
  readonly slug: string;
  readonly currency: string;
  readonly price: SourcePrice | string;
}

/** The slug of a price in another currency than its own. */
export const slugIn = (id: string, currency: string) => `${id}_${currency.toLowerCase()}`;

/** A price in each of its currencies, its own one first. */
export function pricesOf(price: StripePrice): PriceInCurrency[] {
  const { id, currency, currency_options } = price;
  const others = Object.entries(currency_options ?? {})
    .map(([code, amounts]) => ({ currency: code.toUpperCase(), amounts }))
    .filter((option) => option.currency !== currency);
  return [
    { slug: id, currency, price: priceIn(price, price, { slug: id, currency }) },
    ...others.map((option) => {
      const slug = slugIn(id, option.currency);
      const own = { slug, currency: option.currency };
      return { ...own, price: priceIn(price, option.amounts, own) };
    }),
  ];
}

/** The reason why a price cannot be imported; undefined when it can. */
function refusalOf(price: StripePrice, amounts: Amounts): string | undefined {
  const { billing_scheme, transform_quantity } = price;
  const { unit_amount, unit_amount_decimal, tiers } = amounts;
  if (price.recurring?.aggregate_usage === 'last_ever') {
    return 'keeps the last usage of all periods: a usage meter begins each period with 0';
  }
  if (amounts.custom_unit_amount) {
    return 'has custom_unit_amount: customers choose its amount, which no price here has';
  }
  if (price.type === 'recurring' && !price.recurring) return 'has no interval';
  if (billing_scheme === 'tiered') {
    if (!tiers?.length)
      return 'has tiers that the export lacks: list the prices with expand[]=data.tiers';
    if (tiers.some(({ flat_amount_decimal: fee }) => fee?.includes('.')))
      return 'has a fixed amount with a fraction: create the price here with this id as its slug';
    return undefined;
  }
  if (transform_quantity?.round === 'down')
    return 'rounds packages down: create the price here with this id as its slug';
  if (transform_quantity && unit_amount == null)
    return 'has a package with a fraction: create the price here with this id as its slug';
  if (price.type === 'one_time' && (transform_quantity || unit_amount == null))
    return 'has no whole amount: create the price here with this id as its slug';
  if (unit_amount == null && unit_amount_decimal == null)
    return 'has no amount: create the price here with this id as its slug';
  return undefined;
}

/** The price in the words of this service, or the reason why it cannot be imported. */
function priceIn(
  price: StripePrice,
  amounts: Amounts,
  { slug, currency }: { readonly slug: string; readonly currency: string },
): SourcePrice | string {
  const refusal = refusalOf(price, amounts);
  if (refusal) return refusal;
  const { nickname, type, recurring, active } = price;
  const isMetered = recurring?.usage_type === 'metered';
  try {
    return {
      slug,
      name: nickname ?? undefined,
      type: isMetered ? 'usage' : type === 'recurring' ? 'subscription' : 'single_payment',
      ...amountsOf(price, amounts, currency),
      currency,
      intervalUnit: recurring?.interval,
      intervalCount: recurring?.interval_count,
      trialPeriodDays: isMetered ? undefined : recurring?.trial_period_days || undefined,
      usageEventsPerUnit: isMetered ? 1 : undefined,
      active,
    };
  } catch (error) {
    if (error instanceof UnfitAmount) return `has an amount that does not fit: ${error.message}`;
    throw error;
  }
}

function amountsOf(price: StripePrice, amounts: Amounts, currency: string): Partial<SourcePrice> {
  const { billing_scheme, tiers_mode, transform_quantity } = price;
  const { unit_amount, tiers } = amounts;
  if (billing_scheme === 'tiered') {
    return {
      model: tiers_mode ?? 'graduated',
      tiers: (tiers ?? []).map((tier) => tierOf(tier, currency)),
    };
  }
  if (transform_quantity) {
    const packageSize = transform_quantity.divide_by;
    return { model: 'package', packageSize, unitPrice: minorUnitsOf(unit_amount ?? 0, currency) };
  }
  if (unit_amount != null) return { unitPrice: minorUnitsOf(unit_amount, currency) };
  // A unit that costs a part of a minor unit is a tier without an end.
  const unitPrice = decimalMinorUnits(amounts.unit_amount_decimal ?? '0', currency);
  return { model: 'graduated', tiers: [{ upTo: null, unitPrice, flatFee: 0 }] };
}

const tierOf = ({ up_to, unit_amount, unit_amount_decimal, ...tier }: Tier, currency: string) => ({
  upTo: up_to == null ? null : String(up_to),
  unitPrice: decimalMinorUnits(unit_amount_decimal ?? String(unit_amount ?? 0), currency),
  flatFee: minorUnitsOf(tier.flat_amount ?? Number(tier.flat_amount_decimal ?? 0), currency),
});
