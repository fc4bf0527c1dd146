import { invalid } from '#domain/kernel/errors.ts';
import type { PlannedItem } from '#domain/model/subscriptions/planned-item.ts';

export interface Matched<T, P> {
  /** The items that continue, with their planned state. */
  readonly kept: readonly { readonly item: T; readonly planned: P }[];
  readonly added: readonly P[];
  readonly ended: readonly T[];
}

/**
 * Matches planned items with those of the plan. An item that is named by its id continues; one without an id is new,
 * even if an equal one exists. An item that is not named ends. `current` are the items of the plan, without those
 * that were added by hand. Errors: BAD_REQUEST for a repeated id, and for the id of anything else.
 */
export function matchItems<T extends { readonly id: string }, P extends PlannedItem>(
  current: readonly T[],
  planned: readonly P[],
): Matched<T, P> {
  const byId = new Map(current.map((item) => [item.id, item]));
  const kept: { item: T; planned: P }[] = [];
  const added: P[] = [];
  for (const [place, wanted] of planned.entries()) {
    if (wanted.id === null) {
      added.push(wanted);
      continue;
    }
    const item = byId.get(wanted.id);
    if (!item) throw invalid('NOT_FOUND', itemPath(place, 'id'), unknownItem(wanted.id));
    byId.delete(wanted.id);
    kept.push({ item, planned: wanted });
  }
  return { kept, added, ended: [...byId.values()] };
}

/** Checks the ids of planned items. Errors: BAD_REQUEST for an id that is repeated, or names no current item of the plan. */
export function requireKnownItems(
  current: readonly { readonly id: string }[],
  planned: readonly PlannedItem[],
) {
  matchItems(current, planned);
}

/** The path of a field of a new item in the input. */
export const itemPath = (place: number, field: string) =>
  `adjustment.newSubscriptionItems.${place}.${field}`;

export const unknownItem = (id: string) =>
  `${id} is not a current item of this subscription, or is repeated: omit the id to add an item`;
