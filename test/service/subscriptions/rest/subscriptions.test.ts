import { describe, expect } from 'vitest';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  aCustomer,
  aPaymentMethod,
  aPriceOf,
  aProduct,
  aSubscription,
  aTestClock,
  aToggle,
} from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^sub_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  startDate: expect.any(Number),
  customerId: expect.stringMatching(/^cust_/),
  organizationId: expect.stringMatching(/^org_/),
  status: 'active',
  defaultPaymentMethodId: null,
  backupPaymentMethodId: null,
  trialEnd: null,
  currentBillingPeriodStart: expect.any(Number),
  currentBillingPeriodEnd: expect.any(Number),
  metadata: null,
  canceledAt: null,
  cancelScheduledAt: null,
  cancellationReason: null,
  replacedBySubscriptionId: null,
  isFreePlan: false,
  doNotCharge: false,
  priceId: expect.stringMatching(/^price_/),
  runBillingAtPeriodStart: true,
  interval: 'month',
  intervalCount: 1,
  billingCycleAnchorDate: expect.any(Number),
  name: 'Pro',
  renews: true,
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  scheduledAdjustmentAt: null,
  current: true,
};

/** The fields that the older rendering of a canceled subscription lacks. */
const lacking = [
  'cancellationReason',
  'replacedBySubscriptionId',
  'isFreePlan',
  'doNotCharge',
  'renews',
  'pricingModelId',
  'scheduledAdjustmentAt',
];

const issue = (text: string) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: [{ message: expect.stringContaining(text) }] },
});

const notFound = (id: string) => ({
  status: 404,
  body: { code: 'NOT_FOUND', message: `Subscription ${id} not found`, issues: [] },
});

