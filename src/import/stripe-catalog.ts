import type { Problem, SourceDiscount, SourcePrice, SourceProduct } from './source.ts';
import type { StripeCoupon, StripePrice, StripeProduct } from './stripe-shapes.ts';

interface Catalog {
  readonly products: readonly SourceProduct[];
  /** Prices that can be imported, by the ids at Stripe. */
  readonly prices: ReadonlyMap<string, SourcePrice>;
  readonly problems: readonly Problem[];
}

/** The products with the prices that can be imported. */
export function catalogOf(
  products: readonly StripeProduct[],
  list: readonly StripePrice[],
): Catalog {
  const problems: Problem[] = [];
  const prices = new Map<string, SourcePrice>();
  for (const price of list) {
    const reason = refusalOf(price);
    if (reason) problems.push({ record: `price ${price.id}`, message: reason, isLeftOut: true });
    else prices.set(price.id, priceOf(price));
  }
  const sold = products.flatMap((product): SourceProduct[] => {
    const own = list.filter(({ product: id, id: price }) => id === product.id && prices.has(price));
    // The default price is the first one, and one that is sold comes before one that is not.
    const first = ({ id, active }: StripePrice) =>
      (id === product.default_price ? 0 : 2) + (active ? 0 : 1);
    const ordered = own.toSorted((a, b) => first(a) - first(b));
    if (ordered.length === 0) {
      const message = 'has no price that can be imported';
      problems.push({ record: `product ${product.id}`, message, isLeftOut: true });
      return [];
    }
    return [
      {
        slug: product.id,
        name: product.name,
        description: product.description ?? undefined,
        active: product.active,
        prices: ordered.flatMap(({ id }) => prices.get(id) ?? []),
      },
    ];
  });
  return { products: sold, prices, problems };
}

function refusalOf({ billing_scheme, unit_amount, recurring }: StripePrice): string | undefined {
  if (recurring?.usage_type === 'metered') {
    return 'is metered: create a usage meter with a price, and report usage to it';
  }
  if (billing_scheme !== 'per_unit') {
    return 'has tiers: create the price here with its tiers, with this id as its slug, before the import';
  }
  if (unit_amount == null)
    return 'has no whole amount: create the price here with this id as its slug';
  return undefined;
}

const priceOf = ({
  id,
  nickname,
  type,
  unit_amount,
  currency,
  recurring,
  active,
}: StripePrice): SourcePrice => ({
  slug: id,
  name: nickname ?? undefined,
  type: type === 'recurring' ? 'subscription' : 'single_payment',
  unitPrice: unit_amount ?? 0,
  currency,
  intervalUnit: recurring?.interval,
  intervalCount: recurring?.interval_count,
  active,
});

/** The discounts of coupons. */
export function discountsOf(coupons: readonly StripeCoupon[]) {
  const problems: Problem[] = [];
  const discounts = coupons.flatMap((coupon): SourceDiscount[] => {
    const { id, name, percent_off, amount_off, currency, duration } = coupon;
    const refuse = (message: string) => {
      problems.push({ record: `coupon ${id}`, message, isLeftOut: true });
      return [];
    };
    if (!coupon.valid) return refuse('is not valid any more');
    if (percent_off != null && !Number.isInteger(percent_off)) {
      return refuse('has a fraction of a percent: a discount has whole percents');
    }
    const amount = percent_off ?? amount_off;
    if (amount == null) return refuse('has neither a percentage nor an amount');
    return [
      {
        code: id,
        name: name ?? id,
        amountType: percent_off == null ? 'fixed' : 'percent',
        amount,
        currency: percent_off == null ? (currency ?? undefined) : undefined,
        duration: duration === 'repeating' ? 'number_of_payments' : duration,
        numberOfPayments: duration === 'repeating' ? (coupon.duration_in_months ?? 1) : undefined,
      },
    ];
  });
  return { discounts, problems };
}
