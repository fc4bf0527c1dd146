import { describe, expect } from 'vitest';
import { aCustomer, aLiveSession, aSubscription, aTestClock } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test as base } from '../../../support/test.ts';

const january = Date.parse('2026-01-31T10:00:00Z');
const february = Date.parse('2026-02-28T10:00:00Z');
const march = Date.parse('2026-03-31T10:00:00Z');

const record = {
  id: expect.stringMatching(/^test_clock_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  name: null,
  frozenTime: january,
  status: 'ready',
  advancingTo: null,
};

const test = base.extend('liveKey', async ({ session }) =>
  aKey(await aLiveSession(session), 'secret'),
);

describe('POST /test-clocks', () => {
  test('200 with a clock that does not move', async ({ api }) => {
    const answer = await api('POST', '/test-clocks', {
      testClock: { name: 'Renewals', frozenTime: january },
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ testClock: { ...record, name: 'Renewals' } });
  });

  test('200 for an instant as ISO 8601 writes it, in the past or in the future', async ({
    api,
  }) => {
    for (const frozenTime of ['1999-12-31T23:59:59.999Z', '2199-01-01T00:00:00.000Z']) {
      const { status, body } = await api('POST', '/test-clocks', { testClock: { frozenTime } });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { testClock: { frozenTime: Date.parse(frozenTime) } },
      });
    }
  });

  test.for(['soon', 1.5, -1e15, true, null, undefined])(
    '400 for the instant %s, naming the field',
    async (frozenTime, { api }) => {
      const answer = await api('POST', '/test-clocks', { testClock: { frozenTime } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
      expect(answer.body.issues[0].message).toMatch(/^testClock\.frozenTime: /);
    },
  );

  test('400 in live mode', async ({ api, liveKey }) => {
    const body = { testClock: { frozenTime: january } };
    expect(await api('POST', '/test-clocks', body, { key: liveKey })).toMatchObject({
      status: 400,
      body: {
        issues: [{ message: expect.stringMatching(/^testClock: is allowed in test mode only/) }],
      },
    });
  });
});

describe('GET /test-clocks', () => {
  test('200 with the clock', async ({ api, session }) => {
    const { id } = await aTestClock(session);
    const { status, body } = await api('GET', `/test-clocks/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { testClock: record } });
  });

  test('404 for an unknown one and for another organization’s', async ({
    api,
    database,
    session,
    liveKey,
  }) => {
    expect(await api('GET', '/test-clocks/test_clock_x')).toMatchObject({ status: 404 });
    const { id } = await aTestClock(session);
    for (const key of [(await aTenant(database.orm.em)).key, liveKey]) {
      expect(await api('GET', `/test-clocks/${id}`, undefined, { key })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
    }
  });

  test('200 with the list, oldest first, page by page', async ({ api, session }) => {
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await aTestClock(session)).id);
    const { status, body } = await api('GET', '/test-clocks?limit=2');
    expect({ status, total: body.total, hasMore: body.hasMore }).toEqual({
      status: 200,
      total: 3,
      hasMore: true,
    });
    const { body: rest } = await api('GET', `/test-clocks?limit=2&cursor=${body.nextCursor}`);
    const listed = [...body.data, ...rest.data].map(({ id }: { id: string }) => id);
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });

  test('400 for a limit that is too large; in live mode the list is empty', async ({
    api,
    session,
    liveKey,
  }) => {
    await aTestClock(session);
    expect(await api('GET', '/test-clocks?limit=101')).toMatchObject({ status: 400 });
    expect(await api('GET', '/test-clocks', undefined, { key: liveKey })).toMatchObject({
      status: 200,
      body: { data: [], total: 0 },
    });
  });
});

describe('POST /test-clocks/{id}/advance', () => {
  test('200 when the clock has arrived and all that was due has happened', async ({
    api,
    session,
  }) => {
    const clock = await aTestClock(session);
    const customer = await aCustomer(session, { testClockId: clock.id });
    const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
    const path = `/test-clocks/${clock.id}/advance`;
    const { status, body } = await api('POST', path, { frozenTime: march });
    expect({ status, body }).toEqual({
      status: 200,
      body: { testClock: { ...record, frozenTime: march } },
    });
    const { body: periods } = await api('GET', `/billing-periods?subscriptionId=${id}`);
    expect(
      periods.data.map(({ startDate, status }: Record<string, unknown>) => [startDate, status]),
    ).toEqual([
      [january, 'completed'],
      [february, 'completed'],
      [march, 'active'],
    ]);
  });

  test('200 for the instant that it is already, which changes nothing', async ({
    api,
    session,
  }) => {
    const { id } = await aTestClock(session);
    const { status, body } = await api('POST', `/test-clocks/${id}/advance`, {
      frozenTime: january,
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { testClock: record } });
  });

  test('400 for going back, by a millisecond even', async ({ api, session }) => {
    const { id } = await aTestClock(session);
    const body = { frozenTime: january - 1 };
    expect(await api('POST', `/test-clocks/${id}/advance`, body)).toMatchObject({
      status: 400,
      body: {
        issues: [
          {
            message:
              'frozenTime: must not be before 2026-01-31T10:00:00.000Z: time goes forward only',
          },
        ],
      },
    });
    expect((await api('GET', `/test-clocks/${id}`)).body.testClock).toEqual(record);
  });

  test.for(['soon', 1e16, undefined])(
    '400 for the instant %s, naming the field',
    async (frozenTime, { api, session }) => {
      const { id } = await aTestClock(session);
      const answer = await api('POST', `/test-clocks/${id}/advance`, { frozenTime });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
      expect(answer.body.issues[0].message).toMatch(/^frozenTime: /);
    },
  );

  test('404 for an unknown clock, and in live mode for every one', async ({
    api,
    session,
    liveKey,
  }) => {
    const { id } = await aTestClock(session);
    const body = { frozenTime: march };
    expect(await api('POST', '/test-clocks/test_clock_x/advance', body)).toMatchObject({
      status: 404,
    });
    const answer = await api('POST', `/test-clocks/${id}/advance`, body, { key: liveKey });
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

describe('DELETE /test-clocks/{id}', () => {
  test('200 with the clock as it was; then it is gone', async ({ api, session }) => {
    const { id } = await aTestClock(session);
    const { status, body } = await api('DELETE', `/test-clocks/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { testClock: record } });
    expect(await api('GET', `/test-clocks/${id}`)).toMatchObject({ status: 404 });
    expect(await api('DELETE', `/test-clocks/${id}`)).toMatchObject({ status: 404 });
  });

  test('404 for an unknown clock, and in live mode for every one', async ({
    api,
    session,
    liveKey,
  }) => {
    const { id } = await aTestClock(session);
    expect(await api('DELETE', '/test-clocks/test_clock_x')).toMatchObject({ status: 404 });
    const answer = await api('DELETE', `/test-clocks/${id}`, undefined, { key: liveKey });
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await api('GET', `/test-clocks/${id}`)).toMatchObject({ status: 200 });
  });
});

describe.for([
  ['POST', '/test-clocks'],
  ['GET', '/test-clocks'],
  ['GET', '/test-clocks/test_clock_x'],
  ['POST', '/test-clocks/test_clock_x/advance'],
  ['DELETE', '/test-clocks/test_clock_x'],
] as const)('%s %s', ([method, path]) => {
  const body =
    method === 'POST' ? { testClock: { frozenTime: january }, frozenTime: march } : undefined;

  test('401 without a key, and with an unknown one', async ({ api }) => {
    for (const key of [null, 'sk_test_nobody_nobody_nobody_nobody']) {
      expect(await api(method, path, body, { key })).toMatchObject({ status: 401 });
    }
  });

  test('403 with a publishable key', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    expect(await api(method, path, body, { key })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [] },
    });
  });
});
