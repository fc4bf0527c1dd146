import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import type { SubscriptionStatus } from '#domain/model/subscriptions/subscription-statuses.ts';
import { fresh } from '../../../support/timeline.ts';

/** Where a status may go; the last one goes nowhere. */
const moves: Partial<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  trialing: ['active', 'past_due', 'cancellation_scheduled', 'canceled'],
  active: ['past_due', 'cancellation_scheduled', 'canceled'],
  past_due: ['active', 'cancellation_scheduled', 'canceled'],
  cancellation_scheduled: ['active', 'trialing', 'canceled'],
  incomplete: ['active', 'canceled'],
  canceled: [],
};

/** Everything of a tenant, read anew. */
async function read(session: Session) {
  const { em } = fresh(session);
  return {
    clocks: await em.find(TestClock, {}),
    customers: await em.find(Customer, {}, { orderBy: { externalId: 'asc' } }),
    subscriptions: await em.find(Subscription, {}),
    items: await em.find(SubscriptionItem, {}),
    periods: await em.find(
      BillingPeriod,
      {},
      { populate: ['items'], orderBy: { startDate: 'asc' } },
    ),
    events: await em.find(Event, {}, { orderBy: { position: 'asc' } }),
  };
}

type Read = Awaited<ReturnType<typeof read>>;

/** Checks what is true of a tenant at every moment; `arrived` when its clock has just been moved. */
export async function expectSound(session: Session, arrived: boolean) {
  const all = await read(session);
  const now = all.clocks[0]?.frozenTime as Date;
  expect(all.clocks).toMatchObject([{ status: 'ready', advancingTo: null }]);
  for (const { id } of all.customers) {
    const current = all.subscriptions.filter((one) => one.customerId === id && one.current);
    expect(current.length, 'current subscriptions of a customer').toBeLessThanOrEqual(1);
  }
  for (const subscription of all.subscriptions) {
    expectSoundPeriods(subscription, all.periods);
    if (arrived && subscription.transitionDueAt) {
      expect(subscription.transitionDueAt.getTime()).toBeGreaterThan(now.getTime());
    }
    if (!subscription.isTerminal) continue;
    expect(subscription).toMatchObject({
      transitionDueAt: null,
      cancelScheduledAt: expect.any(Date),
    });
    for (const item of all.items.filter(
      ({ subscriptionId }) => subscriptionId === subscription.id,
    )) {
      expect(item.expiredAt).toEqual(subscription.canceledAt);
    }
  }
  expectSoundEvents(all.events);
}

function expectSoundPeriods(subscription: Subscription, all: readonly BillingPeriod[]) {
  const periods = all.filter(({ subscriptionId }) => subscriptionId === subscription.id);
  const instants = periods.map(({ startDate, endDate }) => [
    startDate.getTime(),
    endDate.getTime(),
  ]);
  for (const [n, [start = 0, end = 0]] of instants.entries()) {
    const first = subscription.anchored ? start : subscription.billingCycleAnchorDate?.getTime();
    expect(start, 'starts where the one before ends').toBe(instants[n - 1]?.[1] ?? first);
    expect(end).toBeGreaterThanOrEqual(start);
  }
  const open = periods.filter(({ isTerminal, status }) => !isTerminal && status !== 'past_due');
  if (subscription.isTerminal) {
    expect(periods.filter(({ isTerminal }) => !isTerminal)).toEqual([]);
  } else if (periods.length > 0) {
    expect(open).toMatchObject([
      {
        status: 'active',
        id: periods.at(-1)?.id,
        startDate: subscription.currentBillingPeriodStart,
        endDate: subscription.currentBillingPeriodEnd,
      },
    ]);
    expect(subscription.transitionDueAt).toEqual(subscription.currentBillingPeriodEnd);
  }
}

/** One event for each object and transaction, its version greater than the one before, its status a move that is allowed. */
function expectSoundEvents(events: Read['events']) {
  const once = new Set<string>();
  const last = new Map<string, { version: number; status: unknown }>();
  for (const { objectId, objectVersion, objectType, transactionId, data } of events) {
    const key = `${transactionId} ${objectId}`;
    expect(once.has(key), `a second event of ${objectId} in one transaction`).toBe(false);
    once.add(key);
    const before = last.get(objectId);
    const status = data.status as SubscriptionStatus;
    if (before) expect(objectVersion).toBeGreaterThan(before.version);
    if (before && objectType === 'Subscription' && before.status !== status) {
      expect(moves[before.status as SubscriptionStatus], `from ${before.status}`).toContain(status);
    }
    last.set(objectId, { version: objectVersion, status });
  }
}

/** The state of a tenant without ids, and its events. */
export async function stateOf(session: Session) {
  const all = await read(session);
  const told = (id: string) =>
    all.events
      .filter(({ objectId }) => objectId === id)
      .map(({ type, occurredAt, objectVersion }) => [type, occurredAt, objectVersion]);
  const ordered = (rows: object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  return all.customers.map(({ id, externalId }) => ({
    externalId,
    subscriptions: ordered(
      all.subscriptions
        .filter(({ customerId }) => customerId === id)
        .map(({ id, status, name, canceledAt, cancelScheduledAt, cancellationReason, ...row }) => ({
          ...{ status, name, canceledAt, cancelScheduledAt, cancellationReason },
          ...{ starts: row.startDate, due: row.transitionDueAt, trialEnd: row.trialEnd },
          ...{ createdAt: row.createdAt, updatedAt: row.updatedAt, version: row.version },
          events: told(id),
          items: ordered(
            all.items
              .filter(({ subscriptionId }) => subscriptionId === id)
              .map((item) => [item.name, item.quantity, item.expiredAt, ...told(item.id)]),
          ),
          periods: all.periods
            .filter(({ subscriptionId }) => subscriptionId === id)
            .map(({ id, startDate, endDate, status, trialPeriod, createdAt, items }) => [
              ...[startDate, endDate, status, trialPeriod, createdAt, ...told(id)],
              ...items
                .getItems()
                .map(({ name, unitPrice, quantity }) => [name, unitPrice, quantity]),
            ]),
        })),
    ),
  }));
}
