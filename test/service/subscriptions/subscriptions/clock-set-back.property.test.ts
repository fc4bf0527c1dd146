import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { releaseReservation } from '#domain/capacity/commands/reservations/release-reservation.ts';
import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { resourceUsages } from '#domain/capacity/commands/resource-claims/read-resource-usage.ts';
import { releaseResource } from '#domain/capacity/commands/resource-claims/release-resource.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { presentAfresh } from '#domain/kernel/values/present.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { recordUsageEvent } from '#domain/recording/commands/usage-events/record-usage-event.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { entitlementsOf } from '#domain/subscriptions/entitlement/entitlements.ts';
import { cloneDatabase } from '../../../support/database.ts';
import { aSubscription, aUsageMeter } from '../../../support/factories.ts';
import { movableTime } from '../../../support/live/database-time.ts';
import { aSeatFeature } from '../../../support/seats.ts';
import { tried } from '../../../support/seeded.ts';
import { aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it changes the database or its connections');

const hour = 3_600_000;
const seats = 5;

interface Subscriber {
  /** Opens a session at the present of the database. */
  readonly open: () => Promise<Session>;
  readonly id: string;
  readonly customerId: string;
  readonly resourceSlug: string;
  readonly meterSlug: string;
}

/** The acts of a subscriber: each leaves it with all its seats free. */
const acts: Readonly<Record<string, (subscriber: Subscriber) => Promise<unknown>>> = {
  async claims({ open, id: subscriptionId, resourceSlug }) {
    const of = { subscriptionId, resourceSlug, quantity: seats };
    const { usage } = await claimResource(await open(), of);
    expect(usage).toMatchObject({ capacity: seats, claimed: seats });
    await releaseResource(await open(), of);
  },
  async claimsWithOthers({ open, id: subscriptionId, resourceSlug }) {
    const of = { subscriptionId, resourceSlug, quantity: 1 };
    const session = await open();
    const several = () => Array.from({ length: seats });
    await Promise.all(several().map(() => claimResource(session, of)));
    await Promise.all(several().map(() => releaseResource(session, of)));
  },
  async reserves({ open, id: subscriptionId, resourceSlug }) {
    const of = { subscriptionId, resourceSlug, quantity: seats };
    const { reservation } = await reserveResource(await open(), of);
    await releaseReservation(await open(), { id: reservation.id });
  },
  async uses({ open, id: subscriptionId, meterSlug: usageMeterSlug }) {
    const own = { subscriptionId, usageMeterSlug, transactionId: crypto.randomUUID() };
    const usageEvent = { ...own, amount: '1' };
    const recorded = await recordUsageEvent(await open(), { usageEvent } as never);
    const { startDate } = await stateOf(await open(), subscriptionId);
    expect(recorded.usageEvent.usageDate.getTime()).toBeGreaterThanOrEqual(startDate.getTime());
  },
  async pauses({ open, id }) {
    await pauseSubscription(await open(), { id, pause: { timing: 'immediately' } });
    await resumeSubscription(await open(), { id });
  },
  async cancels({ open, id }) {
    const cancellation = { timing: 'at_end_of_current_billing_period' } as const;
    await cancelSubscription(await open(), { id, cancellation });
    await uncancelSubscription(await open(), { id });
  },
};

const stateOf = async ({ em }: Session, id: string) =>
  (await em.fork().findOneOrFail(Subscription, id)) as Subscription;

test('no time goes back for a subscription, and it grants what it granted, however the clock of the database is set', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const { orm, databaseUrl } = database;
  await using time = await movableTime(databaseUrl);
  // Only new connections have the movable time.
  await orm.close(true);
  await orm.connect();
  const { session } = await aTenant(orm.em);
  const { em, apiKeyId, cause: _, ...scope } = session;
  const open = async () => {
    const now = await presentAfresh(orm.em);
    return openSession(em, { ...scope, now, clock: { latest: now } }, apiKeyId);
  };
  const seat = await aSeatFeature(await open(), seats);
  const other = await aSeatFeature(await open(), seats);
  const meter = await aUsageMeter(await open());

  const step = fc.record({
    ahead: fc.integer({ min: -6, max: 6 }),
    act: fc.constantFrom(...Object.keys(acts)),
  });
  await tried(
    'clock set back',
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      await time.set(7 * hour);
      const terms = { doNotCharge: true, featureIds: [seat.featureId] };
      const { id, customerId } = await aSubscription(await open(), terms);
      await addFeatureToSubscription(await open(), { id, featureId: other.featureId });
      const { resourceSlug } = seat;
      const subscriber = { open, id, customerId, resourceSlug, meterSlug: meter.slug };
      let last = await stateOf(await open(), id);
      for (const { ahead, act } of steps) {
        await time.set(ahead * hour);
        await acts[act]?.(subscriber);
        const present = await open();
        const next = await stateOf(present, id);
        expect(next.updatedAt.getTime()).toBeGreaterThanOrEqual(last.updatedAt.getTime());
        last = next;
        const usages = await resourceUsages(present, { subscriptionId: id });
        expect(usages).toMatchObject([seat, other].map(() => ({ capacity: seats, claimed: 0 })));
        const customer = await present.em.findOneOrFail(Customer, customerId);
        expect(await entitlementsOf(present, customer)).toHaveLength(2);
      }
      const [{ back }] = await em.fork().execute<[{ back: number }]>(
        `select count(*)::int as back from event e join event f on f.object_id = e.object_id
         and f.object_version = e.object_version + 1 where f.occurred_at < e.occurred_at`,
      );
      expect(back).toBe(0);
    }),
    { cases: 8, milliseconds: 2_000 },
  );
});