describe('POST /subscriptions', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const start = Date.parse('2026-01-31T10:00:00Z');
    const { id: testClockId } = await aTestClock(session, new Date(start));
    const { id: customerId } = await aCustomer(session, { testClockId });
    const { id: defaultPaymentMethodId } = await aPaymentMethod(session, customerId);
    const product = await aProduct(session);
    const priceId = (await product.prices.loadItems())[0]?.id;
    const { status, body } = await api('POST', '/subscriptions', {
      customerId,
      priceId,
      quantity: '3',
      defaultPaymentMethodId,
      metadata: { team: 'ä💸', seats: 3, trusted: true },
    });
    const subscription = {
      ...record,
      createdAt: start,
      updatedAt: start,
      startDate: start,
      customerId,
      defaultPaymentMethodId,
      priceId,
      billingCycleAnchorDate: start,
      currentBillingPeriodStart: start,
      currentBillingPeriodEnd: Date.parse('2026-02-28T10:00:00Z'),
      metadata: { team: 'ä💸', seats: 3, trusted: true },
    };
    expect({ status, body }).toEqual({ status: 200, body: { subscription } });
    expect((await api('GET', `/subscriptions/${body.subscription.id}`)).body).toEqual(body);
  });

  test('states in a header what an incomplete one waits for, and leaves the free plan current', async ({
    api,
    session,
  }) => {
    const { id: customerId, externalId } = await aCustomer(session);
    const priceId = await aPriceOf(session, {});
    const { body, headers } = await api('POST', '/subscriptions', { customerId, priceId });
    expect(body.subscription.status).toBe('incomplete');
    expect(headers.get('subscription-next-step')).toBe('add_payment_method');
    const billing = await api('GET', `/customers/${externalId}/billing`);
    expect(billing.body.currentSubscription).toMatchObject({ isFreePlan: true, status: 'active' });
    const paymentMethod = { customerId, type: 'card', token: 'sandbox_success' };
    await api('POST', '/payment-methods', { paymentMethod });
    const read = await api('GET', `/subscriptions/${body.subscription.id}`);
    expect(read.body.subscription).toMatchObject({ status: 'active' });
    expect(read.headers.get('subscription-next-step')).toBe(null);
    expect(Object.keys(read.body.subscription)).not.toContain('nextStep');
  });

  test('200 by the customer’s external id and the price’s slug, with every other field', async ({
    api,
    session,
  }) => {
    const { externalId } = await aCustomer(session);
    await aProduct(session, { price: { slug: 'pro-monthly' } });
    const startDate = Date.parse('2030-01-01T00:00:00Z');
    const chosen = {
      startDate,
      interval: 'week',
      intervalCount: 2,
      trialEnd: startDate + 1,
      name: 'Mine',
      doNotCharge: true,
    };
    const { body } = await api('POST', '/subscriptions', {
      customerExternalId: externalId,
      priceSlug: 'pro-monthly',
      ...chosen,
      startDate: '2030-01-01T00:00:00Z',
    });
    expect(body.subscription).toMatchObject({ ...chosen, status: 'active' });
  });

  test('200 with phases, which the list of phases has', async ({ api, session }) => {
    const { externalId } = await aCustomer(session);
    await aProduct(session, { price: { slug: 'pro-monthly' } });
    const { body } = await api('POST', '/subscriptions', {
      customerExternalId: externalId,
      priceSlug: 'pro-monthly',
      phases: [
        {
          after: { interval: 'day', intervalCount: 10 },
          timing: 'at_date',
          items: [{ priceSlug: 'pro-monthly', quantity: 3 }],
        },
      ],
    });
    const { id } = body.subscription;
    const { data } = (await api('GET', `/subscription-phases?subscriptionId=${id}`)).body;
    expect(data).toMatchObject([
      { subscriptionId: id, status: 'planned', timing: 'at_date', items: [{ quantity: 3 }] },
    ]);
  });

  test.for([
    ['customerId: give either', { customerId: undefined }],
    ['customerId: give either', { customerExternalId: 'ada' }],
    ['customerId: Unknown customer cust_x', { customerId: 'cust_x' }],
    ['customerExternalId: Unknown customer x', { customerId: undefined, customerExternalId: 'x' }],
    ['priceId: give ', { priceId: undefined }],
    ['priceId: give ', { priceSlug: 'pro' }],
    ['priceId: Unknown price price_x', { priceId: 'price_x' }],
    ['priceSlug: Unknown price x', { priceId: undefined, priceSlug: 'x' }],
    ['quantity: ', { quantity: 0 }],
    ['quantity: results in an amount that is too large', { quantity: Number.MAX_SAFE_INTEGER }],
    ['quantity: must be a whole number', { quantity: 2 ** 53 }],
    ['interval: must be one of', { interval: 'decade' }],
    ['intervalCount: ', { intervalCount: 1_001 }],
    ['startDate: must be', { startDate: 8.64e15 }],
    ['trialEnd: must be after the start', { startDate: 2e12, trialEnd: 2e12 }],
    ['trialEnd: must be after the start', { trialEnd: 1 }],
    ['trialEnd: must not be in the past', { startDate: 1, trialEnd: 2 }],
    ['defaultPaymentMethodId: Unknown payment method pm_x', { defaultPaymentMethodId: 'pm_x' }],
    ['backupPaymentMethodId: Unknown payment method pm_x', { backupPaymentMethodId: 'pm_x' }],
    ['defaultPaymentMethodId: must', { doNotCharge: true, defaultPaymentMethodId: 'pm_x' }],
    ['metadata.a: must have at most 500 characters', { metadata: { a: 'x'.repeat(501) } }],
    ['metadata: ', { metadata: ['a'] }],
  ] as const)('400 for %s', async ([text, wrong], { api, session }) => {
    const { id: customerId } = await aCustomer(session);
    const product = await aProduct(session);
    const priceId = (await product.prices.loadItems())[0]?.id;
    const answer = await api('POST', '/subscriptions', { customerId, priceId, ...wrong });
    expect(answer).toMatchObject(issue(text));
    expect(await session.em.fork().count(Subscription, { isFreePlan: false })).toBe(0);
  });
});

describe('GET /subscriptions', () => {
  test('200 with the documented envelope, page by page', async ({ api, session }) => {
    const { id } = await aSubscription(session);
    const first = await api('GET', '/subscriptions?limit=1');
    expect(first).toMatchObject({ status: 200, body: { hasMore: true, total: 2 } });
    const next = (await api('GET', `/subscriptions?limit=1&cursor=${first.body.nextCursor}`)).body;
    expect(next).toMatchObject({ hasMore: false, total: 2 });
    const listed = [...first.body.data, ...next.data];
    expect(listed).toContainEqual({ ...record, id, status: 'incomplete', ...withoutPeriod });
    expect(listed.map(({ status }) => status).sort()).toEqual(['active', 'incomplete']);
  });

  test('400 for a cursor of another list', async ({ api, session }) => {
    await aSubscription(session);
    const { nextCursor } = (await api('GET', '/subscription-items?limit=1')).body;
    expect(await api('GET', `/subscriptions?cursor=${nextCursor}`)).toMatchObject(
      issue('cursor: '),
    );
  });
});

const withoutPeriod = {
  currentBillingPeriodStart: null,
  currentBillingPeriodEnd: null,
  current: false,
};

