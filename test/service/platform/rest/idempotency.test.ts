import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { aResource, aSubscription, aUsageMeter, aUsagePrice } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { type Answer, apiOf, testAlone } from '../../../support/test.ts';

const test = testAlone('it changes the database or its connections');

const seats = { resource: { slug: 'seats', name: 'Seats' } };
const under = (key: string) => ({ headers: { 'idempotency-key': key } });

const resourcesOf = ({ em }: Session) => em.fork().count(Resource);
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
const same = ({ status, body }: Answer) => ({ status, body });

/** Changes what is kept of the test's requests, as time would. */
const alter = ({ em, pricingModelId }: Session, changes: string) =>
  em
    .fork()
    .execute(`update idempotency_key set ${changes} where pricing_model_id = ?`, [pricingModelId]);

describe('Idempotency-Key', () => {
  test('a repeat gets the first answer again and does nothing', async ({ api, session }) => {
    const first = await api('POST', '/resources', seats, under('a'));
    expect(first).toMatchObject({ status: 200, body: { resource: { slug: 'seats' } } });
    expect(replayed(first)).toBeNull();
    for (let n = 0; n < 2; n++) {
      const repeat = await api('POST', '/resources', seats, under('a'));
      expect(same(repeat)).toEqual(same(first));
      expect(replayed(repeat)).toBe('true');
      expect(repeat.headers.get('content-type')).toBe('application/json');
    }
    expect(await resourcesOf(session)).toBe(1);
  });

  test('a repeat is byte for byte the first answer, with its preference', async ({
    gateway,
    tenant,
  }) => {
    const send = () =>
      gateway.fetch('http://test/api/v1/catalogs', {
        method: 'POST',
        headers: {
          authorization: tenant.key,
          'idempotency-key': 'a',
          prefer: 'rendering=current',
          'content-type': 'application/json',
        },
        body: '{"catalog":{"name":"Spring"}}',
      });
    const [first, repeat] = [await send(), await send()];
    expect(repeat.headers.get('preference-applied')).toBe('rendering=current');
    expect(await repeat.text()).toBe(await first.text());
  });

  test('without a key every request is executed', async ({ api }) => {
    expect(await api('POST', '/resources', seats)).toMatchObject({ status: 200 });
    expect(await api('POST', '/resources', seats)).toMatchObject({ status: 400 });
  });

  test('400 for another request under the same key, and nothing is done', async ({
    api,
    session,
  }) => {
    await api('POST', '/resources', seats, under('a'));
    const body = { resource: { slug: 'rooms', name: 'Rooms' } };
    const others = [
      await api('POST', '/resources', body, under('a')),
      await api('POST', '/catalogs', { catalog: { name: 'Other' } }, under('a')),
    ];
    for (const other of others) {
      expect(same(other)).toEqual({
        status: 400,
        body: {
          code: 'BAD_REQUEST',
          message: expect.stringContaining('Idempotency-Key a'),
          issues: [],
        },
      });
    }
    expect(await resourcesOf(session)).toBe(1);
  });

  test('of 10 at once one is executed, and all get its answer', async ({ api, session }) => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api('POST', '/resources', seats, under('a'))),
    );
    const [first] = answers;
    for (const answer of answers) expect(same(answer)).toEqual(same(first as Answer));
    expect(first?.status).toBe(200);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await resourcesOf(session)).toBe(1);
  });

  test('keys belong to the tenant: another API key of it gets the first answer', async ({
    api,
    session,
  }) => {
    const first = await api('POST', '/resources', seats, under('a'));
    const repeat = await api('POST', '/resources', seats, {
      key: await aKey(session, 'secret'),
      ...under('a'),
    });
    expect(same(repeat)).toEqual(same(first));
    expect(replayed(repeat)).toBe('true');
    expect(await resourcesOf(session)).toBe(1);
  });

  test('another tenant has its own keys', async ({ api, gateway, database, session }) => {
    await api('POST', '/resources', seats, under('a'));
    const other = await aTenant(database.orm.em);
    const answer = await apiOf(gateway, other.key)('POST', '/resources', seats, under('a'));
    expect(answer.status).toBe(200);
    expect(replayed(answer)).toBeNull();
    expect(await resourcesOf(other.session)).toBe(1);
    expect(await resourcesOf(session)).toBe(1);
  });

  test('PUT works the same', async ({ api, session }) => {
    const { id } = await aResource(session, { slug: 'seats', name: 'Seats' });
    const rename = (name: string, key: string) =>
      api('PUT', `/resources/${id}`, { resource: { name } }, under(key));
    const first = await rename('One', 'a');
    await rename('Two', 'b');
    const repeat = await rename('One', 'a');
    expect(same(repeat)).toEqual(same(first));
    expect(replayed(repeat)).toBe('true');
    expect((await api('GET', `/resources/${id}`)).body.resource.name).toBe('Two');
  });

  test('GET ignores the header', async ({ api, session }) => {
    const before = await api('GET', '/resources', undefined, under('a'));
    await aResource(session);
    const after = await api('GET', '/resources', undefined, under('a'));
    expect([before.body.resources.length, after.body.resources.length]).toEqual([0, 1]);
    expect(await api('POST', '/resources', seats, under('a'))).toMatchObject({ status: 200 });
  });

  test.for(['', 'x'.repeat(256)])(
    '400 for the key «%.3s…», which is not 1 to 255 characters long',
    async (key, { api, session }) => {
      const answer = await api('POST', '/resources', seats, under(key));
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', issues: [] } });
      expect(await resourcesOf(session)).toBe(0);
    },
  );

  test('a key of 255 characters is one', async ({ api }) => {
    const options = under('x'.repeat(255));
    await api('POST', '/resources', seats, options);
    expect(replayed(await api('POST', '/resources', seats, options))).toBe('true');
  });
});

