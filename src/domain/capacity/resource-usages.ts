import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { nowOf, ownerOf, presentAfterChange } from '#domain/platform/reads/read-customer.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { ResourceUsage } from './resource-usage.ts';

/** A usage, with the fields that find its claims. */
export interface UsageAt extends ResourceUsage {
  /** The instant of the usage, by the subscription's clock. */
  readonly at: Date;
}

/** The same for several subscriptions of one customer. One statement reads those of several customers. */
export async function resourceUsagesOf(
  session: Session,
  subscriptions: readonly Subscription[],
): Promise<UsageAt[]> {
  const [first] = subscriptions;
  if (!first) return [];
  const at = await nowOf(session, await ownerOf(session, first));
  const usages = await Promise.all(
    subscriptions.toSorted(byId).map(async (subscription) => {
      const own = presentAfterChange(subscription, at);
      const key = keyOf(subscription.id, own);
      const read = await batched(session, resourceUsagesOf, key, readUsages);
      return (read ?? []).map((usage) => ({ ...usage, at: own }));
    }),
  );
  return usages.flat();
}

const byId = (a: Subscription, b: Subscription) => (a.id < b.id ? -1 : 1);

const keyOf = (subscriptionId: string, at: Date) => `${subscriptionId} ${at.toISOString()}`;

async function readUsages({ em, pricingModelId }: Session, keys: readonly string[]) {
  const asked = keys.map((key) => key.split(' '));
  const rows = await statement<Record<keyof ResourceUsage | 'key', string>>(
    em,
    'resource usages',
    `select asked.key, granted.subscription_id as "subscriptionId", r.id as "resourceId",
       r.slug as "resourceSlug", c.capacity, u.claimed, u.reserved
     from unnest($1::text[], $2::text[], $3::timestamptz[]) as asked (key, subscription_id, at),
       lateral (select distinct subscription_id, resource_id from subscription_item_feature
           where subscription_id = asked.subscription_id and pricing_model_id = $4
             and resource_id is not null) as granted
       join resource r on r.id = granted.resource_id,
       lateral resource_capacity(granted.subscription_id, r.id, asked.at) as c,
       lateral resource_use(granted.subscription_id, r.id, asked.at) as u
     order by granted.subscription_id, r.slug`,
    [keys, asked.map(([id]) => id), asked.map(([, at]) => at), pricingModelId],
  );
  const usages = rows.map(({ capacity, claimed, reserved, ...of }) => ({
    ...of,
    capacity: Number(capacity),
    claimed: Number(claimed),
    reserved: Number(reserved),
  }));
  return new Map(
    [...Map.groupBy(usages, ({ key }) => key)].map(([key, own]) => [
      key,
      own.map(({ key: _, ...usage }) => usage),
    ]),
  );
}

/** The condition of a claim that is active at an instant: neither released nor expired. */
export const activeAt = (at: Date) => ({
  releasedAt: null,
  $or: [{ expiredAt: null }, { expiredAt: { $gt: at } }],
});
