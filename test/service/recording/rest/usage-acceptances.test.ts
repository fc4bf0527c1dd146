// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { drainInbox } from '#domain/recording/inbox/drain-inbox.ts';
import {
  aCustomer,
  aSubscription,
  aTestClock,
  aUsageMeter,
  aUsagePrice,
} from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { apiOf, testAlone } from '../../../support/test.ts';
import { availableOf } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const asynchronous = { headers: { prefer: 'respond-async' } };

/** A subscription and a meter with a price. */
async function aUser(session: Session) {
  const { id: subscriptionId, customer } = await aSubscription(session, { doNotCharge: true });
  const meter = await aUsageMeter(session);
  await aUsagePrice(session, meter.id, { slug: `calls-${meter.slug}`, isDefault: true });
  const event = (transactionId: string, amount = 1) => ({
    subscriptionId,
    amount,
    transactionId,
    usageMeterSlug: meter.slug,
  });
  return { subscriptionId, customerId: customer.id, meter, event };
}

const counted = ({ em, pricingModelId }: Session) =>
  em.fork().count(UsageEvent, { pricingModelId });

const failure = (error: unknown) => {
  throw error;
};

const drain = ({ em }: Session) => drainInbox(em.fork(), new Date(), failure);

describe('POST /usage-events/bulk with Prefer: respond-async', () => {
  test('202 with a position; nothing is counted before it is read or its time has come', async ({
    api,
    session,
  }) => {
    const { event } = await aUser(session);
    const usageEvents = [event('t1', 2), event('t2', 3)];
    const answer = await api('POST', '/usage-events/bulk', { usageEvents }, asynchronous);
    expect(answer).toMatchObject({
      status: 202,
      body: {
        position: expect.stringMatching(/^acceptance_\w{21}$/),
        count: 2,
        acceptedAt: expect.any(Number),
      },
    });
    expect(answer.headers.get('preference-applied')).toBe('respond-async');
    expect(await counted(session)).toBe(0);
    const { position } = answer.body;
    const path = `/usage-acceptances/${position}`;
    expect((await api('GET', path)).body).toEqual({ position, pending: 2 });
    await drain(session);
    expect((await api('GET', path)).body).toEqual({ position, pending: 0 });
    expect(await counted(session)).toBe(2);
  });

  test('a balance, a list and statistics include what was accepted before', async ({
    api,
    graphql,
    session,
  }) => {
    const { event, subscriptionId, meter, customerId } = await aUser(session);
    const send = (transactionId: string) =>
      api('POST', '/usage-events/bulk', { usageEvents: [event(transactionId)] }, asynchronous);
    await send('t1');
    expect(await availableOf(session, { id: subscriptionId, slug: meter.slug })).toBe(-1);
    await send('t2');
    expect((await api('GET', '/usage-events')).body.total).toBe(2);
    await send('t3');
    const query = /* GraphQL */ `
      query Usage($id: ID!, $from: Timestamp!, $to: Timestamp!) {
        usageOverTime(customer: $id, from: $from, to: $to, interval: day) { points { usage } }
      }`;
    const now = session.now.getTime();
    const variables = { id: customerId, from: now - 86_400_000, to: now + 86_400_000 };
    const { data } = await graphql(query, variables);
    const usage = data.usageOverTime[0].points.map(({ usage }: { usage: string }) => Number(usage));
    expect(usage.reduce((sum: number, one: number) => sum + one)).toBe(3);
  });

  test('an event without a time of use was used when it was accepted', async ({ api, session }) => {
    const { event } = await aUser(session);
    const { body } = await api('POST', '/usage-events', { usageEvent: event('t1') }, asynchronous);
    await drain(session);
    const [stored] = (await api('GET', '/usage-events')).body.data;
    expect(stored.usageDate).toBe(body.acceptedAt);
  });

  test('an event that is reported twice counts once, whatever the way', async ({
    api,
    session,
  }) => {
    const { event, subscriptionId, meter } = await aUser(session);
    const usageEvents = [event('t1', 4)];
    for (const options of [asynchronous, {}, asynchronous]) {
      await api('POST', '/usage-events/bulk', { usageEvents }, options);
    }
    expect(await availableOf(session, { id: subscriptionId, slug: meter.slug })).toBe(-4);
  });

  test('400 for events of a wrong form; nothing of the call is accepted', async ({
    api,
    session,
  }) => {
    const { event } = await aUser(session);
    const usageEvents = [event('t1'), { ...event('t2'), amount: -1 }];
    const answer = await api('POST', '/usage-events/bulk', { usageEvents }, asynchronous);
    expect(answer).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringContaining('usageEvents.1.amount: must be') }] },
    });
    await drain(session);
    expect(await counted(session)).toBe(0);
  });

  test('401 without a key, 403 with a publishable one', async ({ api, session }) => {
    const { event } = await aUser(session);
    const keys = [
      [null, 401],
      [await aKey(session, 'publishable'), 403],
    ] as const;
    for (const [key, status] of keys) {
      const body = { usageEvents: [event('t1')] };
      const answer = await api('POST', '/usage-events/bulk', body, { ...asynchronous, key });
      expect(answer.status).toBe(status);
    }
  });

  test('events that cannot be counted become a refusal, and delay no other', async ({
    api,
    session,
  }) => {
    const { event, subscriptionId, meter } = await aUser(session);
    const other = await aUser(session);
    await api('POST', '/usage-events', {
      usageEvent: { ...other.event('taken'), usageMeterSlug: meter.slug },
    });
    const usageEvents = [
      event('t1'),
      { ...event('t2'), usageMeterSlug: 'unknown' },
      event('taken'),
      event('t3'),
    ];
    const { body } = await api('POST', '/usage-events/bulk', { usageEvents }, asynchronous);
    expect(await availableOf(session, { id: subscriptionId, slug: meter.slug })).toBe(-2);
    const refusals = (await api('GET', `/usage-refusals?acceptanceId=${body.position}`)).body.data;
    expect(refusals).toMatchObject([
      {
        acceptanceId: body.position,
        acceptedAt: body.acceptedAt,
        count: 2,
        events: [
          {
            event: { transactionId: 't2' },
            issues: [{ code: 'NOT_FOUND', path: ['usageMeterSlug'] }],
          },
          {
            event: { transactionId: 'taken' },
            issues: [{ code: 'TAKEN', path: ['transactionId'] }],
          },
        ],
      },
    ]);
    expect(await api('GET', `/usage-refusals/${refusals[0].id}`)).toMatchObject({
      status: 200,
      body: { usageRefusal: { id: refusals[0].id } },
    });
    expect((await api('GET', '/usage-refusals/usage_refusal_none')).status).toBe(404);
    const { data } = (await api('GET', '/events?type=usage_refusal.created')).body;
    expect(data).toMatchObject([{ data: { acceptanceId: body.position, count: 2 } }]);
    expect(data[0].data).not.toHaveProperty('events');
  });

  test('404 for a position that no call was answered with', async ({ api }) => {
    expect((await api('GET', '/usage-acceptances/nothing')).status).toBe(404);
  });

  test('a repeat with one Idempotency-Key is accepted once', async ({ api, session }) => {
    const { event } = await aUser(session);
    const options = { headers: { ...asynchronous.headers, 'idempotency-key': 'k1' } };
    const send = () => api('POST', '/usage-events/bulk', { usageEvents: [event('t1')] }, options);
    const [first, second] = [await send(), await send()];
    expect(first.status).toBe(202);
    expect(second.body).toEqual(first.body);
    await drain(session);
    expect(await counted(session)).toBe(1);
  });

  test('a dry run accepts nothing', async ({ api, session }) => {
    const { event } = await aUser(session);
    const options = { headers: { prefer: 'respond-async, dry-run' } };
    const body = { usageEvents: [event('t1')] };
    expect((await api('POST', '/usage-events/bulk', body, options)).status).toBe(202);
    await drain(session);
    expect(await counted(session)).toBe(0);
  });
});

