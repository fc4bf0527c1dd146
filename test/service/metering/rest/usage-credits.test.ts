import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { aPricingModel, aSubscription, aUsageMeter, fresh } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { at } from '../../../support/timeline.ts';
import { availableOf, grant, use } from '../../../support/usage.ts';
import { aBilled } from '../../../support/usage-invoices.ts';

const record = {
  id: expect.stringMatching(/^usage_credit_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  subscriptionId: expect.stringMatching(/^sub_/),
  usageMeterId: expect.stringMatching(/^usage_meter_/),
  customerId: expect.stringMatching(/^cust_/),
  amount: 100,
  remaining: 100,
  expired: 0,
  expiresAt: null,
  priority: 50,
  source: 'manual',
  sourceId: null,
  billingPeriodId: null,
  reason: null,
  rollover: null,
};

const issue = (text: string) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: [{ message: expect.stringContaining(text) }] },
});

const notFound = (id: string) => ({
  status: 404,
  body: { code: 'NOT_FOUND', message: `UsageCredit ${id} not found`, issues: [] },
});

async function aGrant(session: Session) {
  const [{ id: subscriptionId }, meter] = [
    await aSubscription(session, { doNotCharge: true }),
    await aUsageMeter(session),
  ];
  const credit = { subscriptionId, usageMeterSlug: meter.slug, amount: 100 };
  return { credit, user: { id: subscriptionId, slug: meter.slug }, meter };
}

const creditsOf = ({ em }: Session) => em.fork().count(UsageCredit);

describe('POST /usage-credits', () => {
  test('200 with the record, and the credits can be used at once', async ({ api, session }) => {
    const { credit, user } = await aGrant(session);
    const { status, body } = await api('POST', '/usage-credits', { usageCredit: credit });
    expect({ status, body }).toEqual({ status: 200, body: { usageCredit: record } });
    expect(await availableOf(session, user)).toBe(100);
  });

  test('200 with every field that it takes; what was used without credits is covered first', async ({
    api,
    session,
  }) => {
    const { credit, user, meter } = await aGrant(session);
    await use(session, user, '30.25');
    const { usageMeterSlug: _, ...rest } = credit;
    const usageCredit = {
      ...rest,
      usageMeterId: meter.id,
      amount: 100.5,
      expiresAt: 4e12,
      priority: 0,
      reason: 'Sorry',
    };
    const { body } = await api('POST', '/usage-credits', { usageCredit });
    expect(body.usageCredit).toEqual({ ...record, ...usageCredit, remaining: 70.25 });
    expect(await availableOf(session, user)).toBe(70.25);
  });

  test.for([
    ['subscriptionId: is required', { subscriptionId: undefined }],
    ['subscriptionId: Unknown subscription', { subscriptionId: 'sub_x' }],
    ['usageMeterSlug: Unknown usage meter none', { usageMeterSlug: 'none' }],
    ['usageMeterId: Unknown usage meter', { usageMeterSlug: null, usageMeterId: 'usage_meter_x' }],
    ['usageMeterId: give either', { usageMeterSlug: null }],
    ['usageMeterId: give either', { usageMeterId: 'usage_meter_x' }],
    ['amount: is required', { amount: undefined }],
    ['amount: must be a decimal above 0', { amount: 0 }],
    ['amount: must be a decimal above 0', { amount: -5 }],
    ['amount', { amount: 1e-10 }],
    ['amount', { amount: '9007199254740992' }],
    ['expiresAt: must be in the future', { expiresAt: 1e12 }],
    ['priority', { priority: -1 }],
    ['priority', { priority: 101 }],
    ['reason', { reason: 'x'.repeat(10_001) }],
  ] as const)('400 for %s (%j)', async ([text, wrong], { api, session }) => {
    const { credit } = await aGrant(session);
    const answer = await api('POST', '/usage-credits', { usageCredit: { ...credit, ...wrong } });
    expect(answer).toMatchObject(issue(`usageCredit.${text}`));
    expect(await creditsOf(session)).toBe(0);
  });

  test('400 for a subscription that has ended, and for what is of another pricing model', async ({
    api,
    session,
  }) => {
    const { credit } = await aGrant(session);
    const foreign = await aGrant(await aPricingModel(session));
    const { subscriptionId } = foreign.credit;
    const answer = await api('POST', '/usage-credits', {
      usageCredit: { ...credit, subscriptionId },
    });
    expect(answer).toMatchObject(issue('subscriptionId: Unknown subscription'));
    const { usageMeterSlug: _, ...rest } = credit;
    const meter = { ...rest, usageMeterId: foreign.meter.id };
    expect(await api('POST', '/usage-credits', { usageCredit: meter })).toMatchObject(
      issue('usageMeterId: Unknown usage meter'),
    );
    await cancelSubscription(fresh(session), {
      id: credit.subscriptionId,
      cancellation: { timing: 'immediately' },
    });
    expect(await api('POST', '/usage-credits', { usageCredit: credit })).toMatchObject(
      issue(`subscriptionId: Subscription ${credit.subscriptionId} has ended`),
    );
  });

  test('an Idempotency-Key gives the credits once', async ({ api, session }) => {
    const { credit, user } = await aGrant(session);
    const headers = { 'idempotency-key': 'once' };
    const send = () => api('POST', '/usage-credits', { usageCredit: credit }, { headers });
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set(answers.map(({ body }) => body.usageCredit.id)).size).toBe(1);
    expect(await availableOf(session, user)).toBe(100);
  });

  test('401 without a key, 403 with a publishable one', async ({ api, session }) => {
    const body = { usageCredit: (await aGrant(session)).credit };
    const key = await aKey(session, 'publishable');
    expect(await api('POST', '/usage-credits', body, { key: null })).toMatchObject({ status: 401 });
    expect(await api('POST', '/usage-credits', body, { key })).toMatchObject({ status: 403 });
    expect(await creditsOf(session)).toBe(0);
  });
});

