import { describe, expect } from 'vitest';
import {
  addUsageEventMonths,
  detachUsageEventMonths,
} from '#domain/recording/commands/usage-events/usage-event-months.ts';
import { testAlone } from '../../../support/test.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

const test = testAlone('it changes the database or its connections');

const at = (date: string) => new Date(`${date}T03:00:00Z`);

describe('months of usage events', () => {
  test('are made two ahead, once', async ({ session }) => {
    expect(await addUsageEventMonths(session.em, at('2031-11-15'))).toBe(3);
    expect(await addUsageEventMonths(session.em, at('2031-11-16'))).toBe(0);
    expect(await addUsageEventMonths(session.em, at('2031-12-01'))).toBe(1);
    expect(await namesOf(session)).toEqual(
      expect.arrayContaining(['usage_event_2031_11', 'usage_event_2032_02']),
    );
  });

  test('take the events over that came before there was a month for them', async ({
    session,
    api,
  }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 5);
    // As if it had been recorded in a month without a partition.
    await session.em.execute(`update usage_event set recorded_at = '2033-05-09' where id = ?`, [
      event?.id,
    ]);
    await session.em.execute(`update usage_event_key set recorded_at = '2033-05-09' where id = ?`, [
      event?.id,
    ]);
    const rest = () => session.em.execute('select id from usage_event_rest');
    expect(await rest()).toEqual([{ id: event?.id }]);
    await addUsageEventMonths(session.em, at('2033-05-10'));
    expect(await rest()).toEqual([]);
    expect(await api('GET', `/usage-events/${event?.id}`)).toMatchObject({ status: 200 });
  });

  test('are put away when they are old: no longer listed or counted, and still never counted twice', async ({
    session,
    api,
  }) => {
    const user = await aMeteredSubscription(session);
    const [event] = await use(session, user, 7);
    await use(session, user, 8);
    await addUsageEventMonths(session.em, at('2021-01-10'));
    for (const table of ['usage_event', 'usage_event_key']) {
      await session.em.execute(`update ${table} set recorded_at = '2021-01-09' where id = ?`, [
        event?.id,
      ]);
    }
    const now = new Date();
    expect(await detachUsageEventMonths(session.em, now, 12)).toContain('usage_event_2021_01');
    expect(await detachUsageEventMonths(session.em, now, 12)).toEqual([]);
    expect((await api('GET', '/usage-events')).body).toMatchObject({ total: 1, hasMore: false });
    expect(await api('GET', `/usage-events/${event?.id}`)).toMatchObject({ status: 404 });
    const again = {
      subscriptionId: user.id,
      usageMeterSlug: user.slug,
      amount: 7,
      transactionId: event?.transactionId,
    };
    const repeated = await api('POST', '/usage-events', { usageEvent: again });
    expect(repeated).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringContaining('archived usage') }] },
    });
  });
});

const namesOf = async ({ em }: Parameters<typeof aMeteredSubscription>[0]) =>
  (
    await em.execute<{ name: string }[]>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'usage_event'::regclass`,
    )
  ).map(({ name }) => name);
