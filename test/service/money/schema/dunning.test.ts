import { expect } from 'vitest';
import {
  aCustomer,
  aPaymentMethod,
  aSubscription,
  aTestClock,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

const day = 86_400_000;

test.for([
  ['cancel', 'canceled', 'uncollectible'],
  ['unpaid', 'unpaid', 'open'],
] as const)(
  'a payment is tried again after the days that the organization states, then: %s',
  async ([dunningFinalAction, status, invoiceStatus], { graphql, session }) => {
    const { errors } = await graphql(
      'mutation($organization: UpdateOrganizationInput!) { updateOrganization(organization: $organization) { organization { id } } }',
      { organization: { dunningRetryDays: [2, 4], dunningFinalAction } },
    );
    expect(errors).toBeUndefined();
    const start = new Date('2026-03-01T00:00:00Z');
    const clock = await aTestClock(session, start);
    const { id: customerId } = await aCustomer(session, { testClockId: clock.id });
    await aPaymentMethod(session, customerId);
    const { id } = await aSubscription(session, { customerId });
    await aPaymentMethod(session, customerId, {
      token: 'sandbox_decline_expired_card',
      default: true,
    });
    const advance = await graphql(
      `mutation { advanceTestClock(id: "${clock.id}", frozenTime: "2026-04-20T00:00:00Z") { testClock { status } } }`,
    );
    expect(advance.data.advanceTestClock.testClock.status).toBe('ready');
    const { data } = await graphql(
      `{
      subscription(id: "${id}") { status }
      billingRuns(first: 100, where: { subscription: { is: "${id}" }, status: { is: failed } }) {
        nodes { scheduledFor attemptNumber }
      }
      invoices(where: { subscription: { is: "${id}" }, status: { is: ${invoiceStatus} } }) { totalCount }
    }`,
    );
    const april = Date.UTC(2026, 3, 1);
    expect(data.billingRuns.nodes).toEqual(
      expect.arrayContaining(
        [april, april + 2 * day, april + 6 * day].map((scheduledFor, index) => ({
          scheduledFor,
          attemptNumber: index + 1,
        })),
      ),
    );
    expect(data.billingRuns.nodes).toHaveLength(3);
    expect(data).toMatchObject({ subscription: { status }, invoices: { totalCount: 1 } });
  },
);

test('each billing period lists its own invoices, and all attempts to charge it', async ({
  graphql,
  session,
}) => {
  const clock = await aTestClock(session, new Date('2026-03-01T00:00:00Z'));
  const { id: customerId } = await aCustomer(session, { testClockId: clock.id });
  await aPaymentMethod(session, customerId);
  const { id } = await aSubscription(session, { customerId });
  const token = 'sandbox_decline_expired_card';
  await aPaymentMethod(session, customerId, { token, default: true });
  await graphql(
    `mutation { advanceTestClock(id: "${clock.id}", frozenTime: "2026-04-03T00:00:00Z") { testClock { id } } }`,
  );
  const { data } = await graphql(`{
    subscription(id: "${id}") {
      billingPeriods(orderBy: end_date_asc) {
        nodes {
          startDate
          invoices { nodes { billingPeriodStartDate status } }
          billingRuns(orderBy: scheduled_for_asc) { nodes { attemptNumber status } }
        }
      }
    }
  }`);
  const [march, april] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)];
  expect(data.subscription.billingPeriods.nodes).toEqual([
    {
      startDate: march,
      invoices: { nodes: [{ billingPeriodStartDate: march, status: 'paid' }] },
      billingRuns: { nodes: [{ attemptNumber: 1, status: 'succeeded' }] },
    },
    {
      startDate: april,
      invoices: { nodes: [{ billingPeriodStartDate: april, status: 'open' }] },
      billingRuns: {
        nodes: [
          { attemptNumber: 1, status: 'failed' },
          { attemptNumber: 2, status: 'scheduled' },
        ],
      },
    },
  ]);
});
