import type { SourcePrice } from './source.ts';
import type { StripePrice } from './stripe-shapes.ts';

type Tier = NonNullable<StripePrice['tiers']>[number];

/** The reason why a price cannot be imported; undefined when it can. */
export function refusalOf(price: StripePrice): string | undefined {
  const { billing_scheme, unit_amount, unit_amount_decimal, tiers, transform_quantity } = price;
  if (price.recurring?.aggregate_usage === 'last_ever') {
    return 'keeps the last usage of all periods: a usage meter begins each period with 0';
  }
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

/** The price in the words of this service. */
export function priceOf(price: StripePrice): SourcePrice {
  const { id, nickname, type, currency, recurring, active } = price;
  const isMetered = recurring?.usage_type === 'metered';
  return {
    slug: id,
    name: nickname ?? undefined,
    type: isMetered ? 'usage' : type === 'recurring' ? 'subscription' : 'single_payment',
    ...amountsOf(price),
    currency,
    intervalUnit: recurring?.interval,
    intervalCount: recurring?.interval_count,
    trialPeriodDays: isMetered ? undefined : recurring?.trial_period_days || undefined,
    usageEventsPerUnit: isMetered ? 1 : undefined,
    active,
  };
}

function amountsOf(price: StripePrice): Partial<SourcePrice> {
  const { billing_scheme, tiers, tiers_mode, transform_quantity, unit_amount } = price;
  if (billing_scheme === 'tiered') {
    return { model: tiers_mode ?? 'graduated', tiers: (tiers ?? []).map(tierOf) };
  }
  if (transform_quantity) {
    const packageSize = transform_quantity.divide_by;
    return { model: 'package', packageSize, unitPrice: unit_amount ?? 0 };
  }
  if (unit_amount != null) return { unitPrice: unit_amount };
  // A unit that costs a part of a minor unit is a tier without an end.
  const unitPrice = price.unit_amount_decimal ?? '0';
  return { model: 'graduated', tiers: [{ upTo: null, unitPrice, flatFee: 0 }] };
}

const tierOf = ({ up_to, unit_amount, unit_amount_decimal, ...tier }: Tier) => ({
  upTo: up_to == null ? null : String(up_to),
  unitPrice: unit_amount_decimal ?? String(unit_amount ?? 0),
  flatFee: tier.flat_amount ?? Number(tier.flat_amount_decimal ?? 0),
});
