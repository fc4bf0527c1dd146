// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import {
  aLiveSession,
  allowSeveral,
  aPricingModel,
  aProduct,
  aSubscription,
  aUsageMeter,
  aUsagePrice,
  fresh,
} from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { type Answer, test } from '../../../support/test.ts';
import { availableOf } from '../../../support/usage.ts';

const record = {
  id: expect.stringMatching(/^usage_event_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  customerId: expect.stringMatching(/^cust_/),
  subscriptionId: expect.stringMatching(/^sub_/),
  usageMeterId: expect.stringMatching(/^usage_meter_/),
  amount: 1,
  usageDate: expect.any(Number),
  transactionId: 't1',
  priceId: expect.stringMatching(/^price_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  billingPeriodId: expect.stringMatching(/^billing_period_/),
  properties: {},
};

const issue = (text: string) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: [{ message: expect.stringContaining(text) }] },
});

const notFound = (id: string) => ({
  status: 404,
  body: { code: 'NOT_FOUND', message: `Usage event ${id} not found`, issues: [] },
});

/** A subscription, a meter at its price, and an event of that. */
async function aUser(session: Session) {
  const [{ id: subscriptionId }, meter] = [
    await aSubscription(session, { doNotCharge: true }),
    await aUsageMeter(session),
  ];
  const price = await aUsagePrice(session, meter.id, { slug: 'calls', isDefault: true });
  const user = { id: subscriptionId, slug: meter.slug };
  const event = { subscriptionId, amount: 1, transactionId: 't1', usageMeterSlug: meter.slug };
  return { subscriptionId, meter, price, user, event };
}

const eventsOf = ({ em }: Session) =>
  em.fork().find(UsageEvent, {}, { orderBy: { transactionId: 'asc' } });

const duplicates = ({ headers }: Answer) => headers.get('usage-duplicates');
const without = (event: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(event).filter(([name]) => !names.includes(name)));

