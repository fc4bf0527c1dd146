import { priceBySlug, retirementOf } from '#domain/catalog/retired-price.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { withDiscount, withTrial } from '#domain/model/catalog/pricing.ts';
import type { PlannedItem } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import type { Adjustment, AdjustmentItem } from './adjust-input.ts';
import { itemPath, unknownItem } from './match-items.ts';
import { refuseSecondFree } from './one-free.ts';

/** A planned item with its price and, if it exists already, its start. */
export interface ResolvedItem extends PlannedItem {
  readonly price: Price;
  readonly addedDate: Date;
  /** The index of the item in the input, and the field of it that names its price. */
  readonly given: {
    readonly place: number;
    readonly field: 'priceId' | 'priceSlug';
    /** Whether the request states the end of its trial. */
    readonly setsTrial: boolean;
  };
}

interface Place {
  readonly given: AdjustmentItem;
  readonly place: number;
  readonly existing: SubscriptionItem | undefined;
}

/**
 * Resolves the wanted items from any form of the input. Items that were added by hand are not part of a plan and left
 * out. `items` are the active ones of the subscription. Errors: BAD_REQUEST; CONFLICT for a second subscription at
 * price 0 of the customer.
 */
export async function resolveItems(
  session: Session,
  subscription: Subscription,
  items: readonly SubscriptionItem[],
  { newSubscriptionItems }: Adjustment,
): Promise<ResolvedItem[]> {
  const places = newSubscriptionItems.map((given, place) => {
    const existing = items.find(({ id }) => id === given.id);
    if (given.id != null && !existing)
      throw invalid('NOT_FOUND', itemPath(place, 'id'), unknownItem(given.id));
    const other = given.subscriptionId;
    if (other != null && other !== subscription.id) {
      throw invalid(
        'MISMATCH',
        itemPath(place, 'subscriptionId'),
        `must be ${subscription.id} or absent`,
      );
    }
    return { given, place, existing };
  });
  const resolved: ResolvedItem[] = [];
  for (const place of places.filter((place) => !isManual(place))) {
    const price = await priceOf(session, place, items);
    refuseOtherCurrency(subscription, place, price);
    resolved.push(await resolve(session, place, price));
  }
  requireAnItem(resolved);
  await refuseSecondFree(session, subscription, resolved);
  return resolved;
}

/** Errors: BAD_REQUEST where the plan would have no item: such a subscription is never billed again. */
function requireAnItem(items: readonly ResolvedItem[]) {
  if (items.length > 0) return;
  const message = 'must have an item of the plan: cancel the subscription to end it';
  throw invalid('TOO_SHORT', 'adjustment.newSubscriptionItems', message);
}

function isManual({ given, existing, place }: Place): boolean {
  if (given.manuallyCreated || (existing && existing.priceId === null)) return true;
  if (given.priceId != null || given.priceSlug != null || existing) return false;
  // An item in full may have no price; a short one consists only of its price.
  if (given.unitPrice != null) return true;
  throw invalid('REQUIRED', itemPath(place, 'priceId'), 'give either priceId or priceSlug');
}

/** A free price fits every currency. Errors: BAD_REQUEST for another price in another currency. */
function refuseOtherCurrency(
  { id, currency }: Subscription,
  { given, place }: Place,
  price: Price,
) {
  if (price.unitPrice === 0 || price.currency === currency) return;
  const field = given.priceSlug != null ? 'priceSlug' : 'priceId';
  throw invalid(
    'MISMATCH',
    itemPath(place, field),
    `${price.slug ?? price.id} is in ${price.currency}, and ${id} is in ${currency}: use a price in ${currency}`,
  );
}

async function priceOf(
  session: Session,
  { given: { priceId, priceSlug, keepsRetired }, place, existing }: Place,
  items: readonly SubscriptionItem[],
): Promise<Price> {
  const [field, named] =
    priceSlug != null ? ['priceSlug', priceSlug] : ['priceId', priceId ?? existing?.priceId ?? ''];
  const bySlug = priceSlug != null && (await priceBySlug(session, named));
  const price = bySlug || (await session.em.findOne(Price, named));
  if (!price) throw invalid('NOT_FOUND', itemPath(place, field), `Unknown price ${named}`);
  const product = await price.product?.loadOrFail();
  const isSold = keepsRetired || (price.active && (product?.active ?? true));
  // A subscription that has the price already may keep it.
  if (!isSold && !items.some((item) => item.priceId === price.id)) {
    const why = price.active
      ? 'is of a product that is not active'
      : await retirementOf(session, price);
    throw invalid('ARCHIVED', itemPath(place, field), `${named} ${why}`);
  }
  return price;
}

async function resolve(
  { now }: Session,
  { given, place, existing }: Place,
  price: Price,
): Promise<ResolvedItem> {
  const sameId = existing?.priceId === price.id ? existing : undefined;
  const quantity = given.quantity ?? existing?.quantity ?? 1;
  if (quantity <= 0) {
    throw invalid(
      'OUT_OF_RANGE',
      itemPath(place, 'quantity'),
      `must be 1 or more, and is ${quantity}`,
    );
  }
  const unitPrice = given.unitPrice ?? sameId?.unitPrice ?? price.unitPrice;
  if (unitPrice < 0) {
    throw invalid(
      'OUT_OF_RANGE',
      itemPath(place, 'unitPrice'),
      `must be 0 or more, and is ${unitPrice}`,
    );
  }
  const field = given.priceSlug != null ? 'priceSlug' : 'priceId';
  if (price.type !== 'subscription') {
    throw invalid(
      'INVALID',
      itemPath(place, field),
      `${price.id} is a ${price.type} price: use a subscription price`,
    );
  }
  const product = await price.product?.loadOrFail();
  return {
    id: existing?.id ?? null,
    price,
    priceId: price.id,
    name: given.name ?? sameId?.name ?? price.name ?? product?.name ?? '',
    unitPrice,
    quantity,
    pricing: withTrial(
      withDiscount(
        pricingAt(unitPrice, price, sameId),
        orExisting(given.discountPercentage, sameId?.pricing?.discount),
      ),
      given.trialEnd === undefined
        ? (existing?.pricing?.trialEnd ?? null)
        : (given.trialEnd?.getTime() ?? null),
    ),
    externalId: orExisting(given.externalId, existing?.externalId),
    metadata: orExisting(given.metadata, existing?.metadata),
    expiredAt: orExisting(given.expiredAt, existing?.expiredAt)?.getTime() ?? null,
    addedDate: existing?.addedDate ?? now,
    given: { place, field, setsTrial: given.trialEnd != null },
  };
}

/** The pricing of an item: that which it has, or that of its price. A unit price of its own has no other model. */
function pricingAt(unitPrice: number, price: Price, existing: SubscriptionItem | undefined) {
  if (unitPrice === existing?.unitPrice) return existing.pricing ?? null;
  return unitPrice === price.unitPrice ? price.terms.pricing : null;
}

/** A nullable field: null clears it, and an absent one keeps its value. */
const orExisting = <T>(given: T | null | undefined, existing: T | null | undefined): T | null =>
  (given === undefined ? existing : given) ?? null;

/** An item as it is stored: without the records from which it was resolved. */
export const plain = ({
  price: _,
  addedDate: __,
  given: ___,
  ...planned
}: ResolvedItem): PlannedItem => planned;
