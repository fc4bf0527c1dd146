import type { EventType } from '#domain/model/platform/event-types.ts';
import type { Wanted } from '#domain/platform/feed/sequence-events.ts';
import type { Follower } from './event-follower.ts';

/** The events that followers and listeners of a process wait for. */
export function wantedBy(
  followers: Iterable<Follower>,
  listeners: readonly { readonly type: EventType }[],
): Wanted {
  const models = new Set<string>();
  let all = false;
  for (const { following } of followers) {
    if (following.pricingModelId) models.add(following.pricingModelId);
    else all = true;
  }
  const types = [...new Set(listeners.map(({ type }) => type))];
  return { types, pricingModelIds: all ? null : [...models] };
}

/** Whether everything that is wanted now was wanted before. */
export function isWithin(now: Wanted, before: Wanted): boolean {
  if (before.pricingModelIds === null) return true;
  const known = new Set(before.pricingModelIds);
  const all = now.pricingModelIds?.every((id) => known.has(id)) ?? false;
  return all && now.types.every((type) => before.types.includes(type));
}