describe('POST /usage-events', () => {
  test('200 with the documented record, which is counted at once', async ({ api, session }) => {
    const { event, user } = await aUser(session);
    const answer = await api('POST', '/usage-events', { usageEvent: event });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ usageEvent: record });
    expect(duplicates(answer)).toBe('0');
    expect(await availableOf(session, user)).toBe(-1);
  });

  test.for([
    ['007.50', 7.5],
    ['0.1', 0.1],
    ['00.000000001', 1e-9],
  ] as const)('200: the text %s is the amount %d', async ([amount, shown], { api, session }) => {
    const { event } = await aUser(session);
    const usageEvent = { ...event, transactionId: 'as-text', amount };
    const recorded = await api('POST', '/usage-events', { usageEvent });
    expect(recorded).toMatchObject({ status: 200, body: { usageEvent: { amount: shown } } });
    const { id } = recorded.body.usageEvent;
    const read = await api('GET', `/usage-events/${id}`);
    expect(read.body.usageEvent.amount).toBe(shown);
    const { body } = await api('POST', `/usage-events/${id}/void`, { reason: 'not used' });
    expect(body.usageEvent.amount).toBe(shown);
  });

  test('200 with every field that it takes, the amount as an exact decimal', async ({
    api,
    session,
  }) => {
    const { event } = await aUser(session);
    const given = {
      transactionId: 'ü'.repeat(255),
      amount: 0.000000001,
      usageDate: Date.UTC(2026, 0, 1),
      properties: { region: 'eu', nested: { list: [1, null, 'ü'] } },
    };
    const { body } = await api('POST', '/usage-events', { usageEvent: { ...event, ...given } });
    expect(body.usageEvent).toMatchObject(given);
    const text = { ...event, transactionId: 't2', amount: '9007199254740991' };
    expect((await api('POST', '/usage-events', { usageEvent: text })).body.usageEvent.amount).toBe(
      Number.MAX_SAFE_INTEGER,
    );
    const exact = { ...event, transactionId: 't3', amount: '0.1' };
    expect((await api('POST', '/usage-events', { usageEvent: exact })).body.usageEvent.amount).toBe(
      0.1,
    );
  });

  test('200 with any one of the identifiers, all of which lead to the same meter and price', async ({
    api,
    session,
  }) => {
    const { event, meter, price } = await aUser(session);
    const each = Object.entries({
      priceId: price.id,
      priceSlug: 'calls',
      usageMeterId: meter.id,
      usageMeterSlug: meter.slug,
    });
    for (const [name, value] of each) {
      const usageEvent = {
        ...without(event, 'usageMeterSlug'),
        transactionId: name,
        [name]: value,
      };
      const { body } = await api('POST', '/usage-events', { usageEvent });
      expect(body.usageEvent).toMatchObject({ priceId: price.id, usageMeterId: meter.id });
    }
  });

  test('400 for every pair of identifiers, all of them and none, and nothing is counted', async ({
    api,
    session,
  }) => {
    const { event, meter, price } = await aUser(session);
    const all = {
      priceId: price.id,
      priceSlug: 'calls',
      usageMeterId: meter.id,
      usageMeterSlug: meter.slug,
    };
    const names = Object.keys(all) as (keyof typeof all)[];
    const pairs = names.flatMap((one, place) =>
      names.slice(place + 1).map((other) => ({ [one]: all[one], [other]: all[other] })),
    );
    expect(pairs).toHaveLength(6);
    for (const given of [...pairs, all, {}]) {
      const usageEvent = { ...without(event, 'usageMeterSlug'), ...given };
      expect(await api('POST', '/usage-events', { usageEvent })).toMatchObject(
        issue('usageEvent.priceId: give exactly one of priceId, priceSlug'),
      );
    }
    expect(await eventsOf(session)).toEqual([]);
  });

  test.for([
    ['subscriptionId: is required', { subscriptionId: undefined }],
    ['subscriptionId: Unknown subscription sub_x', { subscriptionId: 'sub_x' }],
    ['usageMeterSlug: Unknown usage meter none', { usageMeterSlug: 'none' }],
    [
      'usageMeterId: Unknown usage meter usage_meter_x',
      { usageMeterSlug: null, usageMeterId: 'usage_meter_x' },
    ],
    ['priceId: Unknown price price_x', { usageMeterSlug: null, priceId: 'price_x' }],
    ['priceSlug: Unknown active price none', { usageMeterSlug: null, priceSlug: 'none' }],
    ['transactionId: is required', { transactionId: undefined }],
    ['transactionId', { transactionId: '' }],
    ['transactionId', { transactionId: 'x'.repeat(256) }],
    ['transactionId', { transactionId: 'a\0b' }],
    ['amount: is required', { amount: undefined }],
    ['amount: must be a decimal above 0', { amount: 0 }],
    ['amount: must be a decimal above 0', { amount: -1 }],
    ['amount', { amount: 1e-10 }],
    ['amount', { amount: 0.1234567890123456 }],
    ['amount', { amount: 9_007_199_254_740_992 }],
    ['amount', { amount: '9007199254740991.1' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '' }],
    ['amount', { amount: true }],
    ['usageDate', { usageDate: 'today' }],
    ['usageDate', { usageDate: 1e15 }],
    ['properties: must be an object', { properties: [] }],
    ['properties: must be an object', { properties: 'x' }],
    ['properties: must be at most 8192 bytes', { properties: { x: 'x'.repeat(8_185) } }],
    ['properties: must contain well-formed text', { properties: { 'a\0': 1 } }],
    ['properties: must contain well-formed text', { properties: { a: '\ud800' } }],
  ] as const)('400 for %s (%j)', async ([text, wrong], { api, session }) => {
    const { event } = await aUser(session);
    const answer = await api('POST', '/usage-events', { usageEvent: { ...event, ...wrong } });
    expect(answer).toMatchObject(issue(`usageEvent.${text}`));
    expect(await eventsOf(session)).toEqual([]);
  });

  test.for([
    [100, 200],
    [101, 400],
  ] as const)('properties of %i levels: %i', async ([levels, status], { api, session }) => {
    const { event } = await aUser(session);
    const properties = JSON.parse(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
    const answer = await api('POST', '/usage-events', { usageEvent: { ...event, properties } });
    expect(answer.status).toBe(status);
    if (status === 400) {
      expect(answer).toMatchObject(issue('usageEvent.properties: must be at most 100 levels deep'));
    }
    expect(await eventsOf(session)).toHaveLength(status === 200 ? 1 : 0);
  });

  test('a body of 4,000 levels: 400, whatever is in it', async ({ api, session }) => {
    const { event } = await aUser(session);
    const properties = JSON.parse(`{"a":${'['.repeat(4_000)}${']'.repeat(4_000)}}`);
    const answer = await api('POST', '/usage-events', { usageEvent: { ...event, properties } });
    const message = 'The body is more than 128 levels deep';
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', message } });
  });

  test('200 for properties of exactly 8 KiB', async ({ api, session }) => {
    const { event } = await aUser(session);
    const properties = { x: 'x'.repeat(8_192 - '{"x":""}'.length) };
    const answer = await api('POST', '/usage-events', { usageEvent: { ...event, properties } });
    expect(answer.status).toBe(200);
  });

  test('a repeat answers the first event, whatever else it states, and counts no more', async ({
    api,
    session,
  }) => {
    const { event, user } = await aUser(session);
    const first = await api('POST', '/usage-events', { usageEvent: event });
    const repeat = await api('POST', '/usage-events', { usageEvent: { ...event, amount: 7 } });
    expect(repeat).toMatchObject({ status: 200, body: first.body });
    expect(duplicates(repeat)).toBe('1');
    expect(await eventsOf(session)).toHaveLength(1);
    expect(await availableOf(session, user)).toBe(-1);
  });

  test('the same transaction id on another meter is another event', async ({ api, session }) => {
    const { event } = await aUser(session);
    const { slug } = await aUsageMeter(session);
    const [one, other] = [
      await api('POST', '/usage-events', { usageEvent: event }),
      await api('POST', '/usage-events', { usageEvent: { ...event, usageMeterSlug: slug } }),
    ];
    expect(other.status).toBe(200);
    expect(other.body.usageEvent.id).not.toBe(one.body.usageEvent.id);
  });

  test('400 for the transaction id of another subscription', async ({ api, session }) => {
    const { event, user } = await aUser(session);
    await api('POST', '/usage-events', { usageEvent: event });
    const { id: subscriptionId } = await aSubscription(session, { doNotCharge: true });
    const answer = await api('POST', '/usage-events', { usageEvent: { ...event, subscriptionId } });
    expect(answer).toMatchObject(
      issue('usageEvent.transactionId: is the transaction id of usage of another subscription'),
    );
    expect(await availableOf(session, user)).toBe(-1);
  });

  test('400 for an archived customer', async ({ api, session }) => {
    const { event } = await aUser(session);
    const archived = await aSubscription(session, { doNotCharge: true });
    await archiveCustomer(fresh(session), {
      externalId: (await archived.customer.loadOrFail()).externalId,
    });
    const usageEvent = { ...event, subscriptionId: archived.id };
    expect(await api('POST', '/usage-events', { usageEvent })).toMatchObject(
      issue('usageEvent.subscriptionId: is of an archived customer'),
    );
  });

  test.for(['another pricing model', 'live mode', 'another organization'] as const)(
    '400 for what is of %s: subscriptions, meters and prices alike',
    async (place, { api, session, database }) => {
      const { event } = await aUser(session);
      const other =
        place === 'another pricing model'
          ? await aPricingModel(session)
          : place === 'live mode'
            ? await aLiveSession(session)
            : (await aTenant(database.orm.em)).session;
      const foreign = await aUser(other);
      const named = without(event, 'usageMeterSlug');
      const tries = {
        subscriptionId: { ...event, subscriptionId: foreign.subscriptionId },
        usageMeterId: { ...named, usageMeterId: foreign.meter.id },
        usageMeterSlug: { ...named, usageMeterSlug: foreign.meter.slug },
        priceId: { ...named, priceId: foreign.price.id },
      };
      for (const [field, usageEvent] of Object.entries(tries)) {
        expect(await api('POST', '/usage-events', { usageEvent })).toMatchObject(
          issue(`usageEvent.${field}: Unknown `),
        );
        expect(
          await api('POST', '/usage-events/bulk', { usageEvents: [usageEvent] }),
        ).toMatchObject(issue(`usageEvents.0.${field}: Unknown `));
      }
    },
  );

  test('the same slug is the meter and the price of the caller’s own pricing model', async ({
    api,
    session,
  }) => {
    const other = await aUser(await aPricingModel(session));
    const { event, price } = await aUser(session);
    expect(other.price.slug).toBe(price.slug);
    const usageEvent = { ...without(event, 'usageMeterSlug'), priceSlug: 'calls' };
    const { body } = await api('POST', '/usage-events', { usageEvent });
    expect(body.usageEvent.priceId).toBe(price.id);
  });

  test('400 for a price that is not of usage, by its id and by its slug', async ({
    api,
    session,
  }) => {
    const { event } = await aUser(session);
    const product = await aProduct(session, { price: { slug: 'monthly' } });
    const [price] = await product.prices.loadItems();
    const named = without(event, 'usageMeterSlug');
    for (const [field, given] of [
      ['priceId', { priceId: price?.id }],
      ['priceSlug', { priceSlug: 'monthly' }],
    ] as const) {
      expect(
        await api('POST', '/usage-events', { usageEvent: { ...named, ...given } }),
      ).toMatchObject(issue(`usageEvent.${field}: is not a usage price`));
    }
  });

  test('200 for a price that is out of use, by its id; 400 by its slug, and in bulk', async ({
    api,
    session,
  }) => {
    const { event, meter } = await aUser(session);
    const { id: priceId } = await aUsagePrice(session, meter.id, { slug: 'old', active: false });
    const named = without(event, 'usageMeterSlug');
    const bulk = { usageEvents: [{ ...named, priceId }] };
    expect(await api('POST', '/usage-events/bulk', bulk)).toMatchObject(
      issue('usageEvents.0.priceId: is an inactive price'),
    );
    expect(
      await api('POST', '/usage-events', { usageEvent: { ...named, priceSlug: 'old' } }),
    ).toMatchObject(issue('usageEvent.priceSlug: Unknown active price'));
    const { body } = await api('POST', '/usage-events', { usageEvent: { ...named, priceId } });
    expect(body.usageEvent).toMatchObject({ priceId, usageMeterId: meter.id });
  });

  test('400 for a meter without a default price, alone and in bulk', async ({ api, session }) => {
    const { event, meter } = await aUser(session);
    await session.em
      .fork()
      .nativeUpdate(Price, { usageMeter: meter.id }, { isDefault: false, active: false });
    expect(await api('POST', '/usage-events', { usageEvent: event })).toMatchObject(
      issue('usageEvent.usageMeterSlug: has no default price'),
    );
    expect(await api('POST', '/usage-events/bulk', { usageEvents: [event] })).toMatchObject(
      issue('usageEvents.0.usageMeterSlug: has no default price'),
    );
  });

  test('an Idempotency-Key gives the first answer again, next to the transaction id', async ({
    api,
    session,
  }) => {
    const { event } = await aUser(session);
    const headers = { 'idempotency-key': 'once' };
    const send = () => api('POST', '/usage-events', { usageEvent: event }, { headers });
    const [first, repeat] = [await send(), await send()];
    expect(repeat).toMatchObject({ status: 200, body: first.body });
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect(duplicates(repeat)).toBe('0');
    expect(await eventsOf(session)).toHaveLength(1);
  });

  test('401 without a key, 403 with a publishable one', async ({ api, session }) => {
    const { event } = await aUser(session);
    const body = { usageEvent: event };
    expect(await api('POST', '/usage-events', body, { key: null })).toMatchObject({ status: 401 });
    const key = await aKey(session, 'publishable');
    expect(await api('POST', '/usage-events', body, { key })).toMatchObject({ status: 403 });
    expect(await eventsOf(session)).toEqual([]);
  });
});

