import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isObjectType,
} from 'graphql';
import { expect } from 'vitest';
import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { releaseResource } from '#domain/capacity/commands/resource-claims/release-resource.ts';
import type { Session } from '#domain/kernel/session.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { Event } from '#domain/model/platform/event.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { schema } from '#schema/index.ts';
import { aDraft, aPaidInvoice, fresh } from '../../../support/factories.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { aCatalog, aPlan } from '../../../support/plans.ts';
import { testAlone } from '../../../support/test.ts';
import { grant, use, voidEvent } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

type Json = Record<string, unknown>;

/** The selection of a type that is compared with the data of an event. */
function selectionOf(type: GraphQLObjectType, data: Json): string {
  const parts = Object.values(type.getFields()).flatMap(({ name, args, type }) => {
    if (!(name in data) || args.length > 0) return [];
    const inner = getNamedType(type as GraphQLOutputType);
    if (!isObjectType(inner)) return [name];
    const value = data[name];
    const nested = typeof value === 'object' && value !== null ? (value as Json) : {};
    const everything = Object.fromEntries(Object.keys(inner.getFields()).map((key) => [key, null]));
    return [`${name} { ${selectionOf(inner, { ...everything, ...nested })} }`];
  });
  return parts.join(' ');
}

/** Moves money, plans, credits and claims in many ways. */
async function aLife(session: Session) {
  const catalog = await aCatalog(session);
  const timeline = await aTimeline(session);
  await timeline.pays('sandbox_success');
  const small = await aPlan(session, { features: [catalog.credits(100), catalog.seats(5)] });
  const large = await aPlan(session, {
    unitPrice: 3_000,
    days: 60,
    features: [catalog.credits(200), catalog.seats(9)],
  });
  const { id } = await timeline.subscribes({ priceId: small.priceId });
  const user = { id, slug: catalog.meter.slug };
  const [first, second] = await use(timeline.fresh(), user, 100, 30);
  await grant(timeline.fresh(), user, 7);
  await voidEvent(timeline.fresh(), second?.id ?? '');
  const seats = { subscriptionId: id, resourceSlug: catalog.resource.slug };
  await claimResource(timeline.fresh(), { ...seats, quantity: 2 });
  await reserveResource(timeline.fresh(), { ...seats, quantity: 1 });
  await releaseResource(timeline.fresh(), { ...seats, quantity: 1 });
  await timeline.toDay(10);
  await adjustSubscription(timeline.fresh(), {
    id,
    adjustment: { timing: 'immediately', newSubscriptionItems: [{ priceId: large.priceId }] },
  });
  const payments = await timeline.payments();
  await refundPayment(timeline.fresh(), { id: payments[0]?.id ?? '', partialAmount: 10 });
  await refundPayment(timeline.fresh(), { id: payments[1]?.id ?? '' });
  await timeline.pays('sandbox_decline_expired_card', { default: true });
  await timeline.toDay(75);
  await updateCustomer(timeline.fresh(), {
    externalId: timeline.customer.externalId,
    customer: { name: 'Grace', taxType: 'vat', taxRatePercentage: '19' },
  });
  await timeline.pays('sandbox_success', { default: true });
  await aDraft(fresh(session), { customerId: timeline.customer.id });
  await aPaidInvoice(fresh(session));
  await cancelSubscription(timeline.fresh(), { id, cancellation: { timing: 'immediately' } });
  return { ...timeline, first };
}

const moving = ['remaining', 'expired', 'updatedAt'];

test('an event shows an object as a read does, and of what has changed what it was, in the same types', async ({
  graphql,
  session,
}) => {
  await aLife(session);
  const { em } = fresh(session);
  const events = await em.find(Event, {}, { orderBy: { position: 'asc' } });
  const last = new Map(events.map((event) => [event.objectId, event]));
  const types = new Set(events.map(({ type }) => type));
  expect(types.size).toBeGreaterThan(30);
  for (const { objectId, objectType, data, type } of last.values()) {
    const selection = selectionOf(schema.getType(objectType) as GraphQLObjectType, data);
    const name = objectType.replace(/^./, (letter) => letter.toLowerCase());
    const query = `query($id: ID!) { found: ${name}(id: $id) { ${selection} } }`;
    const found = (await graphql(query, { id: objectId })).data?.found;
    // Usage that is covered is an event of its own, and none of the credits that cover it.
    if (objectType === 'UsageCredit') for (const name of moving) delete found[name];
    expect({ type, ...data }).toMatchObject({ type, ...found });
  }
  for (const { type, data, previousAttributes } of events) {
    for (const [name, was] of Object.entries(previousAttributes ?? {})) {
      const is = data[name];
      expect({ type, name, was }).not.toEqual({ type, name, was: is });
      if (was === null || is === null) continue;
      expect({ type, name, was: typeof was }).toEqual({ type, name, was: typeof is });
    }
  }
});

test('a credit whose end is moved earlier is an event, also when it is used up', async ({
  session,
}) => {
  await aLife(session);
  const { em } = fresh(session);
  for (const credit of await em.find(UsageCredit, {})) {
    const [event] = await em.find(
      Event,
      { objectId: credit.id },
      { orderBy: { position: 'desc' }, limit: 1 },
    );
    expect(event?.data).toMatchObject({ expiresAt: credit.expiresAt?.getTime() ?? null });
  }
});
