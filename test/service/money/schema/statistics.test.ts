import { createClient } from 'graphql-ws';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { startServer } from '#server/server.ts';
import { aCustomer, aPaymentMethod, aSubscription, fresh } from '../../../support/factories.ts';
import { aTenant } from '../../../support/tenant.ts';
import { graphqlOf, test } from '../../../support/test.ts';
import { advance } from '../../../support/timeline.ts';
import { aMeteredSubscription, voidEvent } from '../../../support/usage.ts';

const today = () => ({
  from: new Date(Date.now() - 86_400_000).toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
});

const usageFields = `usageMeter { id slug } value isOthers points { start end usage events }`;
const usage = (operation: string, name: string) =>
  `${operation}($subscription: ID, $customer: ID, $usageMeter: ID, $from: Timestamp!, $to: Timestamp!, $groupBy: String, $groups: Int) {
    ${name}(subscription: $subscription, customer: $customer, usageMeter: $usageMeter, from: $from, to: $to,
      interval: month, groupBy: $groupBy, groups: $groups) { ${usageFields} } }`;
const time = '$from: Timestamp!, $to: Timestamp!';
const asked = 'from: $from, to: $to, interval: month';
const mrrFields = `currency product { name } isOthers points { mrrAtStart new churn mrrAtEnd newCustomers
  churnedCustomers customersAtEnd customerChurnRate revenueChurnRate }`;
const mrr = `query(${time}, $byProduct: Boolean) { mrrMovements(${asked}, byProduct: $byProduct) { ${mrrFields} } }`;
const counts = `query(${time}) { subscriptionCounts(${asked}) {
  present { status count } points { start counts { status count } } } }`;
const recovery = `query(${time}) { paymentRecovery(${asked}) { currency points {
  failed { count amount } recovered { count amount } open { count amount } lost { count amount } recoveryRate } } }`;

const record = (
  session: Parameters<typeof fresh>[0],
  user: { id: string; slug: string },
  ...uses: { amount: string; properties?: object }[]
) =>
  recordUsageEvents(fresh(session), {
    usageEvents: uses.map((use) => ({
      subscriptionId: user.id,
      usageMeterSlug: user.slug,
      transactionId: crypto.randomUUID(),
      usageDate: new Date(),
      ...use,
    })) as never,
  });

