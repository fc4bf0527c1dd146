import { LockMode } from '@mikro-orm/core';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { Refund } from '#domain/payments/refund.ts';
import { isPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { atPresent } from '#domain/rules/locks/at-instant.ts';
import { lockCustomer } from '#domain/rules/locks/lock-customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import type { BegunPayment } from './begin-payment.ts';
import { dropCutShort, isCutShort, refundCutShort } from './cut-short.ts';
import { tryBackup } from './dunning.ts';
import type { ChargeOutcome } from './payment-processor.ts';
import { followFailure, followPaid } from './run-outcomes.ts';

const lookupMilliseconds = 3_600_000;
const shortestLookupMilliseconds = 60_000;
/** After this long without a last word a payment is canceled and counts as failed (reference §1.3). */
const staleMilliseconds = 6 * 3_600_000;

/** What the processor is to be asked for next. */
interface Following {
  /** The payment by the backup method, where that is to be tried now. */
  readonly backup?: BegunPayment;
  /** The refund of what has been paid for a period that was cut short. */
  readonly refundId?: string;
}

/** How a charge stands, or that nothing has been heard of it since the connection broke. */
export interface HeardOutcome extends ChargeOutcome {
  readonly isUnknown?: boolean;
}

/**
 * Writes down what the processor has said of a payment, and all that follows from it for the invoice, the
 * run and the subscription, at once. One that has its last word already stays as it is.
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

/** The period that has been paid for was cut short: the customer gets the money back, but for what was used. */
async function refundPeriod(
  session: Session,
  { payment, invoice, run, customer }: Omit<Locked, 'session'>,
): Promise<Following | undefined> {
  invoice.status = 'paid';
  run?.end('succeeded');
  const amount = await refundCutShort(customer, invoice, payment);
  if (amount === 0) return undefined;
  const refund = session.em.create(Refund, { payment, amount, customerId: payment.customerId });
  await session.em.flush();
  return { refundId: refund.id };
}

/** Whether a payment has been waited for long enough: the processor is not asked for money any more. */
export const isStale = ({ chargeDate }: Pick<Payment, 'chargeDate'>, now: Date) =>
  now.getTime() - chargeDate.getTime() >= staleMilliseconds;

/** Whether the processor has not decided yet; undefined stands for a charge that it has never heard of. */
export const isOpen = (outcome: ChargeOutcome | undefined): boolean =>
  !outcome || outcome.status === 'processing' || outcome.status === 'requires_action';

/**
 * When an open payment is looked up next: after an hour where the processor works on it. Where the connection to the
 * processor broke it is after a minute, and then after as long again as the payment has been open, up to an hour.
 */
function nextLookup({ chargeDate }: Payment, { isUnknown = false }: HeardOutcome, now: Date): Date {
  const open = now.getTime() - chargeDate.getTime();
  const pause = isUnknown
    ? Math.min(Math.max(open, shortestLookupMilliseconds), lookupMilliseconds)
    : lookupMilliseconds;
  const left = staleMilliseconds - open;
  return new Date(now.getTime() + (left > 0 ? Math.min(pause, left) : pause));
}

/** Holds a payment and all that it may change, in the one order. Errors: NOT_FOUND. */
export async function lockPayment(session: Session, id: string) {
  const { em } = session;
  const { customerId } = await em.findOneOrFail(Payment, id);
  const held = await lockCustomer(session, { id: customerId });
  if (!held) throw new DomainError('NOT_FOUND', `Payment ${id} not found`);
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
  const present = await atPresent(held.session);
  return { ...held, session: present, subscription, run, invoice, payment };
}
