import { LockMode } from '@mikro-orm/core';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { deleteTestClock } from '#domain/platform/commands/test-clocks/delete-test-clock.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { aSubscription, aUsageMeter, fresh } from '../../../support/factories.ts';
import { lockWaits } from '../../../support/servers/lock-waits.ts';
import { test } from '../../../support/test.ts';
import { aTimedSubscription } from '../../../support/timeline.ts';
import { balanceOf } from '../../../support/usage.ts';

let transactions = 0;

/** A bulk call of some events of one subscription. */
function bulk(session: Session, subscriptionId: string, slug: string, ids?: readonly string[]) {
  const transactionIds = ids ?? [`together-${transactions++}`, `together-${transactions++}`];
  return recordUsageEvents(fresh(session), {
    usageEvents: transactionIds.map((transactionId) => ({
      subscriptionId,
      usageMeterSlug: slug,
      transactionId,
      amount: '2',
    })),
  });
}

async function users(session: Session, count: number) {
  const { slug } = await aUsageMeter(session);
  const subscriptions = await Promise.all(
    Array.from({ length: count }, () => aSubscription(session, { doNotCharge: true })),
  );
  return { slug, ids: subscriptions.map(({ id }) => id) };
}

test('a repeat among new events leaves the ledger of its subscription as it is', async ({
  session,
}) => {
  const { slug, ids } = await users(session, 2);
  const [one = '', other = ''] = ids;
  await bulk(session, one, slug, ['repeated']);
  const versions = () =>
    session.em.execute<{ id: string; version: number }[]>(
      'select subscription_id as id, version from usage_meter_balance order by id',
    );
  await bulk(session, other, slug, ['first']);
  const before = new Map((await versions()).map(({ id, version }) => [id, version]));
  const event = { usageMeterSlug: slug, amount: '2' };
  const { repeated } = await recordUsageEvents(fresh(session), {
    usageEvents: [
      { ...event, subscriptionId: one, transactionId: 'repeated' },
      { ...event, subscriptionId: other, transactionId: 'second' },
    ],
  });
  expect(repeated).toEqual([true, false]);
  const after = new Map((await versions()).map(({ id, version }) => [id, version]));
  expect(after.get(one)).toBe(before.get(one));
  expect(after.get(other)).toBe((before.get(other) ?? 0) + 1);
});

describe('bulk calls that come at the same time', () => {
  test('are recorded each for itself: who names the event of another client is refused alone', async ({
    session,
  }) => {
    const { slug, ids } = await users(session, 8);
    await bulk(session, ids[0] ?? '', slug, ['taken']);
    const outcomes = await Promise.allSettled(
      ids.map((id, place) => bulk(session, id, slug, place === 3 ? ['free', 'taken'] : undefined)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      ids.map((_, place) => (place === 3 ? 'rejected' : 'fulfilled')),
    );
    expect(outcomes[3]).toMatchObject({ reason: { code: 'BAD_REQUEST' } });
    const used = await Promise.all(
      ids.map(async (id) => Number((await balanceOf(session, { id, slug }))?.used ?? 0)),
    );
    expect(used).toEqual([6, 4, 4, 0, 4, 4, 4, 4]);
  });

  test('are recorded when the subscription of another one goes with its test clock', async ({
    session,
  }) => {
    const { slug, ids } = await users(session, 3);
    const gone = await aTimedSubscription(session, { doNotCharge: true });
    const calls: Promise<unknown>[] = [];
    await fresh(session).em.transactional(async (em) => {
      await em.findOneOrFail(TestClock, gone.clockId, { lockMode: LockMode.PESSIMISTIC_WRITE });
      // The first occupies one worker, and the others are put together behind it.
      for (const id of [gone.id, gone.id, ...ids])
        calls.push(bulk(session, id, slug).catch((error) => error.code));
      await expect
        .poll(
          async () => {
            return (await em.execute<unknown[]>(lockWaits)).length;
          },
          { interval: 5 },
        )
        .toBeGreaterThan(0);
      await deleteTestClock({ ...session, em }, { id: gone.clockId });
    });
    const outcomes = await Promise.all(calls);
    expect(outcomes.slice(2)).toMatchObject(ids.map(() => ({ repeated: [false, false] })));
    for (const code of outcomes.slice(0, 2)) expect(['NOT_FOUND', 'BAD_REQUEST']).toContain(code);
  });

  test('are one change of their ledger, and each has its own event of the feed', async ({
    session,
  }) => {
    const { slug, ids } = await users(session, 1);
    const [id = ''] = ids;
    const calls: Promise<unknown>[] = [];
    await fresh(session).em.transactional(async (em) => {
      await em.execute('select id from subscription where id = ? for update', [id]);
      // The first two occupy the workers, and the others are put together behind them.
      for (let call = 0; call < 6; call++) calls.push(bulk(session, id, slug));
      await expect.poll(() => waitingIn(session), { interval: 5 }).toBeGreaterThan(0);
    });
    const recorded = (await Promise.all(calls)) as { events: readonly { id: string }[] }[];
    const { em } = session;
    const postings = await em.execute<{ usage: string }[]>(
      `select l.usage from ledger_transaction l join usage_meter_balance b on b.id = l.balance_id
       where b.subscription_id = ?`,
      [id],
    );
    expect(postings.length).toBeLessThan(calls.length);
    expect(postings.reduce((sum, { usage }) => sum + Number(usage), 0)).toBe(24);
    const told = await em.execute<{ object_id: string; count: number }[]>(
      `select object_id, (data ->> 'count')::int as count from event
       where type = 'usage_event.recorded' and data ->> 'subscriptionId' = ?`,
      [id],
    );
    expect(new Map(told.map(({ object_id, count }) => [object_id, count]))).toEqual(
      new Map(recorded.map(({ events }) => [events[0]?.id, 2])),
    );
  });
});

async function waitingIn({ em }: Session): Promise<number> {
  return (await em.fork().execute<unknown[]>(lockWaits)).length;
}
