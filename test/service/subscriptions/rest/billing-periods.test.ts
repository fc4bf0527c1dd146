import { describe, expect } from 'vitest';
import { aCustomer, aSubscription, aTestClock } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const record = {
  id: expect.stringMatching(/^billing_period_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  subscriptionId: expect.stringMatching(/^sub_/),
  startDate: expect.any(Number),
  endDate: expect.any(Number),
  status: 'active',
  trialPeriod: false,
};

const at = (day: string) => Date.parse(`${day}T10:00:00Z`);

const issue = (text: string) => ({
  status: 400,
  body: { code: 'BAD_REQUEST', issues: [{ message: expect.stringContaining(text) }] },
});

describe('GET /billing-periods', () => {
  test('200 with those of one subscription, without a gap, and of one status', async ({
    api,
    session,
  }) => {
    const { id: testClockId } = await aTestClock(session, new Date(at('2026-01-31')));
    const { id: customerId } = await aCustomer(session, { testClockId });
    const { id: subscriptionId } = await aSubscription(session, { customerId, doNotCharge: true });
    const advance = { frozenTime: at('2026-04-01') };
    expect((await api('POST', `/test-clocks/${testClockId}/advance`, advance)).status).toBe(200);

    const path = `/billing-periods?subscriptionId=${subscriptionId}`;
    const period = (start: string, end: string, status: string) => ({
      ...record,
      subscriptionId,
      startDate: at(start),
      endDate: at(end),
      status,
    });
    const last = period('2026-03-31', '2026-04-30', 'active');
    expect(await api('GET', path)).toMatchObject({
      status: 200,
      body: {
        data: [
          period('2026-01-31', '2026-02-28', 'completed'),
          period('2026-02-28', '2026-03-31', 'completed'),
          last,
        ],
        hasMore: false,
        total: 3,
      },
    });
    expect((await api('GET', `${path}&status=active`)).body).toEqual({
      data: [last],
      hasMore: false,
      total: 1,
    });
  });

  test('400 for an unknown status and for a cursor that is none', async ({ api }) => {
    expect(await api('GET', '/billing-periods?status=open')).toMatchObject(issue('status: must'));
    expect(await api('GET', '/billing-periods?cursor=x')).toMatchObject(issue('cursor: '));
  });
});

describe('GET /billing-periods/{id}', () => {
  test('200 with the documented record of a trial', async ({ api, session }) => {
    const trialEnd = new Date(Date.now() + 86_400_000);
    const { id: subscriptionId } = await aSubscription(session, { trialEnd });
    const path = `/billing-periods?subscriptionId=${subscriptionId}`;
    const { id } = (await api('GET', path)).body.data[0];
    const { status, body } = await api('GET', `/billing-periods/${id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        billingPeriod: {
          ...record,
          id,
          subscriptionId,
          endDate: trialEnd.getTime(),
          trialPeriod: true,
        },
      },
    });
  });

  test('404 for an unknown id and for one of another tenant', async ({
    api,
    graphql,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    await aSubscription(other.session, { doNotCharge: true });
    const { data } = await graphql('{ billingPeriods { nodes { id } } }', {}, { key: other.key });
    const [{ id }] = data.billingPeriods.nodes;
    for (const unknown of ['billing_period_none', id]) {
      expect(await api('GET', `/billing-periods/${unknown}`)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', message: `BillingPeriod ${unknown} not found`, issues: [] },
      });
    }
  });
});

const paths = ['/billing-periods', '/billing-periods/x'];

test.for(paths)('401 for GET %s without a key', async (path, { api }) => {
  expect(await api('GET', path, undefined, { key: null })).toMatchObject({ status: 401 });
});

test.for(paths)('403 for GET %s with a publishable key', async (path, { api, session }) => {
  const key = await aKey(session, 'publishable');
  expect(await api('GET', path, undefined, { key })).toMatchObject({ status: 403 });
});
