// @module-tag long
import { describe, expect } from 'vitest';
import { followUpInvoices } from '#domain/invoicing/commands/invoices/follow-up-invoices.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { reversePayment } from '#domain/money/commands/remittances/reverse-payment.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import {
  aCustomer,
  aDraft,
  aPaymentMethod,
  aPriceOf,
  aTestClock,
  fresh,
} from '../../../support/factories.ts';
import { expectBooksToAgree } from '../../../support/money.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const start = new Date('2026-01-31T10:00:00Z');
const day = (days: number) => new Date(start.getTime() + days * 86_400_000);

/** A monthly subscription of 1,000 on a test clock, whose invoices are due after 10 days. */
async function aSentSubscription(session: Session, input: object = {}) {
  const clock = await aTestClock(session, start);
  const customer = await aCustomer(session, { testClockId: clock.id });
  const subscription = await createSubscription(fresh(session), {
    customerId: customer.id,
    priceId: await aPriceOf(session, {}),
    collectionMethod: 'send_invoice',
    daysUntilDue: 10,
    ...input,
  });
  const to = (days: number) =>
    advanceTestClock(fresh(session), { id: clock.id, frozenTime: day(days) });
  const now = async () => ({
    status: (await fresh(session).em.findOneOrFail(Subscription, subscription.id)).status,
    invoices: (await invoicesOf(session, subscription.id)).map(({ status }) => status),
  });
  return { id: subscription.id, customerId: customer.id, to, now, status: subscription.status };
}

const invoicesOf = (session: Session, subscription: string) =>
  fresh(session).em.find(Invoice, { subscription }, { orderBy: { position: 'asc' } });

/** The types of the events of an object, in their order. */
async function eventsOf(session: Session, objectId: string): Promise<string[]> {
  const { em } = fresh(session);
  await sequenceEvents(em);
  const events = await em.find(Event, { objectId }, { orderBy: { sequence: 'asc' } });
  return events.map(({ type }) => type);
}

const paid = (invoice: Invoice | undefined, amount = 1_000) =>
  ({ invoiceId: invoice?.id, amount, method: 'bank_transfer' }) as const;

test('a subscription begins at once and sends each invoice with its due date', async ({
  session,
}) => {
  const { id, status, to, now } = await aSentSubscription(session);
  expect(status).toBe('active');
  const [first] = await invoicesOf(session, id);
  expect(first).toMatchObject({
    status: 'open',
    collectionMethod: 'send_invoice',
    invoiceDate: start,
    sentAt: start,
    dueDate: day(10),
    overdueAt: null,
  });
  expect(await eventsOf(session, first?.id ?? '')).toEqual(['invoice.created', 'invoice.sent']);
  await to(9);
  await recordPayment(fresh(session), paid(first));
  expect(await now()).toEqual({ status: 'active', invoices: ['paid'] });
  await to(30);
  // The second period began on February 28; its invoice is not late yet.
  expect(await now()).toEqual({ status: 'active', invoices: ['paid', 'open'] });
  const [, second] = await invoicesOf(session, id);
  expect(second?.dueDate).toEqual(day(38));
});

test('an overdue invoice is followed up as a failed charge is', async ({ session }) => {
  const { id, to, now } = await aSentSubscription(session);
  const [invoice] = await invoicesOf(session, id);
  const own = invoice?.id ?? '';
  await to(10);
  expect(await now()).toEqual({ status: 'active', invoices: ['open'] });
  await to(11);
  expect(await now()).toEqual({ status: 'past_due', invoices: ['open'] });
  await to(12.9);
  expect(await eventsOf(session, own)).toHaveLength(3);
  // Pauses of 3, 5 and 5 days.
  await to(24);
  expect(await eventsOf(session, own)).toEqual([
    'invoice.created',
    'invoice.sent',
    'invoice.overdue',
    'invoice.reminder_due',
    'invoice.reminder_due',
    'invoice.reminder_due',
  ]);
  expect(await now()).toEqual({ status: 'unpaid', invoices: ['open'] });
  const receipt = await recordPayment(fresh(session), paid(invoice));
  expect(await now()).toEqual({ status: 'active', invoices: ['paid'] });
  await reversePayment(fresh(session), { id: receipt.id, reason: 'It bounced' });
  expect(await now()).toEqual({ status: 'past_due', invoices: ['open'] });
});

test('the final action cancel ends a subscription and writes off its invoices', async ({
  session,
}) => {
  await updateOrganization(fresh(session), {
    organization: { dunningRetryDays: [2], dunningFinalAction: 'cancel' },
  });
  const { id, customerId, to, now } = await aSentSubscription(session);
  const [invoice] = await invoicesOf(session, id);
  await recordPayment(fresh(session), paid(invoice, 400));
  await to(11.5);
  expect(await now()).toEqual({ status: 'past_due', invoices: ['open'] });
  await to(13);
  expect(await now()).toEqual({ status: 'canceled', invoices: ['uncollectible'] });
  expect(await fresh(session).em.findOneOrFail(Customer, customerId)).toMatchObject({
    amountOwed: 0,
  });
  // A late payment is accepted all the same. The credit note of the write-off stays, so it is a credit.
  await recordPayment(fresh(session), paid(invoice, 600));
  expect(await now()).toEqual({ status: 'canceled', invoices: ['uncollectible'] });
  expect(await fresh(session).em.findOneOrFail(Customer, customerId)).toMatchObject({
    creditBalance: 600,
  });
  await expectBooksToAgree(session);
});

