import { pricingAtInstant } from '#domain/model/catalog/pricing.ts';
import type { PlannedItem } from '#domain/model/subscriptions/planned-item.ts';
import type { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';

/** An item of the plan in the form in which it is stored. */
export const plannedOf = (item: SubscriptionItem): PlannedItem => ({
  id: item.id,
  priceId: item.priceId ?? '',
  name: item.name,
  unitPrice: item.unitPrice,
  quantity: item.quantity,
  pricing: item.pricing ?? null,
  externalId: item.externalId ?? null,
  metadata: item.metadata ?? null,
  expiredAt: item.expiredAt?.getTime() ?? null,
});

/** The fields that change together. */
const groups = [
  ['priceId', 'name', 'unitPrice', 'pricing'],
  ['quantity'],
  ['externalId'],
  ['metadata'],
  ['expiredAt'],
] as const;

/**
 * The items that a change at a boundary leads to, where the present items have changed since it was planned. A group of
 * fields that it changes keeps its planned values, any other follows the present item. An item that it ends still ends, an item that
 * has ended since does not begin again, and an item that has begun since continues.
 */
export function mergedItems(
  planned: readonly PlannedItem[],
  { before, after, at }: Changed,
): PlannedItem[] {
  const [byId, old] = [planned, before].map((items) => new Map(items.map((one) => [one.id, one])));
  const continued = after.flatMap((item) => {
    const base = item.id === null ? undefined : old?.get(item.id);
    const wanted = byId?.get(item.id);
    if (!base) return [item];
    return wanted ? [mergedItem(wanted, base, item, at)] : [];
  });
  return [...continued, ...planned.filter(({ id }) => id === null)];
}

/** The items of a plan before and after a change, and the instant of the boundary. */
interface Changed {
  readonly before: readonly PlannedItem[];
  readonly after: readonly PlannedItem[];
  readonly at: Date;
}

function mergedItem(wanted: PlannedItem, base: PlannedItem, item: PlannedItem, at: Date) {
  const [planned, from] = [wanted, base].map((one) => ({
    ...one,
    pricing: pricingAtInstant(one.pricing, at),
  }));
  const kept = groups.filter((fields) =>
    fields.some((field) => !isSame(planned?.[field], from?.[field])),
  );
  return { ...item, ...Object.fromEntries(kept.flat().map((field) => [field, wanted[field]])) };
}

/**
 * Whether the change at a boundary and the one since both end an item or give it another price. Then the planned change
 * has lost what it starts from. An item that both end without another in its place is no conflict.
 */
export function areInConflict(
  planned: readonly PlannedItem[],
  { before, after }: Omit<Changed, 'at'>,
): boolean {
  const [byId, now] = [planned, after].map((items) => new Map(items.map((one) => [one.id, one])));
  const begins = planned.some(({ id }) => id === null);
  return before.some(({ id, priceId }) => {
    const [wanted, item] = [byId?.get(id), now?.get(id)];
    if (!wanted && !item) return begins;
    return wanted?.priceId !== priceId && item?.priceId !== priceId;
  });
}

/** Whether two lists of items are equal for a boundary. */
export const areSameItems = (
  some: readonly PlannedItem[],
  others: readonly PlannedItem[],
  at: Date,
): boolean => isSame(shownAt(some, at), shownAt(others, at));

const shownAt = (items: readonly PlannedItem[], at: Date) =>
  items
    .map((item) => [
      item.id ?? '',
      ...groups
        .flat()
        .map((field) => (field === 'pricing' ? pricingAtInstant(item.pricing, at) : item[field])),
    ])
    .toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));

const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
