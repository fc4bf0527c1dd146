// @module-tag long
import { describe, expect } from 'vitest';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { aCustomer, aPaymentMethod, aPriceOf } from '../../../support/factories.ts';
import { at } from '../../../support/instants.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const begin = new Date('2026-01-01T00:00:00Z');
const day = (days: number) => new Date(begin.getTime() + days * 86_400_000);
const fail = (error: unknown) => {
  throw error;
};

/** A customer in real time who subscribes to a daily price; `token` pays all but the first day. */
async function aDailyPayer(session: Session, token: string) {
  const then = at(session, begin);
  const { id: customerId } = await aCustomer(then);
  await aPaymentMethod(then, customerId);
  const priceId = await aPriceOf(then, { unitPrice: 2_000, intervalUnit: 'day' });
  const { id } = await createSubscription(at(session, begin), { customerId, priceId });
  await aPaymentMethod(at(session, begin), customerId, { token, default: true });
  return { customerId, id };
}

describe('nine periods that are caught up in real time', () => {
  test.for([1, 3])(
    'are billed and charged in their order, by %i sweeps at a time',
    async (sweeps, { database, session }) => {
      const payers = [];
      for (let n = 0; n < 4; n++) payers.push(await aDailyPayer(session, 'sandbox_success'));
      const em = () => database.orm.em.fork();
      await transitionDueSubscriptions(em(), day(9.5), 'catch up');
      await Promise.all(
        Array.from({ length: sweeps }, () => executeDueRuns(em(), day(9.5), 'catch up', fail)),
      );
      for (const { customerId } of payers) {
        const own = at(session, day(9.5));
        const invoices = await own.em.find(
          Invoice,
          { customer: customerId },
          { orderBy: { invoiceNumber: 'asc' } },
        );
        expect(invoices.map(({ billingPeriodStartDate }) => billingPeriodStartDate)).toEqual(
          Array.from({ length: 10 }, (_, days) => day(days)),
        );
      }
      await expectMoneyToAgree(session);
    },
  );

  test('charge the oldest first, so a card that declines once fails for that one', async ({
    database,
    session,
  }) => {
    const { customerId } = await aDailyPayer(session, 'sandbox_decline_then_success');
    const em = () => database.orm.em.fork();
    await transitionDueSubscriptions(em(), day(9.5), 'catch up');
    await executeDueRuns(em(), day(9.5), 'catch up', fail);
    const failed = await at(session, day(9.5)).em.find(
      Payment,
      { customerId, status: 'failed' },
      { populate: ['invoice'] },
    );
    expect(failed.map(({ invoice }) => invoice.unwrap().billingPeriodStartDate)).toEqual([day(1)]);
  });
});

describe('a run that fails next to the request that made it due', () => {
  test('is reported with its id, stays due, and is executed by the job', async ({
    database,
    session,
  }) => {
    const then = at(session, begin);
    const { id: customerId } = await aCustomer(then);
    await aPaymentMethod(then, customerId);
    const priceId = await aPriceOf(then, { unitPrice: 2_000 });
    const { em } = at(session, begin);
    await em.execute(
      `alter table payment add constraint payment_refused check (customer_id <> '${customerId}') not valid`,
    );
    const reported: object[] = [];
    const { em: own, apiKeyId, ...scope } = at(session, begin);
    const onFailure: OnFailure = (error, item) => reported.push({ error, item });
    const caller = openSession(own, { ...scope, onFailure }, apiKeyId);
    const { id, status } = await createSubscription(caller, { customerId, priceId });
    expect(status).toBe('incomplete');
    const [run] = await at(session, begin).em.find(BillingRun, { subscription: id });
    expect(run).toMatchObject({ status: 'scheduled', dueAt: begin });
    expect(reported).toMatchObject([
      {
        error: { message: expect.stringContaining('payment_refused') },
        item: { id: run?.id, pricingModelId: session.pricingModelId },
      },
    ]);
    await em.execute('alter table payment drop constraint payment_refused');
    await executeDueRuns(database.orm.em.fork(), begin, 'later', fail);
    expect(await at(session, begin).em.find(Payment, { customerId })).toMatchObject([
      { status: 'succeeded', amount: 2_000 },
    ]);
  });

  test('also when it is the processor that cannot be reached', async ({ session }) => {
    const reported: object[] = [];
    const { em, apiKeyId, ...scope } = at(session, begin);
    const onFailure: OnFailure = (error, item) => reported.push({ error, item });
    const caller = () => openSession(em, { ...scope, onFailure }, apiKeyId);
    const { id: customerId } = await aCustomer(at(session, begin));
    await aPaymentMethod(caller(), customerId, { token: 'sandbox_error_before_charge' });
    const priceId = await aPriceOf(at(session, begin), { unitPrice: 2_000 });
    await createSubscription(caller(), { customerId, priceId });
    const [payment] = await at(session, begin).em.find(Payment, { customerId });
    expect(payment).toMatchObject({ status: 'processing', checkDueAt: expect.any(Date) });
    expect(reported).toMatchObject([
      {
        error: { message: 'The payment processor could not be reached' },
        item: { id: payment?.id },
      },
    ]);
  });
});
