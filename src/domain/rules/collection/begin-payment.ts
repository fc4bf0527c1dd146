import type { BillingRun } from '#domain/billing-runs/billing-run.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { Payment, pendingPaymentStatuses } from '#domain/payments/payment.ts';
import { replacingRun } from '#domain/rules/adjusting/refuse-unadjustable.ts';
import { paidOf } from '#domain/rules/invoicing/paid-of.ts';
import { lockRun } from '#domain/rules/locks/lock-run.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { failRun } from './dunning.ts';
import { markPaid } from './mark-paid.ts';
import { adjustAsPaid, dropAdjustment } from './settle-adjustment.ts';

/** How long whoever begins a payment is taken to be at it. */
export const patienceMilliseconds = 60_000;

/** A payment that is to be carried out by the processor. */
export interface BegunPayment {
  readonly paymentId: string;
  /** Whether the processor may have been asked before: then it is asked what has become of it first. */
  readonly resumed: boolean;
}

/**
 * The second step of a run: writes down what the processor is going to be asked, before it is. Answers
 * nothing when there is nothing that could pay, and the run has failed then; and while somebody pays the
 * invoice by hand, which the run waits for.
 */
export function beginPayment(session: Session, runId: string): Promise<BegunPayment | undefined> {
  return command(session, async (session) => {
    const { run, subscription, session: then } = await lockRun(session, runId);
    const pending = { billingRunId: run.id, status: { $in: ['processing'] as const } };
    if (run.status === 'awaiting_payment_confirmation') {
      const payment = await session.em.findOne(Payment, pending);
      return payment ? { paymentId: payment.id, resumed: true } : undefined;
    }
    const invoice = run.status === 'started' ? await run.invoice?.loadOrFail() : undefined;
    if (!invoice) return undefined;
    const isReplaced = !run.isAdjustment && (await replacingRun(then, invoice)) !== null;
    if (!isReplaced && (await paidOf(then, invoice)) >= invoice.total) {
      await (run.isAdjustment ? adjustAsPaid : markPaid)(then, { run, invoice, subscription });
      return undefined;
    }
    const other = await session.em.findOne(Payment, {
      status: { $in: [...pendingPaymentStatuses] },
      // An adjustment of the period is charged for together with what is owed for it.
      $or: [
        { invoice: invoice.id },
        { billingPeriodId: run.billingPeriodId, invoice: { isAdjustment: true } },
      ],
    });
    if (other || isReplaced) {
      // An invoice is paid once at a time: when the other payment comes to nothing, it is this run's turn.
      const settled = other?.checkDueAt ?? then.now;
      run.dueAt = new Date(settled.getTime() + patienceMilliseconds);
      return undefined;
    }
    const method = await payerFor(then, subscription);
    if (!method) {
      const follow = run.isAdjustment ? dropAdjustment : failRun;
      await follow(then, { run, invoice, subscription }, 'There is no payment method to charge');
      return undefined;
    }
    const payment = await openPayment(then, invoice, method, run, subscription);
    return { paymentId: payment.id, resumed: false };
  });
}

/** What pays for a subscription: its default payment method, else its backup, else the customer's default. */
export async function payerFor(
  { em }: Session,
  subscription: Subscription,
): Promise<PaymentMethod | null> {
  const named = subscription.defaultPaymentMethodId ?? subscription.backupPaymentMethodId;
  const method = named ? { id: named } : { customer: subscription.customerId, default: true };
  return em.findOne(PaymentMethod, { ...method, detachedAt: null });
}

/** Writes a payment of what is still to be paid for an invoice; its key is its own id. */
export async function openPayment(
  session: Session,
  invoice: Invoice,
  method: PaymentMethod,
  run: BillingRun | null,
  subscription: Subscription | null,
): Promise<Payment> {
  const { em, now } = session;
  const amount = invoice.total - (await paidOf(session, invoice));
  const { currency, taxAmount, subtotal, taxType, taxCountry, taxState, taxRatePercentage } =
    invoice;
  const key = crypto.randomUUID();
  const payment = em.create(Payment, {
    invoice,
    amount,
    currency,
    taxAmount,
    subtotal,
    taxType: taxType ?? null,
    taxCountry: taxCountry ?? null,
    taxState: taxState ?? null,
    taxRatePercentage: taxRatePercentage ?? null,
    paymentMethod: method.type,
    method,
    status: 'processing',
    chargeDate: now,
    description: `Invoice ${invoice.invoiceNumber}`,
    customerId: invoice.customerId,
    subscriptionId: subscription?.id ?? null,
    billingPeriodId: invoice.billingPeriodId,
    purchaseId: invoice.purchaseId ?? null,
    idempotencyKey: key,
    billingRunId: run?.id ?? null,
    testClockId: subscription?.testClockId ?? (await clockOf(invoice)),
    // Until then whoever begins it is taken to be at it.
    checkDueAt: new Date(now.getTime() + patienceMilliseconds),
  });
  invoice.status = 'awaiting_payment_confirmation';
  if (run) run.status = 'awaiting_payment_confirmation';
  return payment;
}

const clockOf = async (invoice: Invoice) => (await invoice.customer.loadOrFail()).testClockId;
