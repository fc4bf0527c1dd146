import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { aTimeline } from '../../../support/money-timeline.ts';
import { aDispute } from '../../../support/records/disputes.ts';
import { aKey } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const record = {
  id: expect.stringMatching(/^dispute_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  paymentId: expect.stringMatching(/^pym_/),
  customerId: expect.stringMatching(/^cust_/),
  status: 'opened',
  amount: 1_000,
  currency: 'USD',
  reason: 'fraudulent',
  withdrawnAmount: 1_000,
  fee: 1_500,
  evidenceDueAt: null,
  openedAt: expect.any(Number),
  closedAt: null,
  processorReference: expect.stringMatching(/^sandbox_du_/),
};

async function aDisputedPayment(session: Session) {
  const timeline = await aTimeline(session);
  await timeline.pays('sandbox_success');
  await timeline.subscribes();
  return aDispute(session, (await timeline.payments())[0]);
}

test('GET /disputes: 200 with the documented envelope', async ({ api, session }) => {
  await aDisputedPayment(session);
  await aDisputedPayment(session);
  const { status, body } = await api('GET', '/disputes?limit=1');
  expect({ status, body }).toEqual({
    status: 200,
    body: { data: [record], hasMore: true, total: 2, nextCursor: expect.any(String) },
  });
});

test('GET /disputes/{id}: 200 with the documented record', async ({ api, session }) => {
  const { id } = await aDisputedPayment(session);
  const { status, body } = await api('GET', `/disputes/${id}`);
  expect({ status, body }).toEqual({ status: 200, body: { dispute: { ...record, id } } });
});

test('GET /disputes/{id}: 404 for an unknown id', async ({ api }) => {
  expect(await api('GET', '/disputes/dispute_x')).toMatchObject({ status: 404 });
});

test('GET /disputes: 400 for a wrong limit', async ({ api }) => {
  expect(await api('GET', '/disputes?limit=x')).toMatchObject({ status: 400 });
});

const paths = ['/disputes', '/disputes/x'];

test.for(paths)('401 for GET %s without a key', async (path, { api }) => {
  expect(await api('GET', path, undefined, { key: null })).toMatchObject({ status: 401 });
});

test.for(paths)('403 for GET %s with a publishable key', async (path, { api, session }) => {
  const key = await aKey(session, 'publishable');
  expect(await api('GET', path, undefined, { key })).toMatchObject({ status: 403 });
});
