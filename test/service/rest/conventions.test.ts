import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import type { createGateway } from '#server/yoga.ts';
import { aSubscription, aUsageMeter, aUsagePrice, fresh } from '../../support/factories.ts';
import { test } from '../../support/test.ts';

type Gateway = ReturnType<typeof createGateway>;

/** Creates a resource under one key. The published interface lacks the statuses of keys, so the answer is not compared. */
async function createOnce(gateway: Gateway, key: string, slug: string, prefer: string) {
  const answer = await gateway.fetch('http://test/api/v1/resources', {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...{ 'idempotency-key': 'one', prefer },
    },
    body: JSON.stringify({ resource: { slug, name: slug } }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

describe('A list', () => {
  test('leads to its next page with the same conditions, until the last page', async ({
    api,
    session,
  }) => {
    const slugs = ['desks', 'rooms', 'seats'];
    for (const slug of slugs) await aUsageMeter(session, { slug });
    const found: string[] = [];
    let path: string | undefined = '/usage-meters?limit=1&slug=desks&slug=rooms&slug=seats';
    for (let pages = 0; path && pages < 9; pages++) {
      const { body, headers, status } = await api('GET', path);
      expect(status, JSON.stringify(body)).toBe(200);
      found.push(...body.data.map(({ slug }: { slug: string }) => slug));
      const [, next] = /^<\/api\/v1([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
      expect(next === undefined).toBe(!body.hasMore);
      path = next;
    }
    expect(found.sort()).toEqual(slugs);
  });
});

describe('A refusal', () => {
  test('is a problem of RFC 9457 for a caller that accepts one, and as documented for others', async ({
    gateway,
    tenant,
  }) => {
    const ask = async (accept: string, path = '/usage-meters/none') => {
      const headers = { authorization: `Bearer ${tenant.key}`, accept };
      const answer = await gateway.fetch(`http://test/api/v1${path}`, { headers });
      return { type: answer.headers.get('content-type'), body: await answer.json() };
    };
    expect(await ask('application/json, application/problem+json')).toEqual({
      type: 'application/problem+json',
      body: {
        type: '/docs/errors',
        title: 'The record does not exist',
        status: 404,
        detail: 'UsageMeter none not found',
        code: 'NOT_FOUND',
        issues: [],
      },
    });
    expect(await ask('application/json, application/problem+json;q=0')).toEqual({
      type: 'application/json',
      body: { code: 'NOT_FOUND', message: 'UsageMeter none not found', issues: [] },
    });
    expect(await ask('application/problem+json', '/usage-meters?limit=1')).toMatchObject({
      type: 'application/json',
      body: { data: [] },
    });
  });

  test('of a used idempotency key is a 422 where the caller prefers the statuses of keys', async ({
    gateway,
    tenant,
  }) => {
    const create = (slug: string, prefer = '') => createOnce(gateway, tenant.key, slug, prefer);
    expect((await create('desks')).status).toBe(200);
    expect(await create('seats')).toMatchObject({ status: 400 });
    const { status, body, headers } = await create('seats', 'idempotency-statuses');
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'BAD_REQUEST' });
    expect(headers.get('preference-applied')).toBe('idempotency-statuses');
  });

  test('is a 409 at once while the first request is in progress', async ({ gateway, tenant }) => {
    const create = () => createOnce(gateway, tenant.key, 'desks', 'idempotency-statuses');
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect((await create()).headers.get('idempotent-replayed')).toBe('true');
  });
});

test('an answer states the rate of its key and what is left of it', async ({
  api,
  graphql,
  gateway,
  tenant,
}) => {
  const left = (headers: Headers) => {
    expect(headers.get('ratelimit-policy')).toBe('"secret";q=50000;w=10');
    const [, remaining] = /^"secret";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? [];
    return Number(remaining);
  };
  for (let call = 0; call < 2; call++) await graphql('{ usageMeters(first: 1) { totalCount } }');
  expect(left((await api('GET', '/usage-meters/none')).headers)).toBeGreaterThan(49_000);
  const answer = await gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ usageMeters(first: 1) { totalCount } }' }),
  });
  expect(left(answer.headers)).toBeGreaterThan(49_000);
});

describe('A CloudEvent', () => {
  const one = { headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' } };
  const batch = { headers: { 'content-type': 'application/cloudevents-batch+json' } };
  const stored = async ({ em }: Session) =>
    (await em.find(UsageEvent, {}, { orderBy: { position: 'asc' } })).map(
      ({ amount, transactionId, usageDate, properties }) => ({
        ...{ amount: Number(amount), transactionId, properties },
        usageDate: usageDate.toISOString(),
      }),
    );

  async function aMeter(session: Session) {
    const { id: subject } = await aSubscription(session, { doNotCharge: true });
    const { id, slug: type } = await aUsageMeter(session);
    await aUsagePrice(session, id, { slug: 'calls', isDefault: true });
    const time = new Date().toISOString();
    return (id: string, data: object = { amount: 2 }) => ({
      ...{ specversion: '1.0', id, source: '/shop', type, subject, time, data },
    });
  }

  test('is recorded once, alone or in a batch, under its source and id', async ({
    api,
    session,
  }) => {
    const event = await aMeter(session);
    const first = event('1', { amount: 3, properties: { region: 'eu' } });
    for (const _ of [1, 2])
      expect((await api('POST', '/usage-events', first, one)).status).toBe(200);
    const { status, body, headers } = await api(
      'POST',
      '/usage-events/bulk',
      [first, event('2')],
      batch,
    );
    expect({ status, count: body.usageEvents?.length }).toEqual({ status: 200, count: 1 });
    expect(headers.get('usage-duplicates')).toBe('1');
    const at = { usageDate: first.time };
    expect(await stored(fresh(session))).toEqual([
      { amount: 3, transactionId: '/shop 1', properties: { region: 'eu' }, ...at },
      { amount: 2, transactionId: '/shop 2', properties: null, usageDate: expect.any(String) },
    ]);
  });

  test('with an attribute that has no meaning here is refused with its place', async ({
    api,
    session,
  }) => {
    const event = await aMeter(session);
    const refusal = async (sent: unknown, options = batch, path = '/usage-events/bulk') => {
      const { status, body } = await api('POST', path, sent, options);
      return { status, issues: body.issues.map(({ message }: { message: string }) => message) };
    };
    expect(await refusal([event('1'), { ...event('2'), tenant: 'a' }])).toEqual({
      status: 400,
      issues: [expect.stringMatching(/^1\.tenant: is unknown/)],
    });
    expect(await refusal([{ ...event('1'), specversion: '0.3', time: 'now' }])).toEqual({
      status: 400,
      issues: ['0.specversion: must be 1.0', expect.stringMatching(/^0\.time: must be an instant/)],
    });
    expect(await refusal([event('1', { amount: 1, transactionId: 't' })])).toEqual({
      status: 400,
      issues: [expect.stringMatching(/^0\.data\.transactionId: /)],
    });
    expect((await refusal(event('1'))).status).toBe(400);
    expect((await refusal([event('1')], one, '/usage-events')).status).toBe(400);
    expect((await refusal(event('1'), one, '/usage-events/bulk')).status).toBe(400);
    expect(await stored(fresh(session))).toEqual([]);
  });
});