describe('POST /subscriptions/{id}/cancel', () => {
  const cancel = (timing: string) => ({ cancellation: { timing } });

  test('200 with the older rendering', async ({ api, session }) => {
    const { id } = await aSubscription(session, { doNotCharge: true });
    const path = `/subscriptions/${id}/cancel`;
    const { status, body } = await api('POST', path, cancel('immediately'));
    expect(status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const older = Object.fromEntries(
      Object.entries(record).filter(([name]) => !lacking.includes(name)),
    );
    expect(body.subscription).toEqual({
      ...older,
      id,
      createdAt: time,
      updatedAt: time,
      createdByCommit: expect.stringMatching(/^v\d/),
      updatedByCommit: expect.stringMatching(/^v\d/),
      startDate: time,
      currentBillingPeriodStart: time,
      currentBillingPeriodEnd: time,
      billingCycleAnchorDate: time,
      status: 'canceled',
      current: false,
      canceledAt: time,
      cancelScheduledAt: body.subscription.canceledAt,
    });
  });

  test('200 with the current rendering when it is preferred', async ({ api, session }) => {
    const { id } = await aSubscription(session, { doNotCharge: true });
    const headers = { prefer: 'rendering=current' };
    const timing = cancel('at_end_of_current_billing_period');
    const { status, body } = await api('POST', `/subscriptions/${id}/cancel`, timing, { headers });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        subscription: {
          ...record,
          id,
          doNotCharge: true,
          status: 'cancellation_scheduled',
          cancelScheduledAt: body.subscription.currentBillingPeriodEnd,
        },
      },
    });
  });

  test.for([
    [{}, 'cancellation: is required'],
    [{ cancellation: {} }, 'cancellation.timing: is required'],
    [cancel('tomorrow'), 'cancellation.timing: must be one of'],
  ] as const)('400 for %j', async ([body, text], { api, session }) => {
    const { id } = await aSubscription(session);
    expect(await api('POST', `/subscriptions/${id}/cancel`, body)).toMatchObject(issue(text));
  });

  test('404 for the end of a period that does not exist', async ({ api, session }) => {
    const { id } = await aSubscription(session);
    const timing = cancel('at_end_of_current_billing_period');
    expect(await api('POST', `/subscriptions/${id}/cancel`, timing)).toMatchObject({
      status: 404,
      body: { message: `Subscription ${id} has no current billing period` },
    });
  });
});

describe('POST /subscriptions/{id}/pause', () => {
  test('200 with the subscription, which pauses with its period', async ({ api, session }) => {
    const { id, currentBillingPeriodEnd: end } = await aSubscription(session, {
      doNotCharge: true,
    });
    const timing = 'at_end_of_current_billing_period';
    const { status, body } = await api('POST', `/subscriptions/${id}/pause`, { pause: { timing } });
    expect(status).toBe(200);
    expect(body.subscription).toMatchObject({
      status: 'active',
      pausedAt: null,
      pauseScheduledAt: end?.getTime(),
      resumesAt: null,
    });
  });

  test('400 for an unknown timing, for an end before the start, and for one that awaits its payment', async ({
    api,
    session,
  }) => {
    const { id } = await aSubscription(session, { doNotCharge: true });
    const pause = (of: string, body: object) =>
      api('POST', `/subscriptions/${of}/pause`, { pause: body });
    expect((await pause(id, { timing: 'later' })).status).toBe(400);
    const resumesAt = Date.now() - 1_000;
    expect(await pause(id, { timing: 'immediately', resumesAt })).toMatchObject(
      issue('pause.resumesAt: must be after'),
    );
    const incomplete = await aSubscription(session);
    expect(await pause(incomplete.id, { timing: 'immediately' })).toMatchObject(
      issue('is incomplete'),
    );
  });

  test('404 for an unknown subscription', async ({ api }) => {
    const answer = await api('POST', '/subscriptions/sub_none/pause', {
      pause: { timing: 'immediately' },
    });
    expect(answer.status).toBe(404);
  });
});

describe('POST /subscriptions/{id}/commitment', () => {
  test('200 with the commitment and its running term; a repeat and an end change it', async ({
    api,
    session,
  }) => {
    const { id } = await aSubscription(session);
    const commitment = { amount: 120_000, interval: 'year', counts: 'all' };
    const { status, body } = await api('POST', `/subscriptions/${id}/commitment`, { commitment });
    expect(status).toBe(200);
    expect(body.subscription.commitment).toMatchObject({
      ...commitment,
      intervalCount: 1,
      trueUp: 'at_end',
    });
    const ended = await api('POST', `/subscriptions/${id}/end-commitment`, {
      timing: 'immediately',
    });
    expect(ended.body.subscription).toMatchObject({ id, commitment: null });
  });

  test('400 for an amount of 0, a term that periods do not fill, and one that is never charged', async ({
    api,
    session,
  }) => {
    const { id } = await aSubscription(session, { doNotCharge: true });
    const commit = (commitment: object) =>
      api('POST', `/subscriptions/${id}/commitment`, { commitment });
    expect((await commit({ amount: 0 })).status).toBe(400);
    expect(await commit({ amount: 100 })).toMatchObject(issue('is never charged'));
    const { id: other } = await aCustomer(session);
    expect(
      await api('POST', '/subscriptions', {
        customerId: other,
        priceId: await aPriceOf(session, {}),
        commitment: { amount: 100, interval: 'week' },
      }),
    ).toMatchObject(issue('commitment.interval: must be a multiple of the billing interval'));
  });

  test('404 for an unknown subscription', async ({ api }) => {
    const commitment = { amount: 1 };
    expect((await api('POST', '/subscriptions/sub_none/commitment', { commitment })).status).toBe(
      404,
    );
  });
});

