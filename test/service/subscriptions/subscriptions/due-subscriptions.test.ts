// @module-tag long
import { expect } from 'vitest';
import { jobs } from '#cron/jobs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Event } from '#domain/model/platform/event.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { connect } from '#server/database/database.ts';
import {
  aCustomer,
  aPaymentMethod,
  aSubscription,
  aTestClock,
} from '../../../support/factories.ts';
import { aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';
import {
  aTimedSubscription,
  at,
  eventsOf,
  fresh,
  periodsOf,
  storyOf,
  subscriptionOf,
  subscriptionsOf,
} from '../../../support/timeline.ts';

/** Runs a scheduled job as of an instant, over every tenant of this file's database. */
const test = testAlone('it runs jobs, which work for all organizations').extend(
  'run',
  ({ database }) =>
    (name: string, now: Date) => {
      const job = jobs.find((job) => job.name === name);
      const parts = {
        eventDays: 30,
        auditDays: 0,
        usageEventMonths: 0,
        checkoutDays: 14,
        processorEventDays: 35,
        sessionDays: 30,
        cronRunDays: 7,
        deliverer: { sweep: async () => 0 },
        mailer: { sweep: async () => 0 },
        mailDays: 90,
        onFailure(error: unknown) {
          throw error;
        },
      };
      return job?.run({ em: database.orm.em.fork(), now, runId: job.name, ...parts });
    },
);

/** A paying customer who subscribes in real time, which it is `now` for. */
async function aSubscriptionAt(session: Session, now: string) {
  const then = fresh(session, at(now));
  const customer = await aCustomer(then);
  await aPaymentMethod(then, customer.id);
  const { id } = await aSubscription(then, { customerId: customer.id });
  return id;
}

const transition = 'transition-billing-periods';

/** Puts something in the way of a subscription's next period; answers how to take it away. */
async function breakNextPeriod(session: Session, id: string) {
  const { em } = fresh(session);
  const { customerId, currentBillingPeriodEnd } = await em.findOneOrFail(Subscription, id);
  const startDate = new Date((currentBillingPeriodEnd?.getTime() ?? 0) + 1_000);
  const endDate = new Date(startDate.getTime() + 1_000);
  const block = em.create(BillingPeriod, { subscription: id, customerId, startDate, endDate });
  await em.flush();
  return () => fresh(session).em.nativeDelete(BillingPeriod, { id: block.id });
}

test('a scheduler that was away for 14 months catches up, period by period', async ({
  session,
  run,
}) => {
  const id = await aSubscriptionAt(session, '2024-12-31');
  // The free plan that gave way has nothing to catch up with.
  expect(await run(transition, at('2026-02-28'))).toBe('14 boundaries crossed');
  const story = await storyOf(session, id);
  expect(story).toHaveLength(15);
  expect(story.slice(0, 3)).toEqual([
    '2024-12-31 2025-01-31 completed',
    '2025-01-31 2025-02-28 past_due',
    '2025-02-28 2025-03-31 past_due',
  ]);
  expect(story.at(-1)).toBe('2026-02-28 2026-03-31 active');
  expect(await run(transition, at('2026-02-28'))).toBe('0 boundaries crossed');
  const [, , ...events] = await eventsOf(session, id);
  expect(events).toHaveLength(14);
  expect(events.every(({ causeId }) => causeId === transition)).toBe(true);
});

test('the same boundary, asked for by 4 processes at once, is crossed once', async ({
  database,
  session,
}) => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await aSubscriptionAt(session, '2025-10-31'));
  const { databaseUrl } = database;
  const processes = await Promise.all(
    [1, 2, 3, 4].map(() => connect({ databaseUrl, poolSize: 5, statementTimeoutSeconds: 30 })),
  );
  const crossed = await Promise.all(
    processes.map(({ em }) => transitionDueSubscriptions(em, at('2026-02-10'), 'race')),
  );
  await Promise.all(processes.map((orm) => orm.close()));
  expect(crossed.reduce((sum, count) => sum + count)).toBe(5 * 3);
  for (const id of ids) {
    expect((await storyOf(session, id)).map((period) => period.slice(0, 21))).toEqual([
      '2025-10-31 2025-11-30',
      '2025-11-30 2025-12-31',
      '2025-12-31 2026-01-31',
      '2026-01-31 2026-02-28',
    ]);
    expect((await periodsOf(session, id)).map(({ items }) => items.length)).toEqual([1, 1, 1, 1]);
    const versions = (await eventsOf(session, id)).map(({ objectVersion }) => objectVersion);
    // Begun, paid for, and three boundaries.
    expect(versions).toHaveLength(5);
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
  }
});