test('payment before the due date leaves no trace of lateness, in any order of two invoices', async ({
  session,
}) => {
  const { id, to, now } = await aSentSubscription(session, { daysUntilDue: 40 });
  await to(29);
  expect(await now()).toEqual({ status: 'active', invoices: ['open', 'open'] });
  await to(41);
  expect(await now()).toEqual({ status: 'past_due', invoices: ['open', 'open'] });
  const [first, second] = await invoicesOf(session, id);
  await recordPayment(fresh(session), paid(first));
  // The second one is owed, but it is not late.
  expect(await now()).toEqual({ status: 'active', invoices: ['paid', 'open'] });
  await recordPayment(fresh(session), paid(second));
  expect(await now()).toEqual({ status: 'active', invoices: ['paid', 'paid'] });
});

test('a payment by hand ends the retries of a charge that failed, and counts as its recovery', async ({
  session,
  graphql,
}) => {
  const clock = await aTestClock(session, start);
  const { id: customerId } = await aCustomer(session, { testClockId: clock.id });
  await aPaymentMethod(session, customerId, { default: true });
  const priceId = await aPriceOf(session, {});
  const { id } = await createSubscription(fresh(session), { customerId, priceId });
  const token = 'sandbox_decline_insufficient_funds';
  await aPaymentMethod(session, customerId, { token, default: true });
  const to = (days: number) =>
    advanceTestClock(fresh(session), { id: clock.id, frozenTime: day(days) });
  await to(29);
  const statusOf = async () => (await fresh(session).em.findOneOrFail(Subscription, id)).status;
  expect(await statusOf()).toBe('past_due');
  const [, failed] = await invoicesOf(session, id);
  const receipt = await recordPayment(fresh(session), paid(failed));
  expect(await statusOf()).toBe('active');
  await to(50);
  const runs = async () =>
    (
      await fresh(session).em.find(
        BillingRun,
        { subscription: id },
        { orderBy: { position: 'asc' } },
      )
    ).map(({ status }) => status);
  expect(await runs()).toEqual(['succeeded', 'failed', 'aborted']);
  const recovery = async () =>
    (
      await graphql(`{ paymentRecovery(from: "2026-01-01", to: "2026-04-01", interval: month) {
        points { failed { count } recovered { amount } open { amount } }
      } }`)
    ).data.paymentRecovery[0].points[1];
  expect(await recovery()).toMatchObject({ failed: { count: 1 }, recovered: { amount: 1_000 } });
  // The money is not there after all: the next try follows after the next pause.
  await reversePayment(fresh(session), { id: receipt.id, reason: 'It bounced' });
  expect(await statusOf()).toBe('past_due');
  expect(await recovery()).toMatchObject({ open: { amount: 1_000 } });
  await to(56);
  expect(await runs()).toEqual(['succeeded', 'failed', 'aborted', 'failed', 'scheduled']);
});

test('the job follows up an invoice on real time once, also when two processes run it', async ({
  session,
  database,
}) => {
  const { id: customerId } = await aCustomer(session);
  const priceId = await aPriceOf(session, {});
  const { id } = await createSubscription(fresh(session), {
    customerId,
    priceId,
    collectionMethod: 'send_invoice',
    daysUntilDue: 0,
  });
  const failures: unknown[] = [];
  const sweep = () =>
    followUpInvoices(
      database.orm.em.fork(),
      new Date(Date.now() + 1_000),
      'follow-up-invoices',
      (error) => failures.push(error),
    );
  await Promise.all([sweep(), sweep()]);
  const [invoice] = await invoicesOf(session, id);
  expect(invoice).toMatchObject({ overdueAt: expect.any(Date), reminderCount: 0 });
  expect(await eventsOf(session, invoice?.id ?? '')).toEqual([
    'invoice.created',
    'invoice.sent',
    'invoice.overdue',
  ]);
  expect(failures).toEqual([]);
});

