import { LockMode } from '@mikro-orm/core';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { Customer } from '#domain/customers/customer.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/payments/payment.ts';
import { afresh, refuseTransaction } from '#domain/rules/locks/fresh-session.ts';
import { processorOf } from '#domain/rules/processing/processor-of.ts';
import { nowOf } from '#domain/rules/reads/read-customer.ts';
import { giveUp } from './ask-processor.ts';
import { nameOf } from './charge-name.ts';
import { chargedPayment, paymentsOfCharge } from './joint-charge.ts';

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
 * not paid by hand, and their runs charge the rest, if there is any. The customer and the named invoices are locked.
 */
export async function endCanceledCharges(session: Session, charges: readonly Payment[]) {
  const { em } = session;
  const byHand = new Set(charges.map(({ invoiceId }) => invoiceId));
  const chargeIds = new Set(charges.map(({ chargeId }) => chargeId));
  for (const id of chargeIds) {
    for (const payment of await paymentsOfCharge(session, await em.findOneOrFail(Payment, id))) {
      const { invoiceId } = payment;
      const invoice = await em.findOneOrFail(Invoice, invoiceId, {
        lockMode: LockMode.PESSIMISTIC_WRITE,
      });
      await endCanceledCharge(
        session,
        invoice,
        payment,
        byHand.has(invoiceId)
          ? 'The invoice was paid by hand'
          : 'Another invoice of the charge was paid by hand',
      );
    }
  }
}

async function endCanceledCharge(
  { em, now }: Session,
  invoice: Invoice,
  payment: Payment,
  reason: string,
) {
  payment.status = 'canceled';
  payment.failureMessage = reason;
  payment.checkDueAt = null;
  payment.actionUrl = null;
  invoice.status = 'open';
  const run = payment.billingRunId ? await em.findOne(BillingRun, payment.billingRunId) : null;
  if (!run?.isOpen) return;
  run.status = 'started';
  run.dueAt = now;
}