test('every tenant has its turn, and each row stays its own', async ({
  database,
  session,
  run,
}) => {
  const { session: other } = await aTenant(database.orm.em);
  const ids = [
    await aSubscriptionAt(session, '2025-06-15'),
    await aSubscriptionAt(other, '2025-06-15'),
  ];
  await run(transition, at('2025-07-20'));
  for (const [tenant, id] of [session, other].map((tenant, n) => [tenant, ids[n] ?? ''] as const)) {
    expect(await storyOf(tenant, id)).toHaveLength(2);
    const { pricingModelId } = tenant;
    for (const { data } of await fresh(tenant).em.find(Event, { type: 'billing_period.created' })) {
      expect(data).toMatchObject({ pricingModelId });
    }
  }
});

test('who lives by a test clock is left alone by the time of everybody else', async ({
  session,
  run,
}) => {
  const { id } = await aTimedSubscription(session, { paid: true });
  await run(transition, at('2027-01-31'));
  expect(await storyOf(session, id)).toEqual(['2026-01-31 2026-02-28 active']);
});

test('a subscription that fails is reported, and delays no other', async ({ session, run }) => {
  const broken = await aSubscriptionAt(session, '2025-03-01');
  const others = [
    await aSubscriptionAt(session, '2025-03-02'),
    await aSubscriptionAt(session, '2025-03-03'),
  ];
  const mend = await breakNextPeriod(session, broken);
  await expect(run(transition, at('2025-05-10'))).rejects.toThrow(broken);
  for (const id of others) expect(await storyOf(session, id)).toHaveLength(3);
  await mend();
  expect(await storyOf(session, broken)).toHaveLength(1);
  expect(await run(transition, at('2025-05-10'))).toBe('2 boundaries crossed');
});

test('advance-test-clocks carries on with a clock that was left on its way', async ({
  session,
  run,
}) => {
  const { clockId, id } = await aTimedSubscription(session, { paid: true });
  const left = await advanceTestClock(
    fresh(session),
    { id: clockId, frozenTime: at('2026-12-01') },
    AbortSignal.abort(),
  );
  expect(left).toMatchObject({ status: 'advancing', advancingTo: at('2026-12-01') });
  expect(await storyOf(session, id)).toHaveLength(2);
  expect(await run('advance-test-clocks', new Date())).toBe('1 clocks advanced');
  expect(await fresh(session).em.findOneOrFail(TestClock, clockId)).toMatchObject({
    status: 'ready',
    frozenTime: at('2026-12-01'),
    advancingTo: null,
  });
  expect(await storyOf(session, id)).toHaveLength(11);
  expect(await run('advance-test-clocks', new Date())).toBe('0 clocks advanced');
});

test('a clock that cannot continue is reported, and delays no other one', async ({
  session,
  run,
}) => {
  const stuck = await aTimedSubscription(session, { paid: true });
  const moving = await aTimedSubscription(session, { paid: true });
  const clocks = [stuck.clockId, moving.clockId];
  for (const id of clocks) {
    const frozenTime = at('2026-12-01');
    await advanceTestClock(fresh(session), { id, frozenTime }, AbortSignal.abort());
  }
  const mend = await breakNextPeriod(session, stuck.id);
  await expect(run('advance-test-clocks', new Date())).rejects.toThrow(stuck.clockId);
  expect(await storyOf(session, moving.id)).toHaveLength(11);
  expect((await subscriptionOf(session, stuck.id)).status).toBe('active');
  await mend();
  expect(await run('advance-test-clocks', new Date())).toBe('1 clocks advanced');
});

test('of those who are due at the very instant that a clock is sent to, none is left out', async ({
  session,
}) => {
  const clock = await aTestClock(session, at('2026-01-31'));
  const customers = [];
  for (let n = 0; n < 3; n++) {
    customers.push((await aCustomer(session, { testClockId: clock.id })).id);
  }
  await advanceTestClock(fresh(session), { id: clock.id, frozenTime: at('2026-02-28') });
  for (const customer of customers) {
    const [free] = await subscriptionsOf(session, customer);
    expect(await storyOf(session, free?.id ?? '')).toHaveLength(2);
  }
});

test('a clock takes the customers that it has in the order of what is due', async ({ session }) => {
  const clock = await aTestClock(session, at('2026-01-31'));
  const due: string[] = [];
  for (const interval of ['month', 'week', 'day'] as const) {
    const customer = await aCustomer(session, { testClockId: clock.id });
    await aSubscription(session, { customerId: customer.id, doNotCharge: true, interval });
    due.push(customer.id);
  }
  const frozenTime = at('2026-03-02');
  await advanceTestClock(fresh(session), { id: clock.id, frozenTime });
  const opened = await fresh(session).em.find(
    Event,
    { type: 'billing_period.created', customerId: { $in: due } },
    { orderBy: { position: 'asc' } },
  );
  const instants = opened.map(({ occurredAt }) => occurredAt.getTime());
  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
  for (const [n, periods] of [2, 5, 31].entries()) {
    const subscriptions = await subscriptionsOf(session, due[n] ?? '');
    const current = subscriptions.find(({ current }) => current)?.id ?? '';
    expect(await periodsOf(session, current)).toHaveLength(periods);
  }
});