describe('POST /usage-events/bulk', () => {
  test('200 with the new events in the order of the call; repeats are counted in a header', async ({
    api,
    session,
  }) => {
    const { event, user } = await aUser(session);
    await api('POST', '/usage-events', { usageEvent: event });
    const usageEvents = ['t3', 't1', 't2', 't3'].map((transactionId, place) => ({
      ...event,
      transactionId,
      amount: 10 ** place,
    }));
    const answer = await api('POST', '/usage-events/bulk', { usageEvents });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      usageEvents: [
        { ...record, transactionId: 't3' },
        { ...record, transactionId: 't2', amount: 100 },
      ],
    });
    expect(duplicates(answer)).toBe('2');
    expect(await availableOf(session, user)).toBe(-102);
  });

  test('Prefer: return=all answers the repeats too, each as its first event', async ({
    api,
    session,
  }) => {
    const { event } = await aUser(session);
    const { body } = await api('POST', '/usage-events', { usageEvent: event });
    const usageEvents = ['t2', 't1', 't2'].map((transactionId) => ({ ...event, transactionId }));
    const headers = { prefer: 'return=all' };
    const answer = await api('POST', '/usage-events/bulk', { usageEvents }, { headers });
    const [first, known, again] = answer.body.usageEvents;
    expect(answer.body.usageEvents).toHaveLength(3);
    expect(known).toEqual(body.usageEvent);
    expect(again).toEqual(first);
    expect(answer.headers.get('preference-applied')).toBe('return=all');
    expect(duplicates(answer)).toBe('2');
  });

  test('200 for no events, and for events of several customers', async ({ api, session }) => {
    expect(await api('POST', '/usage-events/bulk', { usageEvents: [] })).toMatchObject({
      status: 200,
      body: { usageEvents: [] },
    });
    const { event } = await aUser(session);
    const { id: subscriptionId, customerId } = await aSubscription(session, { doNotCharge: true });
    const usageEvents = [event, { ...event, subscriptionId, transactionId: 't2' }];
    const { body } = await api('POST', '/usage-events/bulk', { usageEvents });
    expect(body.usageEvents).toMatchObject([{}, { subscriptionId, customerId }]);
  });

  test('400 with an issue for each bad event, which its index names; nothing is recorded', async ({
    api,
    session,
  }) => {
    const { event, user } = await aUser(session);
    const usageEvents = [
      event,
      { ...event, transactionId: 't2', subscriptionId: 'sub_x' },
      { ...event, transactionId: 't3' },
      { ...event, transactionId: 't4', usageMeterSlug: 'none' },
    ];
    const answer = await api('POST', '/usage-events/bulk', { usageEvents });
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toMatchObject([
      { message: 'usageEvents.1.subscriptionId: Unknown subscription sub_x' },
      { message: 'usageEvents.3.usageMeterSlug: Unknown usage meter none' },
    ]);
    const malformed = await api('POST', '/usage-events/bulk', {
      usageEvents: [event, { ...event, amount: 0 }, { ...event, transactionId: '' }],
    });
    expect(malformed.status).toBe(400);
    expect(malformed.body.issues).toMatchObject([
      { message: expect.stringContaining('usageEvents.1.amount: must be') },
      { message: expect.stringContaining('usageEvents.2.transactionId') },
    ]);
    expect(await eventsOf(session)).toEqual([]);
    expect(await availableOf(session, user)).toBeNaN();
  });

  test('400 for the transaction id of another subscription, also within the call', async ({
    api,
    session,
  }) => {
    const { event } = await aUser(session);
    const { id: subscriptionId } = await aSubscription(session, { doNotCharge: true });
    const other = { ...event, subscriptionId };
    const within = await api('POST', '/usage-events/bulk', {
      usageEvents: [{ ...event, transactionId: 't2' }, event, other],
    });
    expect(within).toMatchObject(issue('usageEvents.2.transactionId: is the transaction id'));
    expect(await eventsOf(session)).toEqual([]);
    await api('POST', '/usage-events', { usageEvent: event });
    expect(await api('POST', '/usage-events/bulk', { usageEvents: [other] })).toMatchObject(
      issue('usageEvents.0.transactionId: is the transaction id'),
    );
  });

  test('200 for 10,000 events, and 400 for one more', async ({ api, session }) => {
    const { event, user } = await aUser(session);
    const events = Array.from({ length: 10_001 }, (_, place) => ({
      ...event,
      transactionId: `n${place}`,
    }));
    expect(await api('POST', '/usage-events/bulk', { usageEvents: events })).toMatchObject(
      issue('usageEvents'),
    );
    const answer = await api('POST', '/usage-events/bulk', { usageEvents: events.slice(1) });
    expect(answer.body.usageEvents).toHaveLength(10_000);
    expect(await availableOf(session, user)).toBe(-10_000);
  });

  test('401 without a key, 403 with a publishable one', async ({ api, session }) => {
    const body = { usageEvents: [] };
    const [path, key] = ['/usage-events/bulk', await aKey(session, 'publishable')];
    expect(await api('POST', path, body, { key: null })).toMatchObject({ status: 401 });
    expect(await api('POST', path, body, { key })).toMatchObject({ status: 403 });
  });
});

