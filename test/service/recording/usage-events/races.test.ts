// @module-tag long
import { LockMode } from '@mikro-orm/core';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Event } from '#domain/model/platform/event.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { replaceUsageEvent } from '#domain/recording/commands/usage-events/replace-usage-event.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { aSubscription, aUsageMeter, fresh } from '../../../support/factories.ts';
import { expectLedgersToAgree } from '../../../support/ledger.ts';
import { lockWaits } from '../../../support/servers/lock-waits.ts';
import { test as base } from '../../../support/test.ts';
import { advance, at, periodsOf } from '../../../support/timeline.ts';
import {
  aMeteredSubscription,
  availableOf,
  balanceOf,
  billsOf,
  grant,
  use,
  voidEvent,
} from '../../../support/usage.ts';

/** The ledgers agree with everything else at the end of each test. */
const test = base.extend('agreeing', { auto: true }, async ({ session }, { onCleanup }) => {
  onCleanup(() => expectLedgersToAgree(session));
});

/** A customer who uses something; who pays does not matter. */
async function aUser(session: Session, slug?: string) {
  const { id } = await aSubscription(session, { doNotCharge: true });
  return { id, slug: slug ?? (await aUsageMeter(session)).slug };
}

const range = (length: number) => Array.from({ length }, (_, place) => place);

const toldOf = async (session: Session) =>
  fresh(session).em.find(Event, { type: 'usage_event.recorded' }, { orderBy: { position: 'asc' } });

