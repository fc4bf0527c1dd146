import { createPriceInput } from '#domain/catalog/commands/prices/create-price.ts';
import { termsOf } from '#domain/catalog/price-fields.ts';
import type { Discount } from '#domain/model/catalog/discount.ts';
import type { Price } from '#domain/model/catalog/price.ts';
import type { Product } from '#domain/model/catalog/product.ts';
import type { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import type { SourceDiscount, SourceMeter, SourcePrice, SourceProduct } from '../source/source.ts';

type Terms = Readonly<Record<string, unknown>>;

const discountTerms = [
  'amountType',
  'amount',
  'currency',
  'duration',
  'numberOfPayments',
  'numberOfMonths',
  'expiresAt',
] as const;

/** How a discount that is here differs from that of the source with its code; undefined where it does not. */
export function otherDiscount(source: SourceDiscount, here: Discount): string | undefined {
  const picked = (discount: Partial<Record<(typeof discountTerms)[number], unknown>>) =>
    Object.fromEntries(discountTerms.map((name) => [name, discount[name]]));
  const others = differing(picked(here), picked(source));
  return (
    others &&
    `${others}. Subscriptions that have redeemed it keep the terms there, and new ones get those here`
  );
}

/**
 * How a price that is here differs from that of the source with its slug; undefined where it does not. The product or the
 * usage meter of a price is one of its terms.
 */
export function otherPrice(source: SourcePrice, owner: string, here: Price): string | undefined {
  const isUsage = source.type === 'usage';
  const ids = isUsage ? { usageMeterId: owner } : { productId: owner };
  const valid = createPriceInput.safeParse({ price: { ...source, ...ids } });
  const { currency } = source;
  const field = isUsage ? 'usageMeter' : 'product';
  // A price that no price here can be is compared by its amount.
  const terms = valid.success ? termsOf(valid.data.price) : { unitPrice: source.unitPrice };
  const there = { ...terms, currency, [field]: owner };
  const [product, usageMeter] = [here.product?.unwrap().slug, here.usageMeter?.unwrap().slug];
  const others = differing(
    { ...termsOf(here), currency: here.currency, product, usageMeter },
    there,
  );
  return others && `${others}. Subscriptions get the price here`;
}

/** How a product that is here is taxed otherwise. A source that states no tax code leaves it to the organization. */
export const otherProduct = ({ taxCode }: SourceProduct, here: Product): string | undefined =>
  taxCode === undefined ? undefined : differing({ taxCode: here.taxCode }, { taxCode });

/** How a usage meter that is here counts otherwise, where the source states how it counts. */
export const otherMeter = (
  { aggregationType }: SourceMeter,
  here: UsageMeter,
): string | undefined =>
  aggregationType === undefined
    ? undefined
    : differing({ aggregationType: here.aggregationType }, { aggregationType });

/** The terms of the source that a record here has otherwise, as words; undefined where there are none. */
function differing(here: Terms, there: Terms): string | undefined {
  const others = Object.keys(there).flatMap((name) => {
    const [own, other] = [textOf(here[name]), textOf(there[name])];
    return own === other ? [] : `${name} is ${own} here and ${other} there`;
  });
  return others.length === 0 ? undefined : `is here already with other terms: ${others.join(', ')}`;
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) return JSON.stringify(sorted(value));
  return String(value ?? 'none');
}

/** The same with its keys in one order: the database keeps none. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, own]) => [name, sorted(own)]));
}