describe('GET /usage-events/{id}', () => {
  test('200 in the older rendering, and in the present one for who asks', async ({
    api,
    session,
  }) => {
    const { event } = await aUser(session);
    const { usageEvent } = (await api('POST', '/usage-events', { usageEvent: event })).body;
    const path = `/usage-events/${usageEvent.id}`;
    const older = await api('GET', path);
    const { pricingModelId: _, ...rest } = usageEvent;
    const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
    const commit = expect.stringMatching(/^v\d+\./);
    expect(older.status).toBe(200);
    expect(older.body).toEqual({
      usageEvent: {
        ...rest,
        createdAt: iso(usageEvent.createdAt),
        updatedAt: iso(usageEvent.updatedAt),
        usageDate: iso(usageEvent.usageDate),
        createdByCommit: commit,
        updatedByCommit: commit,
      },
    });
    const headers = { prefer: 'rendering=current' };
    const present = await api('GET', path, undefined, { headers });
    expect(present.body).toEqual({ usageEvent });
  });

  test('404 for an unknown id and for an event of another organization', async ({
    api,
    session,
    database,
  }) => {
    expect(await api('GET', '/usage-events/usage_event_x')).toMatchObject(
      notFound('usage_event_x'),
    );
    const { event } = await aUser(session);
    const { usageEvent } = (await api('POST', '/usage-events', { usageEvent: event })).body;
    const { key } = await aTenant(database.orm.em);
    expect(await api('GET', `/usage-events/${usageEvent.id}`, undefined, { key })).toMatchObject(
      notFound(usageEvent.id),
    );
  });

  test('401 without a key, 403 with a publishable one', async ({ api, session }) => {
    const [path, key] = ['/usage-events/usage_event_x', await aKey(session, 'publishable')];
    expect(await api('GET', path, undefined, { key: null })).toMatchObject({ status: 401 });
    expect(await api('GET', path, undefined, { key })).toMatchObject({ status: 403 });
  });
});

