import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { nowOf, ownerOf } from '#domain/rules/reads/read-customer.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import type { ResourceUsage } from './resource-usage.ts';

/** A usage, with the fields that find its claims. */
export interface UsageAt extends ResourceUsage {
  /** The instant of the usage, by the subscription's clock. */
  readonly at: Date;
}

/** The same for several subscriptions of one customer. */
export async function resourceUsagesOf(
  session: Session,
  subscriptions: readonly Subscription[],
): Promise<UsageAt[]> {
  const [first] = subscriptions;
  if (!first) return [];
  const at = await nowOf(session, await ownerOf(session, first));
  const rows = await statement<Record<keyof ResourceUsage, string>>(
    session.em,
    'resource usages',
    `select granted.subscription_id as "subscriptionId", r.id as "resourceId", r.slug as "resourceSlug",
       c.capacity, u.claimed, u.reserved
     from (select distinct subscription_id, resource_id from subscription_item_feature
           where subscription_id = any($1) and pricing_model_id = $2 and resource_id is not null) as granted
       join resource r on r.id = granted.resource_id,
       lateral resource_capacity(granted.subscription_id, r.id, $3) as c,
       lateral resource_use(granted.subscription_id, r.id, $3) as u
     order by granted.subscription_id, r.slug`,
    [subscriptions.map(({ id }) => id), session.pricingModelId, at],
  );
  return rows.map(({ capacity, claimed, reserved, ...of }) => ({
    ...of,
    capacity: Number(capacity),
    claimed: Number(claimed),
    reserved: Number(reserved),
    at,
  }));
}

/** The condition of a claim that is active at an instant: neither released nor expired. */
export const activeAt = (at: Date) => ({
  releasedAt: null,
  $or: [{ expiredAt: null }, { expiredAt: { $gt: at } }],
});
