import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { grantsAccess } from '#domain/model/subscriptions/grants-access.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { nowOf } from '#domain/platform/reads/read-customer.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { featureItemsOf } from './feature-items.ts';

/** The features that a customer has through its current subscriptions, by its own clock. */
export async function entitlementsOf(
  session: Session,
  customer: Customer,
): Promise<SubscriptionItemFeature[]> {
  const subscriptions = await currentSubscriptionsOf(session, customer);
  return featureItemsOf({ ...session, now: await nowOf(session, customer) }, subscriptions);
}

/** Whether a current subscription of the customer grants a feature with this slug, of any type. */
export async function hasFeature(session: Session, customer: Customer, slug: string) {
  const entitlements = await entitlementsOf(session, customer);
  return entitlements.some(({ feature }) => feature.unwrap().slug === slug);
}

/**
 * The next instant at which time alone changes the entitlements of a customer: a feature or an item of a current
 * subscription expires or begins. Null when there is none, and on a test clock, whose advances emit events.
 */
export async function nextEntitlementChange(
  session: Session,
  customer: Customer,
): Promise<Date | null> {
  if (customer.testClockId) return null;
  const ids = (await currentSubscriptionsOf(session, customer)).map(({ id }) => id);
  const [found] = await statement<{ next: Date | string | null }>(
    session.em,
    'next change of entitlements',
    `select min(at) as next from (
       select expired_at as at from subscription_item_feature where subscription_id = any($1::text[])
       union all select expired_at from subscription_item where subscription_id = any($1::text[])
       union all select added_date from subscription_item where subscription_id = any($1::text[])) as change
     where at > $2`,
    [ids, session.now],
  );
  return found?.next ? new Date(found.next) : null;
}

/** Subscriptions that currently grant access, newest first. One statement reads those of several customers. */
export async function currentSubscriptionsOf(
  session: Session,
  { id }: Customer,
): Promise<Subscription[]> {
  const found = await batched(session, currentSubscriptionsOf, id, async ({ em }, ids) =>
    Map.groupBy(
      await em.find(
        Subscription,
        { customer: { $in: [...ids] }, ...grantsAccess },
        { orderBy: { createdAt: 'desc', updatedAt: 'desc', position: 'desc', id: 'asc' } },
      ),
      ({ customerId }) => customerId,
    ),
  );
  return found ?? [];
}