describe('GET /usage-events', () => {
  test('200 in the list envelope, page by page, each event once and the total exact', async ({
    api,
    session,
  }) => {
    const { event } = await aUser(session);
    const usageEvents = Array.from({ length: 25 }, (_, place) => ({
      ...event,
      transactionId: `n${place}`,
    }));
    await api('POST', '/usage-events/bulk', { usageEvents });
    const seen: string[] = [];
    let path = '/usage-events?limit=10';
    for (const [hasMore, length] of [
      [true, 10],
      [true, 10],
      [false, 5],
    ] as const) {
      const { status, body } = await api('GET', path);
      expect({ status, body }).toMatchObject({ status: 200, body: { hasMore, total: 25 } });
      expect(body.data).toHaveLength(length);
      seen.push(...body.data.map(({ transactionId }: { transactionId: string }) => transactionId));
      path = `/usage-events?limit=10&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
    expect(seen.sort()).toEqual(usageEvents.map(({ transactionId }) => transactionId).sort());
  });

  test('filters in the graph: by subscription, meter, time, property and what counts', async ({
    api,
    session,
    graphql,
  }) => {
    await allowSeveral(session);
    const { event, meter } = await aUser(session);
    const other = await aUsageMeter(session);
    const { id: subscriptionId } = await aSubscription(session, { doNotCharge: true });
    const day = (day: number) => Date.UTC(2026, 0, day);
    const { body } = await api('POST', '/usage-events/bulk', {
      usageEvents: [
        { ...event, transactionId: 'a', usageDate: day(1), properties: { region: 'eu', n: 1 } },
        { ...event, transactionId: 'b', usageDate: day(2), properties: { region: 'us' } },
        { ...event, transactionId: 'c', usageDate: day(3), usageMeterSlug: other.slug },
        { ...event, transactionId: 'd', usageDate: day(4), subscriptionId },
      ],
    });
    const last = body.usageEvents[3];
    await api('POST', `/usage-events/${last.id}/void`, { reason: 'A mistake' });
    const listed = async (filter: object) => {
      const { data, errors } = await graphql(
        'query($f: UsageEventWhere) { usageEvents(where: $f, first: 10) { totalCount nodes { transactionId } } }',
        { f: filter },
      );
      expect(errors).toBeUndefined();
      const { nodes, totalCount } = data.usageEvents;
      expect(totalCount).toBe(nodes.length);
      return nodes.map(({ transactionId }: { transactionId: string }) => transactionId).sort();
    };
    expect(await listed({})).toEqual(['a', 'b', 'c', 'd']);
    expect(await listed({ subscription: { is: subscriptionId } })).toEqual(['d']);
    expect(await listed({ usageMeter: { is: meter.id } })).toEqual(['a', 'b', 'd']);
    expect(await listed({ usageDate: { from: day(2), to: day(4) } })).toEqual(['b', 'c']);
    expect(await listed({ properties: [{ key: 'region', value: 'eu' }] })).toEqual(['a']);
    expect(await listed({ properties: [{ key: 'n', value: 1 }] })).toEqual(['a']);
    expect(await listed({ voided: true })).toEqual(['d']);
    expect(await listed({ voided: false, usageDate: { from: day(3) } })).toEqual(['c']);
    expect(await listed({ billingPeriod: { is: last.billingPeriodId } })).toEqual(['d']);
  });

  test('400 for a bad limit and a bad cursor', async ({ api }) => {
    expect(await api('GET', '/usage-events?limit=0')).toMatchObject({ status: 400 });
    expect(await api('GET', '/usage-events?cursor=x')).toMatchObject({ status: 400 });
  });

  test('401 without a key, 403 with a publishable one', async ({ api, session }) => {
    const [path, key] = ['/usage-events', await aKey(session, 'publishable')];
    expect(await api('GET', path, undefined, { key: null })).toMatchObject({ status: 401 });
    expect(await api('GET', path, undefined, { key })).toMatchObject({ status: 403 });
  });
});

describe('POST /usage-events/{id}/void', () => {
  test('200 with the event and its reason; its balance is as if it had never been', async ({
    api,
    session,
  }) => {
    const { event, user } = await aUser(session);
    const { usageEvent } = (await api('POST', '/usage-events', { usageEvent: event })).body;
    const path = `/usage-events/${usageEvent.id}/void`;
    const { status, body } = await api('POST', path, { reason: ' Sent twice ' });
    expect(status).toBe(200);
    expect(body).toEqual({
      usageEvent: {
        ...usageEvent,
        updatedAt: expect.any(Number),
        voidedAt: expect.any(Number),
        voidReason: 'Sent twice',
        replacedById: null,
      },
    });
    expect(await availableOf(session, user)).toBe(0);
    const repeat = await api('POST', '/usage-events', { usageEvent: event });
    expect(duplicates(repeat)).toBe('1');
    expect(await availableOf(session, user)).toBe(0);
  });

  test('400 for an event that has already been voided or replaced, and without a reason', async ({
    api,
    session,
  }) => {
    const { event, user } = await aUser(session);
    const { usageEvent } = (await api('POST', '/usage-events', { usageEvent: event })).body;
    const path = `/usage-events/${usageEvent.id}/void`;
    expect(await api('POST', path, {})).toMatchObject(issue('reason: is required'));
    expect(await api('POST', path, { reason: ' ' })).toMatchObject(issue('reason'));
    expect(await api('POST', path, { reason: 'x'.repeat(1_001) })).toMatchObject(issue('reason'));
    expect(await availableOf(session, user)).toBe(-1);
    await api('POST', path, { reason: 'A mistake' });
    expect(await api('POST', path, { reason: 'Again' })).toMatchObject({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: `Usage event ${usageEvent.id} has already been voided or replaced`,
      },
    });
    expect(await availableOf(session, user)).toBe(0);
  });

  test('404 for an unknown id and for an event of another organization', async ({
    api,
    session,
    database,
  }) => {
    const body = { reason: 'A mistake' };
    expect(await api('POST', '/usage-events/usage_event_x/void', body)).toMatchObject(
      notFound('usage_event_x'),
    );
    const { event, user } = await aUser(session);
    const { usageEvent } = (await api('POST', '/usage-events', { usageEvent: event })).body;
    const { key } = await aTenant(database.orm.em);
    const path = `/usage-events/${usageEvent.id}/void`;
    expect(await api('POST', path, body, { key })).toMatchObject(notFound(usageEvent.id));
    expect(await availableOf(session, user)).toBe(-1);
  });

  test('401 without a key, 403 with a publishable one', async ({ api, session }) => {
    const [path, body] = ['/usage-events/usage_event_x/void', { reason: 'A mistake' }];
    const key = await aKey(session, 'publishable');
    expect(await api('POST', path, body, { key: null })).toMatchObject({ status: 401 });
    expect(await api('POST', path, body, { key })).toMatchObject({ status: 403 });
  });
});

describe('POST /usage-events/{id}/replace', () => {
  test('200 with the new event, which counts in place of the old one at its price', async ({
    api,
    session,
    graphql,
  }) => {
    const { event, user } = await aUser(session);
    const given = { ...event, amount: 5, usageDate: 1e12, properties: { region: 'eu' } };
    const { usageEvent } = (await api('POST', '/usage-events', { usageEvent: given })).body;
    const { status, body } = await api('POST', `/usage-events/${usageEvent.id}/replace`, {
      usageEvent: { amount: 2.5, transactionId: 't1-right' },
      reason: 'Counted twice',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      usageEvent: {
        ...usageEvent,
        ...record,
        amount: 2.5,
        transactionId: 't1-right',
        usageDate: 1e12,
        priceId: usageEvent.priceId,
        properties: { region: 'eu' },
      },
    });
    expect(await availableOf(session, user)).toBe(-2.5);
    const old = await graphql(
      'query($id: ID!) { usageEvent(id: $id) { voidedAt voidReason replacedById } }',
      { id: usageEvent.id },
    );
    expect(old.data.usageEvent).toEqual({
      voidedAt: expect.any(Number),
      voidReason: 'Counted twice',
      replacedById: body.usageEvent.id,
    });
  });

  test('400 for a transaction id that is in use, its own included; all stays as it was', async ({
    api,
    session,
  }) => {
    const { event, user } = await aUser(session);
    const { body } = await api('POST', '/usage-events/bulk', {
      usageEvents: [event, { ...event, transactionId: 't2', amount: 3 }],
    });
    const path = `/usage-events/${body.usageEvents[0].id}/replace`;
    for (const transactionId of ['t1', 't2']) {
      const replacement = { usageEvent: { amount: 9, transactionId }, reason: 'A mistake' };
      expect(await api('POST', path, replacement)).toMatchObject(
        issue('usageEvent.transactionId: is in use'),
      );
    }
    expect(await availableOf(session, user)).toBe(-4);
    expect(await eventsOf(session)).toMatchObject([{ voidedAt: null }, { voidedAt: null }]);
  });

  test('400 for a bad amount, no reason, and an event that has already been voided or replaced', async ({
    api,
    session,
  }) => {
    const { event } = await aUser(session);
    const { usageEvent } = (await api('POST', '/usage-events', { usageEvent: event })).body;
    const path = `/usage-events/${usageEvent.id}/replace`;
    const right = { usageEvent: { amount: 2, transactionId: 't2' }, reason: 'A mistake' };
    expect(
      await api('POST', path, { ...right, usageEvent: { amount: 0, transactionId: 't2' } }),
    ).toMatchObject(issue('usageEvent.amount: must be a decimal above 0'));
    expect(await api('POST', path, { ...right, reason: undefined })).toMatchObject(
      issue('reason: is required'),
    );
    await api('POST', path, right);
    const again = { ...right, usageEvent: { amount: 2, transactionId: 't3' } };
    expect(await api('POST', path, again)).toMatchObject({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: `Usage event ${usageEvent.id} has already been voided or replaced`,
      },
    });
  });

  test('404 for an unknown id, 401 without a key, 403 with a publishable one', async ({
    api,
    session,
  }) => {
    const path = '/usage-events/usage_event_x/replace';
    const body = { usageEvent: { amount: 2, transactionId: 't2' }, reason: 'A mistake' };
    const key = await aKey(session, 'publishable');
    expect(await api('POST', path, body)).toMatchObject(notFound('usage_event_x'));
    expect(await api('POST', path, body, { key: null })).toMatchObject({ status: 401 });
    expect(await api('POST', path, body, { key })).toMatchObject({ status: 403 });
  });
});
