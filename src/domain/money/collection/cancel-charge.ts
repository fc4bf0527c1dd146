import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment, pendingPaymentStatuses } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { nameOf } from '#domain/money/methods/charge-name.ts';
import { dropCutShort, isCutShort } from '#domain/money/outcomes/cut-short.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { chargedPayment } from '#domain/money/refunds/joint-charge.ts';
import { type ChargePart, lockCharge } from '#domain/money/refunds/lock-payment.ts';
import { afresh, refuseTransaction } from '#domain/platform/locks/fresh-session.ts';
import { nowOf } from '#domain/platform/reads/read-customer.ts';
import { giveUp } from './ask-processor.ts';

/** The charges of invoices that are to be canceled at the processor before the invoices are paid by hand. */
export class ChargePending extends Error {
  readonly paymentIds: readonly string[];

  constructor(paymentIds: readonly string[]) {
    super('A charge of the invoice is pending');
    this.paymentIds = paymentIds;
  }
}

/** The pending charges of invoices. */
export const pendingCharges = ({ em }: Session, invoices: readonly Invoice[]) =>
  em.find(Payment, {
    invoice: { $in: invoices.map(({ id }) => id) },
    status: { $in: [...pendingPaymentStatuses] },
  });

/**
 * Cancels a pending charge at the processor and closes its page, so that it never takes money. Errors: BAD_REQUEST for one that the
 * processor executes or has executed, or may still receive.
 */
export async function cancelAtProcessor(session: Session, paymentId: string): Promise<void> {
  refuseTransaction(session);
  const fresh = afresh(session);
  const { em } = fresh;
  const pending = await em.findOneOrFail(Payment, paymentId);
  const payment = await chargedPayment(fresh, pending);
  const { invoiceId, customerId } = pending;
  const now = await nowOf(fresh, await em.findOneOrFail(Customer, customerId));
  const present = { ...fresh, now };
  const processor = await processorOf(present, payment);
  const name = await nameOf(present, payment);
  const outcome = await giveUp(present, { processor, name, payment });
  if (outcome?.status === 'canceled') return;
  // The charge has ended without money, and the page where the customer could pay it is closed.
  const isClosed = payment.actionReference != null && outcome?.status !== 'processing';
  if (isClosed && outcome?.status !== 'succeeded') return;
  throw invalid(
    'IN_PROGRESS',
    'id',
    `${invoiceId} is being charged by ${paymentId}, which cannot be canceled: wait until that has ended`,
  );
}

/**
 * Records that charges were canceled in favor of a payment by hand. Their invoices are open again, also those that are
 * not paid by hand, and their runs charge the rest, if there is any. The customer, its subscriptions and the named
 * invoices are locked.
 */
export async function endCanceledCharges(session: Session, charges: readonly Payment[]) {
  const byHand = new Set(charges.map(({ invoiceId }) => invoiceId));
  for (const id of new Set(charges.map(({ chargeId }) => chargeId))) {
    const { session: atLock, parts } = await lockCharge(session, id);
    for (const part of parts) await endCanceledCharge(atLock, part, byHand.has(part.invoice.id));
  }
}

/** One of an invoice that is not paid by hand ends as after a decline: a period that was cut short is not owed. */
async function endCanceledCharge(
  session: Session,
  { payment, invoice, run, subscription }: ChargePart,
  isByHand: boolean,
) {
  if (!payment.isPending) return;
  payment.status = 'canceled';
  payment.failureMessage = isByHand
    ? 'The invoice was paid by hand'
    : 'Another invoice of the charge was paid by hand';
  payment.checkDueAt = null;
  payment.waitOn(null);
  if (!invoice.isPayable) {
    if (run?.isOpen) run.end('aborted', 'The invoice is not to be paid any more');
    return;
  }
  invoice.status = 'open';
  if (run?.isOpen) {
    run.status = 'started';
    run.dueAt = session.now;
  } else if (!isByHand && subscription && (await isCutShort(invoice, subscription))) {
    await dropCutShort(session, invoice, subscription);
  }
}
