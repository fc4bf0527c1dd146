import { LockMode } from '@mikro-orm/core';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { isPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { creditInvoices } from '#domain/rules/invoicing/credit-invoices.ts';
import { creditSetOff } from '#domain/rules/invoicing/note-usage.ts';
import { atPresent } from '#domain/rules/locks/at-instant.ts';
import { lockCustomer } from '#domain/rules/locks/lock-customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import type { BegunPayment } from './begin-payment.ts';
import { dropCutShort, isCutShort, returnsOfCutShort } from './cut-short.ts';
import { tryBackup } from './dunning.ts';
import { openRefund } from './open-refund.ts';
import type { ChargeOutcome } from './payment-processor.ts';
import { followFailure, followPaid } from './run-outcomes.ts';

const lookupMilliseconds = 3_600_000;
const shortestLookupMilliseconds = 60_000;
/** A payment without a final status for this long is canceled at the processor and marked failed: 6 hours. */
const staleMilliseconds = 6 * 3_600_000;

/** The next request to the processor. */
interface Following {
  /** The payment by the backup method, if that follows now. */
  readonly backup?: BegunPayment;
  /** The refund of the payment for a period that was cut short. */
  readonly refundId?: string;
}

/** The status of a charge, or that it is unknown since the connection broke. */
export interface HeardOutcome extends ChargeOutcome {
  readonly isUnknown?: boolean;
}

/**
 * Records the outcome of a payment, and applies it to the invoice, the run and the subscription in one transaction. A
 * payment with a final status stays as it is.
 */
export function settlePayment(
  session: Session,
  paymentId: string,
  outcome: HeardOutcome,
): Promise<Following | undefined> {
  return command(session, async (session) => {
    const { payment, session: then, ...parts } = await lockPayment(session, paymentId);
    if (!payment.isPending) return undefined;
    const { status, failureCode, failureMessage } = outcome;
    if (status === 'processing' || status === 'requires_action') {
      payment.status = status;
      payment.checkDueAt = nextLookup(payment, outcome, then.now);
      if (parts.run) parts.run.dueAt = null;
      return undefined;
    }
    payment.status = status;
    payment.checkDueAt = null;
    if (status === 'succeeded') {
      payment.settlementDate = then.now;
      payment.receiptNumber = parts.invoice.invoiceNumber;
      const { run, subscription, invoice } = parts;
      if (!run?.isAdjustment && (await isCutShort(invoice, subscription))) {
        return refundPeriod(then, { payment, ...parts });
      }
      if (await isPaid(then, invoice)) await followPaid(then, parts);
      else invoice.status = 'open';
      return undefined;
    }
    payment.failureCode = failureCode;
    payment.failureMessage = failureMessage;
    parts.invoice.status = 'open';
    await then.em.flush();
    const { run, subscription, invoice } = parts;
    if (!subscription) return undefined;
    if (!run) {
      if (await isCutShort(invoice, subscription)) await dropCutShort(then, invoice, subscription);
      return undefined;
    }
    const isOver = await isCutShort(invoice, subscription);
    const backup = isOver ? undefined : await tryBackup(then, { run, subscription, invoice });
    if (backup) return { backup: { paymentId: backup.id, resumed: false } };
    const reason = failureMessage ?? refusalReason(status);
    await followFailure(then, { run, subscription, invoice }, reason);
    return undefined;
  });
}

const refusalReason = (status: 'failed' | 'canceled') =>
  status === 'canceled' ? 'The payment has been canceled' : 'The payment has failed';

type Locked = Awaited<ReturnType<typeof lockPayment>>;

/** Refunds the payment for a period that was cut short, without the used part. */
async function refundPeriod(
  session: Session,
  { payment, invoice, run, customer }: Omit<Locked, 'session'>,
): Promise<Following | undefined> {
  invoice.status = 'paid';
  run?.end('succeeded');
  const { refund: amount, credit, corrections } = await returnsOfCutShort(invoice, payment);
  const reason = { reason: 'period_cut_short', description: 'The period was cut short' } as const;
  const refund =
    amount > 0 ? await openRefund(session, { payment, invoice, customer }, amount, reason) : null;
  await creditInvoices(session, customer, [invoice], credit, reason);
  if (corrections > 0) await creditSetOff(session, customer, invoice, corrections);
  await session.em.flush();
  return refund ? { refundId: refund.id } : undefined;
}

/** Whether a payment has been open for too long: the processor is not asked for the money any more. */
export const isStale = ({ chargeDate }: Pick<Payment, 'chargeDate'>, now: Date) =>
  now.getTime() - chargeDate.getTime() >= staleMilliseconds;

/** Whether the processor has not decided yet; undefined means a charge that it does not know. */
export const isOpen = (outcome: ChargeOutcome | undefined): boolean =>
  !outcome || outcome.status === 'processing' || outcome.status === 'requires_action';

/**
 * The time of the next lookup of an open payment: after 1 hour while the processor works on it. After a broken
 * connection it is 1 minute, then the present age of the payment, up to 1 hour.
 */
function nextLookup({ chargeDate }: Payment, { isUnknown = false }: HeardOutcome, now: Date): Date {
  const open = now.getTime() - chargeDate.getTime();
  const pause = isUnknown
    ? Math.min(Math.max(open, shortestLookupMilliseconds), lookupMilliseconds)
    : lookupMilliseconds;
  const left = staleMilliseconds - open;
  return new Date(now.getTime() + (left > 0 ? Math.min(pause, left) : pause));
}

/** Locks a payment and all that it may change, in the one lock order. Errors: NOT_FOUND. */
export async function lockPayment(session: Session, id: string) {
  const { em } = session;
  const { customerId } = await em.findOneOrFail(Payment, id);
  const locked = await lockCustomer(session, { id: customerId });
  if (!locked) throw new DomainError('NOT_FOUND', `Payment ${id} not found`);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const found = await em.findOneOrFail(Payment, id);
  const subscription = found.subscriptionId
    ? await em.findOneOrFail(Subscription, found.subscriptionId, lock)
    : null;
  const run = found.billingRunId
    ? await em.findOneOrFail(BillingRun, found.billingRunId, lock)
    : null;
  const invoice = await em.findOneOrFail(Invoice, found.invoiceId, lock);
  const payment = await em.findOneOrFail(Payment, id, lock);
  const present = await atPresent(locked.session);
  return { ...locked, session: present, subscription, run, invoice, payment };
}
