// @module-tag long
import { describe, expect } from 'vitest';
import { DomainError } from '#domain/kernel/errors.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { test as base } from '../../../support/test.ts';
import { advance, at, periodsOf } from '../../../support/timeline.ts';
import {
  aMeteredSubscription,
  availableOf,
  balanceOf,
  billsOf,
  creditsOf,
  owedOf,
  use,
  voidEvent,
} from '../../../support/usage.ts';

/** The ledgers agree with everything else at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectLedgersToAgree(session));
});

describe('usage that is reported late', () => {
  test('counts for the period of its date while that has not been billed', async ({ session }) => {
    const user = await aMeteredSubscription(session, { doNotCharge: true, credits: 10 });
    await advance(session, user.clockId, '2026-03-01');
    const [earlier, current] = await periodsOf(session, user.id);
    const late = { amount: '25', usageDate: at('2026-02-10') };
    const events = await use(session, user, late, 3, { amount: '1', usageDate: at('2020-01-01') });
    expect(events.map(({ billingPeriodId }) => billingPeriodId)).toEqual([
      earlier?.id,
      current?.id,
      current?.id,
    ]);
    expect(await balanceOf(session, user)).toMatchObject({ used: '4', remaining: '6' });
    expect((await creditsOf(session, user)).map(({ expired }) => expired)).toEqual(['0', '0']);
    expect(await owedOf(session, user)).toEqual(['15']);
  });

  test('counts for the current period when the one of its date has been billed', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { credits: 10 });
    await use(session, user, 30);
    await advance(session, user.clockId, '2026-03-01');
    const [, current] = await periodsOf(session, user.id);
    const [late] = await use(session, user, { amount: '25', usageDate: at('2026-02-10') });
    expect(late?.billingPeriodId).toBe(current?.id);
    await advance(session, user.clockId, '2026-04-01');
    expect(await billsOf(session, user)).toEqual(['20 cost 4, paid', '15 cost 3, paid']);
  });

  test('a period ends with the instant before its end: usage of that very instant is of the next one', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { doNotCharge: true });
    await advance(session, user.clockId, '2026-03-01');
    const [earlier, current] = await periodsOf(session, user.id);
    const end = earlier?.endDate as Date;
    const events = await use(
      session,
      user,
      { amount: '1', usageDate: end },
      { amount: '1', usageDate: new Date(end.getTime() - 1) },
      { amount: '1', usageDate: earlier?.startDate as Date },
      { amount: '1', usageDate: at('2026-03-01T10:05:00Z') },
    );
    expect(events.map(({ billingPeriodId }) => billingPeriodId)).toEqual([
      current?.id,
      earlier?.id,
      earlier?.id,
      current?.id,
    ]);
  });

  test('usage that comes before the boundary is worked off still counts for its period, and is billed', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    await use(session, user, 100);
    await advance(session, user.clockId, '2026-02-28T09:59:59.999Z');
    await use(session, user, 10);
    await advance(session, user.clockId, '2026-02-28T10:00:00.000Z');
    expect(await billsOf(session, user)).toEqual(['110 cost 22, paid']);
    await use(session, user, 20);
    await advance(session, user.clockId, '2026-04-01');
    expect(await billsOf(session, user)).toEqual(['110 cost 22, paid', '20 cost 4, paid']);
  });
});

describe('usage that is voided', () => {
  test('before it is billed: never is on an invoice, and credits have it back', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { credits: 100 });
    const [event] = await use(session, user, 150);
    await use(session, user, 30);
    await voidEvent(session, event?.id ?? '');
    expect(await balanceOf(session, user)).toEqual({
      available: '70',
      used: '30',
      granted: '100',
      remaining: '70',
      overage: '0',
    });
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual([]);
  });

  test('after it is billed: the next invoice makes up for it, also beyond what is used', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid']);
    await voidEvent(session, event?.id ?? '');
    expect(await availableOf(session, user)).toBe(100);
    await use(session, user, 30);
    await advance(session, user.clockId, '2026-04-01');
    const bills = ['100 cost 20, paid', '-70 cost -14, paid'];
    expect(await billsOf(session, user)).toEqual(bills);
    await use(session, user, 90);
    await advance(session, user.clockId, '2026-05-01');
    expect(await billsOf(session, user)).toEqual([...bills, '90 cost 18, paid']);
    expect(await owedOf(session, user)).not.toContain('-100');
    const voided = await fresh(session).em.findOneOrFail(UsageEvent, event?.id ?? '');
    expect(voided.voidedAfterBilling).toBe(true);
  });

  test('after its period has ended and before that is billed: it owes less', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { doNotCharge: true });
    const [event] = await use(session, user, 100, 20);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, event?.id ?? '');
    expect((await owedOf(session, user)).map(Number)).toEqual([120, -100]);
    expect(await availableOf(session, user)).toBe(-20);
  });

  test('credits that have run out since do not come back', async ({ session }) => {
    const user = await aMeteredSubscription(session, { credits: 100 });
    const [event] = await use(session, user, 60);
    await advance(session, user.clockId, '2026-03-01');
    await voidEvent(session, event?.id ?? '');
    expect(await availableOf(session, user)).toBe(100);
    expect((await creditsOf(session, user)).map(({ expired }) => Number(expired))).toEqual([
      100, 0,
    ]);
  });

  test('taking the same event back many times at once counts once', async ({ session }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => voidEvent(session, event?.id ?? '')),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DomainError);
    }
    expect(await availableOf(session, user)).toBe(0);
  });
});

describe('usage that is replaced', () => {
  test('after it is billed: the new event counts for its period, and the difference is billed', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 100);
    await advance(session, user.clockId, '2026-03-01');
    const replacement = await replaceUsageEvent(fresh(session), {
      id: event?.id ?? '',
      usageEvent: { amount: '130', transactionId: 'right' },
      reason: 'Too little',
    });
    expect(replacement.billingPeriodId).toBe(event?.billingPeriodId);
    expect(replacement.usageDate).toEqual(event?.usageDate);
    expect(await availableOf(session, user)).toBe(-30);
    await advance(session, user.clockId, '2026-04-01');
    expect(await billsOf(session, user)).toEqual(['100 cost 20, paid', '30 cost 6, paid']);
  });

  test('the feed tells which event counts in its place', async ({ session, graphql }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 5);
    const { id } = await replaceUsageEvent(fresh(session), {
      id: event?.id ?? '',
      usageEvent: { amount: '7', transactionId: 'right' },
      reason: 'Too little',
    });
    const { data } = await graphql('{ events(first: 100) { nodes { type data } } }');
    const told = data.events.nodes.filter(({ type }: { type: string }) =>
      type.startsWith('usage_event.'),
    );
    expect(told).toMatchObject([
      { type: 'usage_event.recorded', data: { firstId: event?.id, sum: 5 } },
      {
        type: 'usage_event.replaced',
        data: { id: event?.id, amount: 5, voidReason: 'Too little', replacedById: id },
      },
      { type: 'usage_event.recorded', data: { firstId: id, sum: 7 } },
    ]);
  });
});