describe('accepted usage', () => {
  test('is billed with the period in which it was accepted, by each name of its owner', async ({
    api,
    session,
  }) => {
    const clock = await aTestClock(session);
    const customer = await aCustomer(session, { testClockId: clock.id });
    const meter = await aUsageMeter(session);
    await aUsagePrice(session, meter.id, { slug: 'calls', isDefault: true });
    const { id: subscriptionId } = await aSubscription(session, {
      customerId: customer.id,
      doNotCharge: true,
    });
    const owners = [
      { subscriptionId },
      { customerId: customer.id },
      { customerExternalId: customer.externalId },
    ];
    const usageEvents = owners.map((owner, place) => ({
      ...owner,
      amount: 1,
      transactionId: `t${place}`,
      usageMeterSlug: meter.slug,
    }));
    await api('POST', '/usage-events/bulk', { usageEvents }, asynchronous);
    const frozenTime = clock.frozenTime.getTime() + 40 * 86_400_000;
    const advanced = await api('POST', `/test-clocks/${clock.id}/advance`, { frozenTime });
    expect(advanced.status).toBe(200);
    const events = (await api('GET', '/usage-events')).body.data;
    const [first] = await session.em
      .fork()
      .find(BillingPeriod, { subscription: subscriptionId }, { orderBy: { startDate: 'asc' } });
    const periods = events.map(({ billingPeriodId }: UsageEvent) => billingPeriodId);
    expect(periods).toEqual(usageEvents.map(() => first?.id));
  });

  test('is counted before its subscription or customer ends', async ({ api, session }) => {
    const one = await aUser(session);
    const two = await aUser(session);
    const usageEvents = [one.event('t1'), two.event('t2')];
    await api('POST', '/usage-events/bulk', { usageEvents }, asynchronous);
    const cancellation = { cancellation: { timing: 'immediately' } };
    await api('POST', `/subscriptions/${one.subscriptionId}/cancel`, cancellation);
    const { externalId } = (await api('GET', '/customers')).body.data.find(
      ({ id }: { id: string }) => id === two.customerId,
    );
    await api('POST', `/customers/${externalId}/archive`);
    expect(await counted(session)).toBe(2);
    expect((await api('GET', '/usage-refusals')).body.total).toBe(0);
  });

  test('of one tenant does not delay another one', async ({ api, gateway, database, session }) => {
    const { event } = await aUser(session);
    await api('POST', '/usage-events/bulk', { usageEvents: [event('t1')] }, asynchronous);
    const other = await aTenant(database.orm.em);
    const { subscriptionId, meter } = await aUser(other.session);
    const otherApi = apiOf(gateway, other.key);
    expect((await otherApi('GET', '/usage-events')).body.total).toBe(0);
    expect(await availableOf(other.session, { id: subscriptionId, slug: meter.slug })).toBeNaN();
    expect(await counted(session)).toBe(0);
  });

  test('counts once when writers, readers and repeats meet', async ({ api, session }) => {
    const users = await Promise.all([1, 2, 3].map(() => aUser(session)));
    const events = users.flatMap(({ event }) =>
      Array.from({ length: 40 }, (_, place) => event(`t${place}`)),
    );
    const calls = Array.from({ length: 24 }, (_, call) =>
      events.filter((_, place) => (place * 7 + call) % 5 < 2),
    );
    const send = async (usageEvents: object[]) => {
      const { status } = await api('POST', '/usage-events/bulk', { usageEvents }, asynchronous);
      expect(status).toBe(202);
    };
    const look = async ({ subscriptionId, meter }: (typeof users)[number]) => {
      await availableOf(session, { id: subscriptionId, slug: meter.slug }).catch(() => undefined);
    };
    await Promise.all([
      ...calls.map(send),
      ...users.flatMap((user) => [look(user), look(user)]),
      drain(session),
      drain(session),
    ]);
    await Promise.all([drain(session), drain(session)]);
    for (const { subscriptionId, meter } of users) {
      expect(await availableOf(session, { id: subscriptionId, slug: meter.slug })).toBe(-40);
    }
    expect(await counted(session)).toBe(120);
    expect((await api('GET', '/usage-refusals')).body.total).toBe(0);
  });
});
