import { priceBySlug, retirementOf } from '#domain/catalog/retired-price.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { itemTermsOf } from '#domain/model/catalog/cost.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { withDiscount, withTrial } from '#domain/model/catalog/pricing.ts';
import { mostExpensiveItem } from '#domain/subscriptions/entitlement/most-expensive-item.ts';
import type { FirstItem } from '#domain/subscriptions/lifecycle/subscription-terms.ts';
import type { FirstItemInput, SubscribedInput } from './create-subscription-input.ts';

/** An item with the field of the input that names its price. */
type NamedItem = FirstItem & { readonly field: string };

/** The items of a new subscription, and the one that determines its price, name, interval and trial. */
export interface FirstItems {
  readonly items: readonly FirstItem[];
  readonly main: FirstItem;
}

/**
 * Resolves the items that a new subscription names. Each has a subscription price of a product that is for sale or
 * kept, in one currency; the main item is the most expensive one. Errors: BAD_REQUEST with the field of the item, also for
 * prices of several intervals where the input has no `interval`.
 */
export async function firstItems(
  session: Session,
  { items: inputs, interval, startDate, keepsRetired = false }: SubscribedInput,
): Promise<FirstItems> {
  const items: NamedItem[] = [];
  const start = startDate ?? session.now;
  for (const [place, input] of (inputs ?? []).entries()) {
    if (input.trialEnd && input.trialEnd <= start) {
      const why = `must be after ${start.toISOString()}, when the subscription starts`;
      throw invalid('OUT_OF_RANGE', `items.${place}.trialEnd`, why);
    }
    items.push(await firstItem(session, place, input, keepsRetired));
  }
  const addedDate = new Date(0);
  const main = mostExpensiveItem(
    items.map((item) => ({ ...item, addedDate, priceId: item.price.id })),
  );
  if (!main) throw invalid('REQUIRED', 'items', 'must not be empty');
  for (const { price, field } of items) {
    if (price.unitPrice > 0 && price.currency !== main.price.currency) {
      const own = main.price.slug ?? main.price.id;
      throw invalid(
        'MISMATCH',
        field,
        `is in ${price.currency}, and ${own} is in ${main.price.currency}`,
      );
    }
    if (interval == null && lengthOf(price) !== lengthOf(main.price)) {
      const why = `renews every ${lengthOf(price)}, and ${main.price.slug ?? main.price.id} every ${lengthOf(main.price)}: use prices of one interval, or give interval`;
      throw invalid('MISMATCH', field, why);
    }
  }
  return { items, main };
}

const lengthOf = ({ intervalUnit, intervalCount }: Price) =>
  `${intervalCount ?? 1} ${intervalUnit}`;

async function firstItem(
  session: Session,
  place: number,
  { priceId, priceSlug, quantity, name, externalId, metadata, ...given }: FirstItemInput,
  keepsRetired: boolean,
): Promise<NamedItem> {
  const field = `items.${place}.${priceId != null ? 'priceId' : 'priceSlug'}`;
  const named = priceId ?? priceSlug ?? '';
  const price =
    priceId != null ? await session.em.findOne(Price, priceId) : await priceBySlug(session, named);
  if (!price) throw invalid('NOT_FOUND', field, `Unknown price ${named}`);
  if (!price.active && !keepsRetired) {
    throw invalid('ARCHIVED', field, `${named} ${await retirementOf(session, price)}`);
  }
  const product = await price.product?.loadOrFail();
  if (!product || price.type !== 'subscription') {
    throw invalid('INVALID', field, `${named} is a ${price.type} price: use a subscription price`);
  }
  if (!product.active && !keepsRetired) {
    throw invalid('ARCHIVED', field, `${named} is of a product that is not active`);
  }
  return {
    price,
    product,
    field,
    name: name ?? price.name ?? product.name,
    ...firstTerms(price, given),
    quantity: quantity ?? 1,
    externalId: externalId ?? null,
    metadata: metadata ?? null,
  };
}

/** The terms of an item: a unit price of its own has no other model, and each may have a discount. */
function firstTerms(
  price: Price,
  {
    unitPrice,
    discountPercentage,
    trialEnd,
  }: Pick<FirstItemInput, 'unitPrice' | 'discountPercentage' | 'trialEnd'>,
) {
  const terms =
    unitPrice == null || unitPrice === price.unitPrice
      ? itemTermsOf(price)
      : { unitPrice, pricing: null };
  const discounted = withDiscount(terms.pricing, discountPercentage ?? null);
  return { ...terms, pricing: withTrial(discounted, trialEnd?.getTime() ?? null) };
}
