import type { CatalogPrice, CatalogProduct } from './use-catalog.ts';

/** A product with the prices at which a customer can subscribe to it. */
export interface Plan {
  readonly product: CatalogProduct;
  readonly prices: readonly CatalogPrice[];
}

interface Wanted {
  readonly products: readonly string[] | undefined;
  readonly currency: string | undefined;
}

/** The plans of a catalog: the named products in their order, or all that are sold by themselves, cheapest first. */
export function plansOf(
  catalog: readonly CatalogProduct[],
  { products, currency }: Wanted,
): Plan[] {
  const chosen = products
    ? products.flatMap((slug) => catalog.filter((each) => each.slug === slug))
    : catalog.filter(({ addOn }) => !addOn);
  const plans = chosen.map((product) => ({
    product,
    prices: product.activePrices.filter(
      (price) =>
        (products !== undefined ? price.type !== 'usage' : price.type === 'subscription') &&
        (currency === undefined || price.currency === currency),
    ),
  }));
  const sold = plans.filter(({ prices }) => prices.length > 0);
  return products ? sold : sold.toSorted((one, other) => leastOf(one) - leastOf(other));
}

const leastOf = ({ prices }: Plan) => Math.min(...prices.map(({ unitPrice }) => unitPrice));
