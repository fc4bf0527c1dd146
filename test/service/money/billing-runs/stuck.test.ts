import { expect } from 'vitest';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { resumeStuckRuns } from '#domain/money/commands/billing-runs/resume-stuck-runs.ts';
import { aCustomer, aPaymentMethod, aSubscription } from '../../../support/factories.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

test('a run that waits for a payment of which there is none is reported, and paid once', async ({
  session,
}) => {
  const { id: customerId } = await aCustomer(session);
  const { id: defaultPaymentMethodId } = await aPaymentMethod(session, customerId);
  const { id } = await aSubscription(session, { customerId, defaultPaymentMethodId });
  const em = session.em.fork();
  await em.execute(
    `update billing_run set status = 'awaiting_payment_confirmation', due_at = null where subscription_id = ?`,
    [id],
  );
  const failures: string[] = [];
  const report = (error: unknown) => void failures.push((error as Error).message);
  const at = (minutes: number) => new Date(session.now.getTime() + minutes * 60_000);
  expect(await resumeStuckRuns(em.fork(), at(9), 'test', report)).toBe(0);
  expect(await resumeStuckRuns(em.fork(), at(12), 'test', report)).toBe(1);
  expect(failures).toEqual([
    expect.stringMatching(
      /^Billing run billing_run_\w+ was awaiting_payment_confirmation without a due time/,
    ),
  ]);
  await executeDueRuns(em.fork(), at(12), 'test', report);
  const [run] = await em.fork().find(BillingRun, { subscription: id });
  expect(run).toMatchObject({ status: 'succeeded', dueAt: null });
  expect(await em.fork().count(Payment, { subscriptionId: id })).toBe(1);
});

test('a payment that is under way has a due time, by the database itself', async ({ session }) => {
  const { id: customerId } = await aCustomer(session);
  const { id } = await aPaymentMethod(session, customerId, { token: 'sandbox_slow' });
  await aSubscription(session, { customerId, defaultPaymentMethodId: id });
  await expect(
    session.em
      .fork()
      .execute('update payment set check_due_at = null where payment_method_id = ?', [id]),
  ).rejects.toMatchObject({ constraint: 'payment_pending_due' });
});
