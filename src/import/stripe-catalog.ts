import type { Problem, SourceDiscount, SourceMeter, SourcePrice, SourceProduct } from './source.ts';
import { priceOf, refusalOf } from './stripe-prices.ts';
import type { StripeCoupon, StripePrice, StripeProduct } from './stripe-shapes.ts';

interface Catalog {
  readonly products: readonly SourceProduct[];
  readonly meters: readonly SourceMeter[];
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
  const isMetered = ({ recurring }: StripePrice) => recurring?.usage_type === 'metered';
  const metered = list.filter((price) => isMetered(price) && prices.has(price.id));
  const licensed = list.filter((price) => !isMetered(price) && prices.has(price.id));
  const sold = products.flatMap((product): SourceProduct[] => {
    const own = licensed.filter(({ product: id }) => id === product.id);
    if (own.length === 0 && metered.some(({ product: id }) => id === product.id)) return [];
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
  return { products: sold, meters: metersOf(products, metered, prices), prices, problems };
}

/** The usage meters of metered prices: those of Stripe, and one for each price without a meter. */
function metersOf(
  products: readonly StripeProduct[],
  metered: readonly StripePrice[],
  prices: ReadonlyMap<string, SourcePrice>,
): SourceMeter[] {
  const byMeter = Map.groupBy(metered, meterOf);
  return [...byMeter].map(([slug, own]) => {
    const [first] = own as [StripePrice];
    const name = products.find(({ id }) => id === first.product)?.name ?? slug;
    const kept = first.recurring?.aggregate_usage;
    return {
      slug,
      name,
      aggregationType: kept === 'max' ? 'max' : kept === 'last_during_period' ? 'last' : 'sum',
      prices: own
        .toSorted((a, b) => Number(b.active) - Number(a.active))
        .flatMap(({ id }) => prices.get(id) ?? []),
    };
  });
}

/** The slug of the usage meter of a metered price. */
const meterOf = ({ id, recurring }: StripePrice) => recurring?.meter ?? id;

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