describe('POST /subscriptions/{id}/resume', () => {
  test('200 with the subscription, which continues its period', async ({ api, session }) => {
    const { id } = await aSubscription(session, { doNotCharge: true });
    const paused = await api('POST', `/subscriptions/${id}/pause`, {
      pause: { timing: 'immediately' },
    });
    expect(paused.body.subscription).toMatchObject({
      status: 'paused',
      pausedAt: expect.any(Number),
    });
    const { status, body } = await api('POST', `/subscriptions/${id}/resume`, {});
    expect(status).toBe(200);
    expect(body.subscription).toMatchObject({ status: 'active', pausedAt: null });
    expect((await api('POST', `/subscriptions/${id}/resume`, {})).body).toEqual(body);
  });

  test('404 for an unknown subscription', async ({ api }) => {
    expect((await api('POST', '/subscriptions/sub_none/resume', {})).status).toBe(404);
  });
});

describe('POST /subscriptions/{id}/uncancel', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const { id } = await aSubscription(session, { doNotCharge: true });
    await api('POST', `/subscriptions/${id}/cancel`, {
      cancellation: { timing: 'at_end_of_current_billing_period' },
    });
    const { status, body } = await api('POST', `/subscriptions/${id}/uncancel`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { subscription: { ...record, id, doNotCharge: true } },
    });
  });
});

describe('POST /subscriptions/{id}/add-feature', () => {
  test('200 with the documented record', async ({ api, session }) => {
    const [{ id }, feature] = [await aSubscription(session), await aToggle(session)];
    const { status, body } = await api('POST', `/subscriptions/${id}/add-feature`, {
      featureSlug: feature.slug,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      subscriptionItemFeature: expect.objectContaining({
        featureId: feature.id,
        type: 'toggle',
        manuallyCreated: true,
        productFeatureId: null,
      }),
    });
  });

  test.for([
    [{}, 'featureId: give either featureId or featureSlug'],
    [{ featureId: 'a', featureSlug: 'b' }, 'featureId: give either featureId or featureSlug'],
    [{ featureId: 'a' }, 'featureId: Unknown feature a'],
    [{ featureSlug: 'b' }, 'featureSlug: Unknown feature b'],
  ] as const)('400 for %j', async ([body, text], { api, session }) => {
    const { id } = await aSubscription(session);
    expect(await api('POST', `/subscriptions/${id}/add-feature`, body)).toMatchObject(issue(text));
  });
});

const byId = [
  ['GET', '', undefined],
  ['POST', '/cancel', { cancellation: { timing: 'immediately' } }],
  ['POST', '/uncancel', undefined],
  ['POST', '/add-feature', { featureId: 'x' }],
] as const;

test.for(byId)(
  '404 for %s /subscriptions/{id}%s of another tenant',
  async ([method, end, body], { api, database }) => {
    const { id } = await aSubscription((await aTenant(database.orm.em)).session);
    for (const unknown of ['sub_none', id]) {
      const answer = await api(method, `/subscriptions/${unknown}${end}`, body);
      expect(answer).toMatchObject(notFound(unknown));
    }
  },
);

const endpoints = [
  ['GET', '/subscriptions', undefined],
  ['POST', '/subscriptions', { customerId: 'x', priceId: 'x' }],
  ...byId.map(([method, end, body]) => [method, `/subscriptions/x${end}`, body] as const),
] as const;

test.for(endpoints)('401 for %s %s without a key', async ([method, path, body], { api }) => {
  expect(await api(method, path, body, { key: null })).toMatchObject({ status: 401 });
});

test.for(endpoints)(
  '403 for %s %s with a publishable key',
  async ([method, path, body], { api, session }) => {
    const key = await aKey(session, 'publishable');
    const answer = await api(method, path, body, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', issues: [] } });
  },
);
