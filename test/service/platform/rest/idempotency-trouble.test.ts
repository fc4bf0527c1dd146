// @module-tag long
import pg from 'pg';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { connect } from '#server/database/database.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { anAdjustable } from '../../../support/adjustments.ts';
import { aCustomer, aPriceOf } from '../../../support/factories.ts';
import { aBusySubscription } from '../../../support/seats.ts';
import { lockWaits } from '../../../support/servers/lock-waits.ts';
import { aKey } from '../../../support/tenant.ts';
import { type Answer, apiOf, testAlone } from '../../../support/test.ts';
import { aMeteredSubscription } from '../../../support/usage.ts';

/** A second process on the same database. */
const test = testAlone('it changes the database or its connections')
  .extend('otherOrm', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const { databaseUrl } = database;
    const orm = await connect({ databaseUrl, poolSize: 20, statementTimeoutSeconds: 30 });
    onCleanup(() => orm.close(true));
    return orm;
  })
  .extend('other', ({ otherOrm, hub, tenant }) => {
    const parts = { orm: otherOrm, hub, logger: createLogger('silent'), production: false };
    return apiOf(createGateway({ ...parts, operationTimeLimitSeconds: 30 }), tenant.key);
  })
  .extend('outsider', async ({ database }, { onCleanup }) => {
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    onCleanup(() => client.end());
    return client;
  });

const under = (key: string) => ({ headers: { 'idempotency-key': key } });
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
const same = ({ status, body }: Answer) => ({ status, body });

/** Cancels what waits for a lock, once something does, as a time limit does. */
async function cancelWaiting(outsider: pg.Client) {
  const canceled = async () => {
    // A transaction sees the sessions of its first look until it clears that.
    await outsider.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await outsider.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount;
  };
  await expect.poll(canceled, { interval: 20 }).toBeGreaterThan(0);
}

const countOf = async (session: Session, table: string) => {
  const sql = `select count(*)::int as count from ${table} where pricing_model_id = ?`;
  const [{ count }] = await session.em
    .fork()
    .execute<[{ count: number }]>(sql, [session.pricingModelId]);
  return count;
};

/** The calls that wait for their subscription, and the table in which their effect is counted. */
const requests = {
  'POST /reservations': async (session: Session) => {
    const { subscriptionId, resourceSlug } = await aBusySubscription(session, 5);
    return {
      subscriptionId,
      path: '/reservations',
      body: { subscriptionId, resourceSlug, quantity: 2 },
      table: 'reservation',
    };
  },
  'POST /resource-claims/{id}/claim': async (session: Session) => {
    const { subscriptionId, resourceSlug } = await aBusySubscription(session, 5);
    const path = `/resource-claims/${subscriptionId}/claim`;
    return { subscriptionId, path, body: { resourceSlug, quantity: 1 }, table: 'resource_claim' };
  },
  'POST /usage-events': async (session: Session) => {
    const { id, slug } = await aMeteredSubscription(session);
    const usageEvent = {
      subscriptionId: id,
      usageMeterSlug: slug,
      amount: 1,
      transactionId: crypto.randomUUID(),
    };
    const body = { usageEvent };
    return { subscriptionId: id, path: '/usage-events', body, table: 'usage_event' };
  },
} as const;

describe('a request that trouble has ended before its commit', () => {
  test.for(Object.entries(requests))(
    '%s: a repeat of what did not happen happens at once',
    async ([, prepare], { api, session, outsider }) => {
      const { subscriptionId, path, body, table } = await prepare(session);
      await outsider.query('begin');
      await outsider.query('select 1 from subscription where id = $1 for update', [subscriptionId]);
      const first = api('POST', path, body, under('a'));
      await cancelWaiting(outsider);
      expect((await first).status).toBeGreaterThanOrEqual(500);
      await outsider.query('rollback');
      expect(await countOf(session, table)).toBe(0);
      expect(await countOf(session, 'idempotency_key')).toBe(0);

      const began = performance.now();
      const repeat = await api('POST', path, body, under('a'));
      expect(repeat.status).toBe(200);
      expect(replayed(repeat)).toBeNull();
      expect(performance.now() - began).toBeLessThan(2_000);
      const again = await api('POST', path, body, under('a'));
      expect(same(again)).toEqual(same(repeat));
      expect(replayed(again)).toBe('true');
      expect(await countOf(session, table)).toBe(1);
    },
  );

  test('an adjustment that waited for its subscription has not been made, and is by the repeat', async ({
    api,
    session,
    outsider,
  }) => {
    const it = await anAdjustable(session);
    await it.toDay(15);
    const adjustment = {
      timing: 'immediately',
      newSubscriptionItems: [{ priceId: await it.monthly(2_000) }],
    };
    await outsider.query('begin');
    await outsider.query('select 1 from subscription where id = $1 for update', [it.id]);
    const first = api('POST', `/subscriptions/${it.id}/adjust`, { adjustment }, under('a'));
    await cancelWaiting(outsider);
    expect((await first).status).toBeGreaterThanOrEqual(500);
    await outsider.query('rollback');
    expect((await it.charges()).length).toBe(1);
    const repeat = await api('POST', `/subscriptions/${it.id}/adjust`, { adjustment }, under('a'));
    expect(repeat).toMatchObject({ status: 200, body: { isUpgrade: true } });
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([1_000, 500]);
  });
});