describe('GET /usage-credits/{id}', () => {
  test('200 with what is left by now', async ({ api, session }) => {
    const { credit, user } = await aGrant(session);
    const { usageCredit } = (await api('POST', '/usage-credits', { usageCredit: credit })).body;
    await use(session, user, 40);
    const { status, body } = await api('GET', `/usage-credits/${usageCredit.id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { usageCredit: { ...record, remaining: 60 } },
    });
  });

  test('200 with what ran out, at the instant at which it does on a test clock', async ({
    api,
    session,
  }) => {
    const it = await aBilled(session);
    const [first, second] = [
      await grant(session, it, 50, { expiresAt: at('2026-01-10') }),
      await grant(session, it, 30, { expiresAt: at('2026-01-20') }),
    ];
    await use(session, it, 10);
    await it.to('2026-01-10');
    const read = async ({ id }: { id: string }) =>
      (await api('GET', `/usage-credits/${id}`)).body.usageCredit;
    expect(await read(first)).toMatchObject({ amount: 50, remaining: 0, expired: 40 });
    expect(await read(second)).toMatchObject({ amount: 30, remaining: 30, expired: 0 });
    await it.to('2026-01-25');
    expect(await read(second)).toMatchObject({ amount: 30, remaining: 0, expired: 30 });
    const { body } = await api('GET', '/events?types=usage_credit.expired&limit=10');
    const told = body.data.map((event: { occurredAt: number; data: { expired: number } }) => [
      event.occurredAt,
      event.data.expired,
    ]);
    expect(told).toEqual([
      [at('2026-01-10').getTime(), 40],
      [at('2026-01-20').getTime(), 30],
    ]);
  });

  test('200 with what ran out in real time, before that is written down', async ({
    api,
    session,
  }) => {
    const { credit } = await aGrant(session);
    const expiresAt = Date.now() + 3_600_000;
    const { body } = await api('POST', '/usage-credits', { usageCredit: { ...credit, expiresAt } });
    const { em } = session;
    await em.fork().nativeUpdate(UsageCredit, body.usageCredit.id, { expiresAt: new Date(0) });
    const read = (await api('GET', `/usage-credits/${body.usageCredit.id}`)).body.usageCredit;
    expect(read).toMatchObject({ amount: 100, remaining: 0, expired: 100 });
  });

  test('404 for an unknown id and for a credit of another organization', async ({
    api,
    session,
    database,
  }) => {
    expect(await api('GET', '/usage-credits/usage_credit_x')).toMatchObject(
      notFound('usage_credit_x'),
    );
    const { credit } = await aGrant(session);
    const { usageCredit } = (await api('POST', '/usage-credits', { usageCredit: credit })).body;
    const { key } = await aTenant(database.orm.em);
    const path = `/usage-credits/${usageCredit.id}`;
    expect(await api('GET', path, undefined, { key })).toMatchObject(notFound(usageCredit.id));
  });

  test('401 without a key, 403 with a publishable one', async ({ api, session }) => {
    const [path, key] = ['/usage-credits/usage_credit_x', await aKey(session, 'publishable')];
    expect(await api('GET', path, undefined, { key: null })).toMatchObject({ status: 401 });
    expect(await api('GET', path, undefined, { key })).toMatchObject({ status: 403 });
  });
});

describe('GET /usage-credits', () => {
  test('200 in the list envelope', async ({ api, session }) => {
    const { credit } = await aGrant(session);
    await api('POST', '/usage-credits', { usageCredit: credit });
    const { status, body } = await api('GET', '/usage-credits');
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: [record], hasMore: false, total: 1 },
    });
  });

  test('400 for a bad limit, 401 without a key, 403 with a publishable one', async ({
    api,
    session,
  }) => {
    const key = await aKey(session, 'publishable');
    expect(await api('GET', '/usage-credits?limit=0')).toMatchObject({ status: 400 });
    expect(await api('GET', '/usage-credits', undefined, { key: null })).toMatchObject({
      status: 401,
    });
    expect(await api('GET', '/usage-credits', undefined, { key })).toMatchObject({ status: 403 });
  });
});
