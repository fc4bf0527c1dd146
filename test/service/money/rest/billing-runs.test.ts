import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { aCustomer, aPaymentMethod, aSubscription } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^billing_run_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  subscriptionId: expect.stringMatching(/^sub_/),
  billingPeriodId: expect.stringMatching(/^billing_period_/),
  invoiceId: expect.stringMatching(/^inv_/),
  status: 'succeeded',
  scheduledFor: expect.any(Number),
  attemptNumber: 1,
  errorDetails: null,
};

/** A subscription that has been paid for, or could not be. */
async function aBilledSubscription(session: Session, token = 'sandbox_success') {
  const { id: customerId } = await aCustomer(session);
  await aPaymentMethod(session, customerId, { token });
  return aSubscription(session, { customerId });
}

test('GET /billing-runs: 200 with the documented envelope', async ({ api, session }) => {
  await aBilledSubscription(session);
  await aBilledSubscription(session);
  const { status, body } = await api('GET', '/billing-runs?limit=1');
  expect({ status, body }).toEqual({
    status: 200,
    body: { data: [record], hasMore: true, total: 2, nextCursor: expect.any(String) },
  });
});

test('GET /billing-runs: 200 by subscription and status', async ({ api, session }) => {
  const { id } = await aBilledSubscription(session);
  const failed = await aBilledSubscription(session, 'sandbox_decline_expired_card');
  for (const [query, subscriptionId, status] of [
    [`subscriptionId=${id}`, id, 'succeeded'],
    ['status=failed', failed.id, 'failed'],
    [`subscriptionId=${id}&status=succeeded`, id, 'succeeded'],
  ]) {
    const { body } = await api('GET', `/billing-runs?${query}`);
    expect(body).toMatchObject({ total: 1, data: [{ subscriptionId, status }] });
  }
  const { body } = await api('GET', `/billing-runs?subscriptionId=${id}&status=failed`);
  expect(body).toEqual({ data: [], hasMore: false, total: 0 });
});

test.for(['limit', 'status', 'cursor'])(
  'GET /billing-runs: 400 for a wrong %s',
  async (field, { api }) => {
    const { status, body } = await api('GET', `/billing-runs?${field}=x`);
    expect({ status, issues: body.issues }).toEqual({
      status: 400,
      issues: [{ message: expect.stringMatching(new RegExp(`^${field}: `)) }],
    });
  },
);

test('GET /billing-runs/{id}: 200 with the documented record', async ({ api, session }) => {
  const { id: subscriptionId } = await aBilledSubscription(session);
  const { id } = (await api('GET', '/billing-runs')).body.data[0];
  const { status, body } = await api('GET', `/billing-runs/${id}`);
  expect({ status, body }).toEqual({
    status: 200,
    body: { billingRun: { ...record, id, subscriptionId } },
  });
});

test('GET /billing-runs/{id}: 200 for one that has failed, which states why', async ({
  api,
  session,
}) => {
  await aBilledSubscription(session, 'sandbox_decline_expired_card');
  const { id } = (await api('GET', '/billing-runs')).body.data[0];
  const { body } = await api('GET', `/billing-runs/${id}`);
  expect(body.billingRun).toEqual({
    ...record,
    status: 'failed',
    errorDetails: 'The card has expired',
  });
});

const paths = ['/billing-runs', '/billing-runs/x'];

test.for(paths)('401 for GET %s without a key', async (path, { api }) => {
  expect(await api('GET', path, undefined, { key: null })).toMatchObject({ status: 401 });
});

test.for(paths)('403 for GET %s with a publishable key', async (path, { api, session }) => {
  const key = await aKey(session, 'publishable');
  const answer = await api('GET', path, undefined, { key });
  expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', issues: [] } });
});

test('404 for an unknown id and for one of another tenant', async ({ api, database }) => {
  const { session, key } = await aTenant(database.orm.em);
  await aBilledSubscription(session);
  const theirs = await api('GET', '/billing-runs', undefined, { key });
  for (const id of ['billing_run_none', theirs.body.data[0].id]) {
    const { status, body } = await api('GET', `/billing-runs/${id}`);
    expect({ status, body }).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: `BillingRun ${id} not found`, issues: [] },
    });
  }
});