test('boundaries that are due are crossed in transactions of their own before a keyed request', async ({
  api,
  session,
}) => {
  const it = await anAdjustable(session);
  await it.moveClockAlone(70);
  const path = `/subscriptions/${it.id}/cancel`;
  const body = { cancellation: { timing: 'immediately' } };
  const first = await api('POST', path, body, under('a'));
  expect(first).toMatchObject({ status: 200, body: { subscription: { status: 'canceled' } } });
  expect(replayed(first)).toBeNull();
  const again = await api('POST', path, body, under('a'));
  expect(same(again)).toEqual(same(first));
  const [{ transactions }] = await session.em.fork().execute<[{ transactions: number }]>(
    `select count(distinct e.transaction_id)::int as transactions from event e
     join billing_period p on p.id = e.object_id where p.subscription_id = ?`,
    [it.id],
  );
  // The first period, two boundaries, and the cancellation.
  expect(transactions).toBe(4);
});

describe('a process that dies while it charges', () => {
  test('leaves an adjustment that a repeat to another process continues with: charged once', async ({
    api,
    other,
    session,
    outsider,
  }) => {
    const it = await anAdjustable(session);
    await it.toDay(15);
    const adjustment = {
      timing: 'immediately',
      newSubscriptionItems: [{ priceId: await it.monthly(2_000) }],
    };
    const path = `/subscriptions/${it.id}/adjust`;
    await outsider.query('begin');
    await outsider.query('lock table sandbox_charge');
    // It hangs at the processor, with its first transaction committed, as if its process were frozen.
    const first = api('POST', path, { adjustment }, under('a'));
    await expect.poll(() => countOf(session, 'idempotency_key')).toBe(1);
    const repeat = other('POST', path, { adjustment }, under('a'));
    const waiting = async () => (await outsider.query(lockWaits)).rowCount;
    await expect.poll(waiting, { interval: 20 }).toBe(2);
    await outsider.query('rollback');
    const answers = await Promise.all([first, repeat]);
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 200,
        body: {
          isUpgrade: true,
          subscriptionItems: [{ unitPrice: 2_000 }],
        },
      });
    }
    expect((await it.charges()).map(({ amount }) => amount)).toEqual([1_000, 500]);
    const later = await api('POST', path, { adjustment }, under('a'));
    expect(replayed(later)).toBe('true');
    expect(later.body.subscriptionItems).toEqual(answers[0]?.body.subscriptionItems);
  });

  test('leaves a subscription that a repeat answers: there is one, and it is paid for once', async ({
    api,
    other,
    session,
    outsider,
  }) => {
    const { id: customerId } = await aCustomer(session);
    const { body: method } = await api('POST', '/payment-methods', {
      paymentMethod: { customerId, type: 'card', token: 'sandbox_success' },
    });
    const body = {
      customerId,
      priceId: await aPriceOf(session, { unitPrice: 700 }),
      defaultPaymentMethodId: method.paymentMethod.id,
    };
    await outsider.query('begin');
    await outsider.query('lock table sandbox_charge');
    const first = api('POST', '/subscriptions', body, under('a'));
    await expect.poll(() => countOf(session, 'payment')).toBe(1);
    const repeat = other('POST', '/subscriptions', body, under('a'));
    await expect
      .poll(async () => (await outsider.query(lockWaits)).rowCount)
      .toBeGreaterThanOrEqual(2);
    await outsider.query('rollback');
    const [one, two] = await Promise.all([first, repeat]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(two.body.subscription.id).toBe(one.body.subscription.id);
    expect(await countOf(session, 'payment')).toBe(1);
  });
});

describe('a request whose answer was lost', () => {
  test('is answered by every process and key as it was, also after the key was rotated', async ({
    api,
    other,
    session,
    graphql,
  }) => {
    const seats = { resource: { slug: 'seats', name: 'Seats' } };
    const first = await api('POST', '/resources', seats, under('a'));
    expect(same(await other('POST', '/resources', seats, under('a')))).toEqual(same(first));
    const { data } = await graphql(`mutation ($id: ID!) { rotateApiKey(id: $id) { token } }`, {
      id: session.apiKeyId,
    });
    const key = data.rotateApiKey.token ?? (await aKey(session, 'secret'));
    const repeat = await api('POST', '/resources', seats, { key, ...under('a') });
    expect(same(repeat)).toEqual(same(first));
    expect(await countOf(session, 'resource')).toBe(1);
  });

  test('of 8 at once to two processes one is executed, and all get its answer', async ({
    api,
    other,
    session,
  }) => {
    const seats = { resource: { slug: 'seats', name: 'Seats' } };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        (n % 2 ? api : other)('POST', '/resources', seats, under('a')),
      ),
    );
    for (const answer of answers) expect(same(answer)).toEqual(same(answers[0] as Answer));
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await countOf(session, 'resource')).toBe(1);
  });
});