describe('statistics', () => {
  test('usage is shown by the values of a property, the rest as others', async ({
    session,
    graphql,
  }) => {
    const user = await aMeteredSubscription(session, { from: new Date().toISOString() });
    const of = (model: string, amount: string) => ({ amount, properties: { model } });
    await record(session, user, of('a', '1.5'), of('a', '2'), of('b', '4'), of('b', '1'));
    await record(session, user, of('c', '8'), { amount: '16' });
    const input = { ...today(), subscription: user.id, groupBy: 'model', groups: 2 };
    const { data, errors } = await graphql(usage('query', 'usageOverTime'), input);
    expect(errors).toBeUndefined();
    const shown = data.usageOverTime.map(
      (one: { value: string; isOthers: boolean; points: { usage: number }[] }) => [
        one.value,
        one.isOthers,
        one.points.reduce((sum, { usage }) => sum + usage, 0),
      ],
    );
    expect(shown).toEqual([
      ['a', false, 3.5],
      ['b', false, 5],
      [null, true, 24],
    ]);
  });

  test('a new customer that leaves again is new and churns, and its statuses are counted', async ({
    session,
    graphql,
  }) => {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId);
    const { id } = await aSubscription(session, { customerId });
    const totals = async (byProduct: boolean) =>
      (await graphql(mrr, { ...today(), byProduct })).data.mrrMovements.map(
        ({ product, points }: { product: { name: string }; points: object[] }) => [
          product?.name ?? null,
          points.at(-1),
        ],
      );
    const paying = { mrrAtEnd: 1_000, new: 1_000, newCustomers: 1, customersAtEnd: 1 };
    expect(await totals(false)).toMatchObject([[null, paying]]);
    expect(await totals(true)).toMatchObject([['Pro', paying]]);
    const cancellation = { timing: 'immediately' } as const;
    await cancelSubscription(fresh({ ...session, now: new Date() }), { id, cancellation });
    const gone = { mrrAtEnd: 0, churn: 1_000, churnedCustomers: 1, customersAtEnd: 0 };
    expect(await totals(false)).toMatchObject([[null, gone]]);
    const { data } = await graphql(counts, today());
    const { present, points } = data.subscriptionCounts;
    expect(points.at(-1).counts).toEqual(present);
    expect(present).toContainEqual({ status: 'canceled', count: 2 });
    expect(present).toContainEqual({ status: 'active', count: 1 });
  });

  test('a failed first payment is lost with its subscription, which has never had MRR', async ({
    session,
    graphql,
  }) => {
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId, { token: 'sandbox_decline_expired_card' });
    await aSubscription(session, { customerId });
    const { data } = await graphql(recovery, today());
    const one = { count: 1, amount: 1_000 };
    expect(data.paymentRecovery).toHaveLength(1);
    expect(data.paymentRecovery[0].points.at(-1)).toMatchObject({
      failed: one,
      lost: one,
      recoveryRate: 0,
    });
    const moved = (await graphql(mrr, today())).data.mrrMovements[0].points.at(-1);
    expect(moved).toMatchObject({ new: 0, churn: 0, newCustomers: 0, churnedCustomers: 0 });
  });

  test('another tenant’s objects are unknown, and its numbers are not counted', async ({
    session,
    graphql,
    database,
  }) => {
    const other = (await aTenant(database.orm.em)).session;
    const user = await aMeteredSubscription(other, { from: new Date().toISOString() });
    await record(other, user, { amount: '1' });
    for (const scope of [
      { subscription: user.id },
      { customer: user.customerId },
      { usageMeter: user.meterId },
    ]) {
      const { errors } = await graphql(usage('query', 'usageOverTime'), { ...today(), ...scope });
      expect(errors[0].extensions.code).toBe('NOT_FOUND');
    }
    const { data } = await graphql(mrr, { ...today(), to: '2027-01-01' });
    expect(data.mrrMovements[0].points.at(-1)).toMatchObject({ mrrAtEnd: 0, customersAtEnd: 0 });
    const { data: counted } = await graphql(counts, today());
    expect(
      counted.subscriptionCounts.present.every(({ count }: { count: number }) => count === 0),
    ).toBe(true);
    await aCustomer(session);
  });

  test('a customer token sees the usage of its customer, also of a meter that others use', async ({
    session,
    graphql,
    gateway,
  }) => {
    const user = await aMeteredSubscription(session, { from: new Date().toISOString() });
    const other = await aSubscription(session);
    const { slug, meterId: usageMeter } = user;
    await record(session, user, { amount: '1.5', properties: { model: 'a' } });
    await record(session, { id: other.id, slug }, { amount: '64', properties: { model: 'b' } });
    const { data } = await graphql(
      `mutation { createCustomerToken(customer: "${user.customerId}") { token } }`,
    );
    const own = graphqlOf(gateway, data.createCustomerToken.token);
    const document = usage('query', 'usageOverTime');
    for (const scope of [
      { subscription: user.id },
      { customer: user.customerId },
      { usageMeter },
      { subscription: user.id, usageMeter, groupBy: 'model' },
      { usageMeter, groupBy: 'model' },
    ]) {
      const { data, errors } = await own(document, { ...today(), ...scope });
      expect(errors).toBeUndefined();
      const [series, ...further] = data.usageOverTime;
      expect(further).toEqual([]);
      const points = series.points.filter(({ events }: { events: number }) => events > 0);
      expect(points).toMatchObject([{ usage: 1.5, events: 1 }]);
    }
    for (const scope of [
      { subscription: other.id },
      { customer: other.customerId, usageMeter },
      { subscription: other.id, customer: user.customerId },
    ]) {
      const { errors } = await own(document, { ...today(), ...scope });
      expect(errors[0].extensions.code).toBe('NOT_FOUND');
    }
    const { errors } = await own(mrr, { ...today() });
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });

  test.for([
    [{}, 'subscription'],
    [{ groups: 101 }, 'groups'],
    [{ from: 2, to: 1 }, 'to'],
    [{ from: '0001-01-01', to: '9999-01-01' }, 'interval'],
  ] as const)('400 for %j', async ([input, field], { graphql }) => {
    const { errors } = await graphql(usage('query', 'usageOverTime'), { ...today(), ...input });
    expect(errors[0].extensions).toMatchObject({
      code: 'BAD_REQUEST',
      issues: [{ path: [field] }],
    });
  });
});

test('live statistics show the present, and then each change', async ({
  gateway,
  hub,
  tenant: { session, key },
}) => {
  await using server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: key },
  });
  const follow = (query: string, variables: Record<string, unknown>) => {
    const values = client.iterate<Record<string, unknown>>({ query, variables });
    return {
      /** Until the text of a value contains another one. */
      async until(wanted: string) {
        for (;;) {
          const { value, done } = await values.next();
          if (done) throw new Error(`No value has shown ${wanted}`);
          const text = JSON.stringify(value?.data ?? value?.errors);
          if (text.includes(wanted)) return;
        }
      },
      leave: () => values.return?.(),
    };
  };
  const user = await aMeteredSubscription(session);
  await advance(session, user.clockId, new Date().toISOString());
  const used = follow(usage('subscription', 'usageOverTimeChanged'), {
    ...today(),
    subscription: user.id,
    usageMeter: user.meterId,
  });
  const live = (document: string, name: string) =>
    follow(document.replace('query', 'subscription').replace(name, `${name}Changed`), today());
  const [moved, counted, recovered] = [
    live(mrr, 'mrrMovements'),
    live(counts, 'subscriptionCounts'),
    live(recovery, 'paymentRecovery'),
  ];
  await used.until('"usage":0');
  await moved.until('"mrrAtEnd":1000');
  await counted.until('"status":"active"');
  await recovered.until('"failed":{"count":0');
  const { events } = await record(session, user, { amount: '2.5' }, { amount: '4' });
  await used.until('"usage":6.5,"events":2');
  await voidEvent(session, events[0]?.id ?? '');
  await used.until('"usage":4,"events":1');
  const { id: customerId } = await aCustomer(session);
  await aPaymentMethod(session, customerId, { token: 'sandbox_decline_expired_card' });
  await aSubscription(session, { customerId });
  await recovered.until('"failed":{"count":1,"amount":1000}');
  await aPaymentMethod(session, customerId, { default: true });
  await aSubscription(session, { customerId });
  await moved.until('"newCustomers":1');
  await counted.until('"status":"canceled","count":3');
  for (const one of [used, moved, counted, recovered]) await one.leave();
  await client.dispose();
});