describe('A kept answer', () => {
  test('a refusal is given again, although the same request would now succeed', async ({
    api,
    session,
  }) => {
    const { id } = await aResource(session, { slug: 'seats' });
    const first = await api('POST', '/resources', seats, under('a'));
    expect(first).toMatchObject({ status: 400 });
    await api('PUT', `/resources/${id}`, { resource: { slug: 'rooms' } });
    const repeat = await api('POST', '/resources', seats, under('a'));
    expect(same(repeat)).toEqual(same(first));
    expect(replayed(repeat)).toBe('true');
    expect(await resourcesOf(session)).toBe(1);
  });

  test.for([
    ['404', 'PUT', '/resources/none', { resource: {} }],
    ['400', 'POST', '/resources', { resource: { slug: '', name: '' } }],
  ] as const)('a %s for %s %s %o is given again', async ([status, method, path, body], { api }) => {
    const first = await api(method, path, body, under('a'));
    const repeat = await api(method, path, body, under('a'));
    expect(first.status).toBe(Number(status));
    expect(same(repeat)).toEqual(same(first));
    expect(replayed(repeat)).toBe('true');
  });

  test('a refusal by the database itself is given again, too', async ({ api }) => {
    const uncancel = () => api('POST', '/subscriptions/a%00b/uncancel', {}, under('a'));
    const first = await uncancel();
    expect(first).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    const repeat = await uncancel();
    expect(same(repeat)).toEqual(same(first));
    expect(replayed(repeat)).toBe('true');
  });

  test('a 403 is not kept: it depends on who asks', async ({ api, session }) => {
    const options = { key: await aKey(session, 'publishable'), ...under('a') };
    expect(await api('POST', '/resources', seats, options)).toMatchObject({ status: 403 });
    const answer = await api('POST', '/resources', seats, under('a'));
    expect(answer).toMatchObject({ status: 200 });
    expect(replayed(answer)).toBeNull();
  });

  test('a 401 is not kept', async ({ api }) => {
    const refused = await api('POST', '/resources', seats, {
      key: 'sk_test_unknown_key',
      ...under('a'),
    });
    expect(refused).toMatchObject({ status: 401 });
    const answer = await api('POST', '/resources', seats, under('a'));
    expect(answer).toMatchObject({ status: 200 });
    expect(replayed(answer)).toBeNull();
  });

  test('a failure of ours is not kept: the repeat is executed', async ({ api, session }) => {
    const em = session.em.fork();
    await em.execute('alter table resource rename to resource_away');
    const failed = await api('POST', '/resources', seats, under('a'));
    await em.execute('alter table resource_away rename to resource');
    expect(failed).toMatchObject({ status: 500 });
    const repeat = await api('POST', '/resources', seats, under('a'));
    expect(repeat).toMatchObject({ status: 200 });
    expect(replayed(repeat)).toBeNull();
  });

  test('after 24 hours the key is free, also for another request', async ({ api, session }) => {
    await api('POST', '/resources', seats, under('a'));
    await alter(session, "created_at = now() - interval '23 hours 59 minutes'");
    expect(replayed(await api('POST', '/resources', seats, under('a')))).toBe('true');
    await alter(session, "created_at = now() - interval '24 hours 1 minute'");
    const body = { resource: { slug: 'rooms', name: 'Rooms' } };
    const answer = await api('POST', '/resources', body, under('a'));
    expect(answer).toMatchObject({ status: 200, body: { resource: { slug: 'rooms' } } });
    expect(replayed(await api('POST', '/resources', body, under('a')))).toBe('true');
  });
});

describe('Usage events with an Idempotency-Key', () => {
  test('are recorded once, however many requests bring them at once', async ({ api, session }) => {
    const { event } = await aMeteredUser(session);
    const body = { usageEvents: [event('t1'), event('t2')] };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api('POST', '/usage-events/bulk', body, under('a'))),
    );
    for (const answer of answers) expect(same(answer)).toEqual(same(answers[0] as Answer));
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await usageOf(session)).toBe(2);
  });

  test('leave nothing behind when they are refused after they were inserted, and are refused again', async ({
    api,
    session,
  }) => {
    const { event } = await aMeteredUser(session);
    const other = await aSubscription(session, { doNotCharge: true });
    await api('POST', '/usage-events', {
      usageEvent: { ...event('t1'), subscriptionId: other.id },
    });
    const body = { usageEvents: [event('t2'), event('t1')] };
    const first = await api('POST', '/usage-events/bulk', body, under('a'));
    expect(first).toMatchObject({ status: 400 });
    expect(first.body.issues[0].message).toContain('of another subscription on this meter');
    expect(replayed(first)).toBeNull();
    expect(await usageOf(session)).toBe(1);
    const repeat = await api('POST', '/usage-events/bulk', body, under('a'));
    expect(same(repeat)).toEqual(same(first));
    expect(replayed(repeat)).toBe('true');
    expect(await usageOf(session)).toBe(1);
  });

  /** A subscription whose events a meter counts. */
  async function aMeteredUser(session: Session) {
    const { id: subscriptionId } = await aSubscription(session, { doNotCharge: true });
    const { id, slug } = await aUsageMeter(session);
    await aUsagePrice(session, id, { slug: 'calls', isDefault: true });
    const event = (transactionId: string) => ({
      subscriptionId,
      amount: 1,
      transactionId,
      usageMeterSlug: slug,
    });
    return { event };
  }

  const usageOf = ({ em }: Session) => em.fork().count(UsageEvent);
});
