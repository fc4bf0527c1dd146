import { taxCodeInput } from '#domain/kernel/inputs/inputs.ts';
import type { Problem, SourceMeter, SourcePrice, SourceProduct } from '../source/source.ts';
import { pricesOf } from './prices.ts';
import type { StripeMeter, StripePrice, StripeProduct } from './shapes.ts';
import type { TaxSituation } from './taxes.ts';

interface Catalog {
  readonly products: readonly SourceProduct[];
  readonly meters: readonly SourceMeter[];
  /** Prices that can be imported, by their slugs here. */
  readonly prices: ReadonlyMap<string, SourcePrice>;
  readonly problems: readonly Problem[];
}

/** The lists of an export. */
interface Listed {
  readonly products: readonly StripeProduct[];
  readonly prices: readonly StripePrice[];
  readonly meters: readonly StripeMeter[];
}

/** A price at Stripe with its prices here, one for each currency. */
interface Sold {
  readonly price: StripePrice;
  readonly here: readonly SourcePrice[];
}

/** The products with the prices that can be imported. */
export function catalogOf(
  { products, prices: list, meters }: Listed,
  known: ReadonlySet<string>,
  situation: TaxSituation,
): Catalog {
  const problems: Problem[] = [];
  const named = new Set(products.map(({ id }) => id));
  const sold = list.map((price): Sold => {
    const refuse = (message: string) =>
      problems.push({ record: `price ${price.id}`, message, isLeftOut: true });
    tellBehavior(price, situation, refuse);
    const options = pricesOf(price);
    for (const { currency, price: own } of options) {
      if (typeof own === 'string')
        refuse(currency === price.currency ? own : `in ${currency} ${own}`);
    }
    if (!named.has(price.product) && !isMetered(price)) {
      refuse(`has the product ${price.product}, which products.json lacks`);
      return { price, here: [] };
    }
    return {
      price,
      here: options.flatMap(({ price: own }) => (typeof own === 'string' ? [] : own)),
    };
  });
  const metered = sold.filter(({ price }) => isMetered(price));
  const licensed = sold.filter(({ price }) => !isMetered(price));
  return {
    products: products.flatMap((product) => productsOf(product, licensed, metered, problems)),
    meters: metersOf({ products, meters }, metered, known, problems),
    prices: new Map(sold.flatMap(({ here }) => here.map((price) => [price.slug, price]))),
    problems,
  };
}

const isMetered = ({ recurring }: StripePrice) => recurring?.usage_type === 'metered';

/** Tells of prices that include taxes where those of the organization do not, and the other way round. */
function tellBehavior(
  { currency, tax_behavior, currency_options }: StripePrice,
  { isInclusive }: TaxSituation,
  refuse: (message: string) => void,
) {
  const other = isInclusive ? 'exclusive' : 'inclusive';
  const all = new Map(
    Object.entries(currency_options ?? {}).map(([code, own]) => [
      `currency_options.${code}.tax_behavior`,
      own.tax_behavior,
    ]),
  );
  all.delete(`currency_options.${currency.toLowerCase()}.tax_behavior`);
  all.set('tax_behavior', tax_behavior);
  for (const [path, behavior] of all)
    if (behavior === other)
      refuse(
        `${path} is not carried over: it is ${other}, and prices of the organization here are ${isInclusive ? 'inclusive' : 'exclusive'}. Set taxInclusive of the organization first`,
      );
}

function productsOf(
  product: StripeProduct,
  licensed: readonly Sold[],
  metered: readonly Sold[],
  problems: Problem[],
): SourceProduct[] {
  const { id, name, description, active, default_price, tax_code } = product;
  const record = `product ${id}`;
  const own = licensed.filter(({ price, here }) => price.product === id && here.length > 0);
  if (own.length === 0 && metered.some(({ price }) => price.product === id)) return [];
  if (own.length === 0) {
    problems.push({ record, message: 'has no price that can be imported', isLeftOut: true });
    return [];
  }
  const taxCode = tax_code == null ? undefined : taxCodeInput.safeParse(tax_code);
  if (taxCode && !taxCode.success)
    problems.push({
      record,
      message: `tax_code is not carried over: ${tax_code} is no tax code here`,
      isLeftOut: true,
    });
  // The default price is the first one, and one that is sold comes before one that is not.
  const first = ({ price }: Sold) => (price.id === default_price ? 0 : 2) + (price.active ? 0 : 1);
  const ordered = own.toSorted((a, b) => first(a) - first(b));
  return [
    {
      slug: id,
      name,
      description: description ?? undefined,
      taxCode: taxCode?.data,
      active,
      prices: ordered.flatMap(({ here }) => here),
    },
  ];
}

/** The usage meters of metered prices: those of Stripe, and one for each price without a meter. */
function metersOf(
  { products, meters }: Omit<Listed, 'prices'>,
  metered: readonly Sold[],
  known: ReadonlySet<string>,
  problems: Problem[],
): SourceMeter[] {
  const byMeter = Map.groupBy(
    metered.filter(({ here }) => here.length > 0),
    ({ price }) => meterOf(price),
  );
  return [...byMeter].map(([slug, own]) => {
    const [{ price: first }] = own as [Sold];
    const meter = meters.find(({ id }) => id === slug);
    const product = products.find(({ id }) => id === first.product);
    if (first.recurring?.meter && !meter && !known.has(slug)) {
      const message =
        'is not in meters.json, which tells how it aggregates usage: here its usage is summed';
      problems.push({ record: `usage meter ${slug}`, message, isLeftOut: true });
    }
    const kept = first.recurring?.aggregate_usage;
    const unstated = first.recurring?.meter && known.has(slug) ? undefined : 'sum';
    return {
      slug,
      name: meter?.display_name ?? product?.name ?? slug,
      aggregationType:
        kept === 'max'
          ? 'max'
          : kept === 'last_during_period'
            ? 'last'
            : (meter?.default_aggregation.formula ?? unstated),
      prices: own
        .toSorted((a, b) => Number(b.price.active) - Number(a.price.active))
        .flatMap(({ here }) => here),
    };
  });
}

/** The slug of the usage meter of a metered price. */
const meterOf = ({ id, recurring }: StripePrice) => recurring?.meter ?? id;

/**
 * The prices of meters at which usage is billed: the first active one of each currency. Of those that are here already,
 * it is the default.
 */
export function usagePricesOf(
  meters: readonly SourceMeter[],
  known: ReadonlyMap<string, { readonly isDefault: boolean }>,
): ReadonlySet<string> {
  const first = meters.flatMap(({ prices }) => {
    const currencies = new Set<string>();
    return prices.flatMap(({ slug, currency, active }) => {
      if (!active || currencies.has(currency)) return [];
      currencies.add(currency);
      return known.has(slug) ? [] : slug;
    });
  });
  const usual = [...known].flatMap(([slug, { isDefault }]) => (isDefault ? slug : []));
  return new Set([...first, ...usual]);
}