describe('a change of the collection method', () => {
  test('leaves open invoices as they are, and applies to the next one', async ({ session }) => {
    const { id, customerId, to, now } = await aSentSubscription(session, { daysUntilDue: 25 });
    await aPaymentMethod(session, customerId, { default: true });
    const change = (subscription: object) =>
      updateSubscription(fresh(session), { id, subscription });
    expect(await change({ collectionMethod: 'charge_automatically' })).toMatchObject({
      collectionMethod: 'charge_automatically',
      daysUntilDue: null,
    });
    await to(29);
    expect(await now()).toEqual({ status: 'past_due', invoices: ['open', 'paid'] });
    await change({ collectionMethod: 'send_invoice', daysUntilDue: 5 });
    const [first] = await invoicesOf(session, id);
    await recordPayment(fresh(session), paid(first));
    await to(60);
    const [, , third] = await invoicesOf(session, id);
    expect(third).toMatchObject({ collectionMethod: 'send_invoice', status: 'open' });
    expect(third?.dueDate).toEqual(new Date((third?.invoiceDate.getTime() ?? 0) + 5 * 86_400_000));
    expect(await now()).toEqual({ status: 'active', invoices: ['paid', 'paid', 'open'] });
  });

  test('lets a subscription without a payment method begin', async ({ session }) => {
    const { id, status, to, now } = await aSentSubscription(session, {
      collectionMethod: 'charge_automatically',
      daysUntilDue: null,
    });
    expect(status).toBe('incomplete');
    await updateSubscription(fresh(session), {
      id,
      subscription: { collectionMethod: 'send_invoice', daysUntilDue: 7 },
    });
    await to(0.5);
    expect(await now()).toEqual({ status: 'active', invoices: ['open'] });
    const [invoice] = await invoicesOf(session, id);
    await recordPayment(fresh(session), paid(invoice));
    expect(await now()).toEqual({ status: 'active', invoices: ['paid'] });
  });
});

test('an upgrade is sent and applied at once', async ({ session, graphql }) => {
  const { id, to } = await aSentSubscription(session);
  const priceId = await aPriceOf(session, { unitPrice: 3_000 });
  await to(14);
  const { data, errors } = await graphql(
    `mutation ($id: ID!, $priceId: ID!) {
      adjustSubscription(id: $id, adjustment: {
        timing: immediately, newSubscriptionItems: [{ priceId: $priceId, quantity: 1 }]
      }) { billingRunId isUpgrade subscriptionItems { unitPrice } }
    }`,
    { id, priceId },
  );
  expect(errors).toBeUndefined();
  expect(data.adjustSubscription).toEqual({
    billingRunId: null,
    isUpgrade: true,
    subscriptionItems: [{ unitPrice: 3_000 }],
  });
  const [period, adjustment] = await invoicesOf(session, id);
  expect([period?.status, adjustment?.status]).toEqual(['open', 'open']);
  expect(adjustment).toMatchObject({ purpose: 'adjustment', total: 1_000, dueDate: day(24) });
  expect(await eventsOf(session, adjustment?.id ?? '')).toEqual([
    'invoice.created',
    'invoice.sent',
  ]);
});

test('a customer’s method applies to its new subscriptions and manual invoices', async ({
  session,
  api,
  graphql,
}) => {
  const { body } = await api('POST', '/customers', {
    customer: {
      email: 'ada@example.com',
      name: 'Ada',
      externalId: 'ada',
      collectionMethod: 'send_invoice',
      daysUntilDue: 14,
    },
  });
  const customerId = body.customer?.id ?? body.data?.customer?.id;
  const draft = await aDraft(session, { customerId });
  const { body: sent } = await api('POST', `/invoices/${draft.id}/finalize`);
  const days = (sent.invoice.dueDate - sent.invoice.invoiceDate) / 86_400_000;
  expect(days).toBeGreaterThan(13.99);
  const subscribed = await api('POST', '/subscriptions', {
    customerId,
    priceId: await aPriceOf(session, {}),
  });
  expect(subscribed).toMatchObject({ status: 200, body: { subscription: { status: 'active' } } });
  const own = subscribed.body.subscription.id;
  const { data } = await graphql(
    `query ($id: ID!) {
      subscription(id: $id) { collectionMethod daysUntilDue nextStep }
      upcomingInvoice(subscription: $id) { collectionMethod amountDue dueDate invoiceDate }
      invoices(where: { collectionMethod: { is: send_invoice } }) {
        nodes { overdue amountDue amountPaid reminderCount }
      }
    }`,
    { id: own },
  );
  expect(data.subscription).toEqual({
    collectionMethod: 'send_invoice',
    daysUntilDue: 14,
    nextStep: null,
  });
  expect(data.upcomingInvoice).toMatchObject({
    collectionMethod: 'send_invoice',
    amountDue: 1_000,
  });
  expect(data.upcomingInvoice.dueDate - data.upcomingInvoice.invoiceDate).toBe(14 * 86_400_000);
  expect(data.invoices.nodes).toEqual(
    Array.from({ length: 2 }, () => ({
      overdue: false,
      amountDue: 1_000,
      amountPaid: 0,
      reminderCount: 0,
    })),
  );
  const wrong = await api('POST', '/subscriptions', {
    customerId: (await aCustomer(session)).id,
    priceId: await aPriceOf(session, {}),
    daysUntilDue: 3,
  });
  expect(wrong).toMatchObject({
    status: 400,
    body: { issues: [{ message: expect.stringMatching(/^daysUntilDue: /) }] },
  });
});
