import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { resourceUsages } from '#domain/capacity/commands/resource-claims/read-resource-usage.ts';
import { releaseResource } from '#domain/capacity/commands/resource-claims/release-resource.ts';
import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import type { Session } from '#domain/kernel/session.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { anAdjustable, type Items } from './adjustments.ts';
import { aResource, fresh } from './factories.ts';

let count = 0;

/** The catalog of a test: seats, and a meter of which 10 units cost 2. */
export async function aCatalog(session: Session) {
  const resource = await aResource(session, { slug: `seats-${++count}` });
  const meter = await createUsageMeter(fresh(session), {
    usageMeter: { name: 'Calls', slug: `calls-${count}` },
    price: { unitPrice: 2, usageEventsPerUnit: 10 },
  });
  const seats = (amount: number) => ({
    type: 'resource' as const,
    amount,
    resourceId: resource.id,
  });
  const credits = (
    amount: number,
    renewalFrequency: 'once' | 'every_billing_period' = 'every_billing_period',
  ) => ({
    type: 'usage_credit_grant' as const,
    amount,
    usageMeterId: meter.id,
    renewalFrequency,
  });
  return { resource, meter, seats, credits };
}

export type Catalog = Awaited<ReturnType<typeof aCatalog>>;
type Granted = ReturnType<Catalog['seats']> | ReturnType<Catalog['credits']>;

/** A plan that costs `unitPrice` for a number of days and grants its own features; returns its price. */
export async function aPlan(
  session: Session,
  {
    unitPrice = 1_000,
    days = 30,
    features = [],
  }: { unitPrice?: number; days?: number; features?: readonly Granted[] },
) {
  const slug = `plan-${++count}`;
  const featureIds: string[] = [];
  for (const granted of features) {
    const feature = { name: slug, description: slug, slug: `${slug}-${++count}`, ...granted };
    featureIds.push((await createFeature(fresh(session), { feature })).id);
  }
  const product = await createProduct(fresh(session), {
    product: { name: slug, slug },
    price: { type: 'subscription', unitPrice, intervalUnit: 'day', intervalCount: days },
    featureIds,
  });
  const [price] = await product.prices.loadItems();
  return { name: slug, featureIds, productId: product.id, priceId: price?.id ?? '' };
}

/** A subscription to one or several plans on its own clock from 2026-01-01, with its usage. */
export async function aSubscriber(
  session: Session,
  catalog: Catalog,
  plans: Items,
  options: Parameters<typeof anAdjustable>[1] = {},
) {
  const [first, ...more] = plans as { priceId: string; quantity?: number }[];
  const it = await anAdjustable(session, { ...first, ...options });
  if (more.length > 0) {
    const [item] = await it.items();
    await it.adjust([{ id: item?.id }, ...more], { prorateCurrentBillingPeriod: false });
  }
  const seats = { subscriptionId: it.id, resourceSlug: catalog.resource.slug };
  return {
    ...it,
    catalog,
    slug: catalog.meter.slug,
    /** Ends it immediately. */
    cancel: () =>
      cancelSubscription(it.fresh(), { id: it.id, cancellation: { timing: 'immediately' } }),
    claim: (input: { quantity?: number; externalId?: string }) =>
      claimResource(it.fresh(), { ...seats, ...input }),
    release: (quantity: number) => releaseResource(it.fresh(), { ...seats, quantity }),
    reserve: (quantity: number, more: Partial<Parameters<typeof reserveResource>[1]> = {}) =>
      reserveResource(it.fresh(), { ...seats, quantity, ...more }),
    /** `capacity/claimed/available`. */
    async seats() {
      const [usage] = await resourceUsages(it.fresh(), { subscriptionId: it.id });
      const { capacity, claimed, reserved } = usage ?? { capacity: 0, claimed: 0, reserved: 0 };
      return `${capacity}/${claimed}/${capacity - claimed - reserved}`;
    },
  };
}

export type Subscriber = Awaited<ReturnType<typeof aSubscriber>>;

/** A plan with a number of seats. */
export const seated = (session: Session, { seats }: Catalog, capacity: number, unitPrice = 1_000) =>
  aPlan(session, { unitPrice, features: [seats(capacity)] });

/** A subscriber to plans with these numbers of seats, of which some are claimed. */
export async function withSeats(
  session: Session,
  catalog: Catalog,
  capacities: number[],
  claims: number,
) {
  const plans = [];
  for (const capacity of capacities) plans.push(await seated(session, catalog, capacity));
  const it = await aSubscriber(session, catalog, plans);
  if (claims > 0) await it.claim({ quantity: claims });
  return it;
}
