import type { MikroORM } from '@mikro-orm/postgresql';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import { createResource } from '#domain/catalog/commands/resources/create-resource.ts';
import { openSession } from '#domain/kernel/session.ts';
import { addDueSubscriptions, aPlan, begin } from './due-subscriptions.ts';

export const slug = 'seats';
const capacity = 1_000_000;

/** Adds subscriptions with more seats than any benchmark claims. Returns their ids, which are the same each time. */
export async function addSeatedSubscriptions(orm: MikroORM, count: number): Promise<string[]> {
  const { priceId, ...tenant } = await aPlan(orm);
  const scope = { ...tenant, livemode: false, keyType: 'secret', now: begin } as const;
  const resource = await createResource(openSession(orm.em, scope), {
    resource: { name: 'Seats', slug },
  });
  const feature = await createFeature(openSession(orm.em, scope), {
    feature: {
      type: 'resource',
      name: 'Seats',
      description: 'Who may work',
      slug: 'many-seats',
      amount: capacity,
      resourceId: resource.id,
    },
  });
  await addDueSubscriptions(orm, { priceId, ...tenant }, 'seated', count);
  // None of them is due during the measurement.
  await orm.em.execute(
    `update subscription set transition_due_at = null, current_billing_period_end = '2100-01-01'`,
  );
  await orm.em.execute(
    `insert into subscription_item_feature (id, created_at, updated_at, version, livemode, organization_id,
       pricing_model_id, subscription_item_id, feature_id, type, amount, resource_id, manually_created,
       customer_id, subscription_id)
     select 'sub_feature_' || id, created_at, updated_at, 1, livemode, organization_id, pricing_model_id, id,
       ?, 'resource', ?, ?, false, customer_id, subscription_id from subscription_item`,
    [feature.id, capacity, resource.id],
  );
  await orm.em.execute('analyze');
  return Array.from({ length: count }, (_, n) => `sub_seated_${n + 1}`);
}