describe('events that come at the same time', () => {
  test('32 single events with overlapping transaction ids: each id counts once, and every caller gets its event', async ({
    session,
    api,
  }) => {
    const user = await aUser(session);
    const answers = await Promise.all(
      range(32).map((place) =>
        api('POST', '/usage-events', {
          usageEvent: {
            subscriptionId: user.id,
            usageMeterSlug: user.slug,
            transactionId: `t${place % 12}`,
            amount: 2 ** (place % 12),
          },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(32).fill(200));
    for (const [place, { body }] of answers.entries()) {
      expect(body.usageEvent).toMatchObject({
        transactionId: `t${place % 12}`,
        amount: 2 ** (place % 12),
      });
    }
    const repeats = answers.filter(({ headers }) => headers.get('usage-duplicates') === '1');
    expect(repeats).toHaveLength(20);
    expect(await availableOf(session, user)).toBe(-(2 ** 12 - 1));
    expect(await fresh(session).em.count(UsageEvent)).toBe(12);
  });

  test.for(['max', 'last', 'count'] as const)(
    'single events of a meter that takes their %s, written together, count as they do one by one',
    async (aggregationType, { session, api }) => {
      const user = await aMeteredSubscription(session, { aggregationType });
      const amounts = [3, 9, 5, 7, 2, 9, 4, 8];
      const answers = await Promise.all(
        amounts.map((amount, place) =>
          api('POST', '/usage-events', {
            usageEvent: {
              subscriptionId: user.id,
              usageMeterSlug: user.slug,
              transactionId: `t${place}`,
              usageDate: Date.UTC(2026, 0, 31, place),
              amount,
            },
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      const expected = { max: '9', last: '8', count: '8' };
      expect((await balanceOf(session, user))?.used).toBe(expected[aggregationType]);
    },
  );

  test('of callers with one transaction id for two subscriptions one half is refused, and no other client', async ({
    session,
    api,
  }) => {
    const one = await aUser(session);
    const other = await aUser(session, one.slug);
    const answers = await Promise.all(
      range(24).map((place) =>
        api('POST', '/usage-events', {
          usageEvent: {
            subscriptionId: place % 2 === 0 ? one.id : other.id,
            usageMeterSlug: one.slug,
            transactionId: place < 16 ? 'shared' : `own-${place}`,
            amount: 1,
          },
        }),
      ),
    );
    const shared = answers.slice(0, 16).map(({ status }) => status);
    expect(shared.filter((status) => status === 200)).toHaveLength(8);
    expect(shared.filter((status) => status === 400)).toHaveLength(8);
    expect(answers.slice(16).map(({ status }) => status)).toEqual(Array(8).fill(200));
    const counted = await Promise.all([one, other].map((user) => availableOf(session, user)));
    expect(counted.toSorted((a, b) => a - b)).toEqual([-5, -4]);
  });

  test('calls whose subscriptions, meters and transaction ids cross never wait in a circle, and add up', async ({
    session,
  }) => {
    const users = [await aUser(session), await aUser(session), await aUser(session)];
    const slugs = users.map(({ slug }) => slug);
    const call = (which: number) => {
      const events = range(60).map((place) => ({
        subscriptionId: users[(place + which) % 3]?.id ?? '',
        usageMeterSlug: slugs[(place + 2 * which) % 3] ?? '',
        transactionId:
          place % 5 === 0 ? `${(place + which) % 3} shared ${place}` : `${which} ${place}`,
        amount: '1',
      }));
      const usageEvents = which % 2 === 0 ? events : events.toReversed();
      return recordUsageEvents(fresh(session), { usageEvents: usageEvents as never });
    };
    const calls = await Promise.all(range(12).map(call));
    const recorded = calls.flatMap(({ repeated }) => repeated).filter((repeated) => !repeated);
    expect(await fresh(session).em.count(UsageEvent)).toBe(recorded.length);
    const balances = await Promise.all(
      users.flatMap(({ id }) =>
        slugs.map(async (slug) => Number((await balanceOf(session, { id, slug }))?.used ?? 0)),
      ),
    );
    expect(balances.reduce((sum, used) => sum + used, 0)).toBe(recorded.length);
  });

  test('usage, credits and corrections next to a boundary: all is counted once, in one period or the next', async ({
    session,
  }) => {
    const user = await aMeteredSubscription(session, { credits: 20 });
    const first = await use(session, user, ...range(10).map(() => 3));
    await Promise.all([
      ...range(8).map(() => use(session, user, 1, 2)),
      ...first.slice(0, 4).map(({ id }) => voidEvent(session, id)),
      grant(session, user, 7),
      advance(session, user.clockId, '2026-03-01'),
      ...range(4).map(() => use(session, user, 5)),
    ]);
    await advance(session, user.clockId, '2026-04-01');
    await advance(session, user.clockId, '2026-05-01');
    const bills = await billsOf(session, user);
    const billed = bills.map((bill) => Number(bill.split(' ')[0])).reduce((a, b) => a + b, 0);
    const used = 30 - 12 + 24 + 20;
    expect(billed).toBeGreaterThanOrEqual(used - 47);
    expect(billed).toBeLessThanOrEqual(used - 20);
    await expectLedgersToAgree(session);
  });
});

test('a clock that goes past the end of a period meanwhile takes usage, and corrections of it, into the next one', async ({
  session,
}) => {
  const user = await aMeteredSubscription(session, { doNotCharge: true });
  const [wrong] = await use(session, user, 1);
  const calls = await fresh(session).em.transactional(async (em) => {
    await em.findOneOrFail(TestClock, user.clockId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const right = { amount: '2', transactionId: 'right', usageDate: at('2026-03-05') };
    const replaced = { id: wrong?.id ?? '', usageEvent: right, reason: 'A mistake' };
    const calls = [
      use(session, user, 3).then(([event]) => event),
      replaceUsageEvent(fresh(session), replaced),
    ];
    await expect
      .poll(async () => (await em.execute<unknown[]>(lockWaits)).length, { interval: 5 })
      .toBe(calls.length);
    await em.nativeUpdate(TestClock, user.clockId, { frozenTime: at('2026-03-10') });
    return { calls };
  });
  const events = await Promise.all(calls.calls);
  const [, current] = await periodsOf(session, user.id);
  expect(events.map((event) => event?.billingPeriodId)).toEqual([current?.id, current?.id]);
});

test('readings of one instant: recording and corrections agree which one is the last', async ({
  session,
}) => {
  const user = await aMeteredSubscription(session, { aggregationType: 'last' });
  const usageDate = at('2026-01-31');
  const usedNow = async () => (await balanceOf(session, user))?.used;
  await use(session, user, { amount: '1', usageDate });
  await fresh(session).em.transactional(async (em) => {
    // It begins first, and locks the ledger last.
    await em.execute('select now()');
    await use(session, user, { amount: '9', usageDate });
    await use({ ...session, em }, user, { amount: '7', usageDate }, { amount: '8', usageDate });
  });
  expect(await usedNow()).toBe('9');
  const [another] = await use(session, user, { amount: '50', usageDate });
  expect(await usedNow()).toBe('50');
  await voidEvent(session, another?.id ?? '');
  expect(await usedNow()).toBe('9');
});

describe('the feed', () => {
  test('tells once for each call, subscription and meter what has been recorded in it', async ({
    session,
  }) => {
    const one = await aUser(session);
    const other = await aUser(session);
    const event = (user: typeof one, transactionId: string, amount: string) => ({
      subscriptionId: user.id,
      usageMeterSlug: user.slug,
      transactionId,
      amount,
    });
    const { events } = await recordUsageEvents(fresh(session), {
      usageEvents: [
        event(one, 'a', '1.5'),
        event(other, 'b', '10'),
        event(one, 'c', '2'),
        event(one, 'a', '99'),
        event({ ...one, slug: other.slug }, 'd', '0.000000001'),
      ] as never,
    });
    const [a, b, c, , d] = events.map(({ id }) => id);
    const told = (await toldOf(session)).map(({ data }) => data);
    expect(told).toHaveLength(3);
    expect(told).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          subscriptionId: one.id,
          count: 2,
          sum: 3.5,
          firstId: a,
          lastId: c,
        }),
        expect.objectContaining({
          subscriptionId: other.id,
          count: 1,
          sum: 10,
          firstId: b,
          lastId: b,
        }),
        expect.objectContaining({
          subscriptionId: one.id,
          count: 1,
          sum: 1e-9,
          firstId: d,
          lastId: d,
        }),
      ]),
    );
  });

  test('tells nothing of repeats, and of single events each by itself', async ({
    session,
    api,
  }) => {
    const user = await aUser(session);
    const send = (transactionId: string) =>
      api('POST', '/usage-events', {
        usageEvent: {
          subscriptionId: user.id,
          usageMeterSlug: user.slug,
          transactionId,
          amount: 1,
        },
      });
    await Promise.all(['a', 'b', 'a', 'c', 'b'].map(send));
    await send('a');
    const told = await toldOf(session);
    expect(told.map(({ data }) => data)).toMatchObject([{ count: 1 }, { count: 1 }, { count: 1 }]);
    expect(new Set(told.map(({ objectId }) => objectId)).size).toBe(3);
  });
});
