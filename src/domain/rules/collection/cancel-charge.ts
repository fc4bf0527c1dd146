import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { Customer } from '#domain/customers/customer.ts';
import type { Invoice } from '#domain/invoices/invoice.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/payments/payment.ts';
import { afresh, refuseTransaction } from '#domain/rules/locks/fresh-session.ts';
import { processorOf } from '#domain/rules/processing/processor-of.ts';
import { nowOf } from '#domain/rules/reads/read-customer.ts';
import { giveUp } from './ask-processor.ts';
import { nameOf } from './charge-name.ts';

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
  const payment = await em.findOneOrFail(Payment, paymentId);
  const { invoiceId, customerId } = payment;
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
 * Records that a charge was canceled in favor of a payment by hand. Its invoice is open again, and its run charges
 * the rest, if there is any.
 */
export async function endCanceledCharge({ em, now }: Session, invoice: Invoice, payment: Payment) {
  payment.status = 'canceled';
  payment.failureMessage = 'The invoice was paid by hand';
  payment.checkDueAt = null;
  payment.actionUrl = null;
  invoice.status = 'open';
  const run = payment.billingRunId ? await em.findOne(BillingRun, payment.billingRunId) : null;
  if (!run?.isOpen) return;
  run.status = 'started';
  run.dueAt = now;
}
