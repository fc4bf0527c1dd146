import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Refund } from '#domain/payments/refund.ts';
import { amountPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { creditPayments } from '#domain/rules/invoicing/credit-payments.ts';
import { atCustomersPresent } from '#domain/rules/locks/customers-present.ts';
import { afresh, refuseTransaction } from '#domain/rules/locks/fresh-session.ts';
import type { RefundOutcome, RefundRequest } from '#domain/rules/processing/charge-types.ts';
import { processorOf } from '#domain/rules/processing/processor-of.ts';
import { storeReference } from './charge-name.ts';
import { lockPayment } from './lock-payment.ts';

/**
 * Executes a refund through the processor, once however often it is called, and applies the outcome. One that was
 * requested before is looked up.
 */
export async function executeRefund(session: Session, refundId: string): Promise<void> {
  refuseTransaction(session);
  const present = afresh(session);
  const refund = await present.em.findOneOrFail(Refund, refundId, { populate: ['payment'] });
  if (!refund.isOpen) return;
  const processor = await processorOf(present, refund.payment.unwrap());
  const request = requestOf(session, refund);
  const then = await atCustomersPresent(present, refund.customerId);
  const known = refund.processorReference && (await processor.lookupRefund(then, request));
  const outcome = known || (await processor.refund(then, request));
  await settleRefund(afresh(session), refundId, outcome);
}

function requestOf(session: Session, refund: Refund): RefundRequest {
  const payment = refund.payment.unwrap();
  return {
    idempotencyKey: refund.id,
    reference: refund.processorReference ?? null,
    chargeKey: payment.idempotencyKey,
    paymentReference: payment.processorReference ?? null,
    chargeReference: payment.chargeReference ?? null,
    amount: refund.amount,
    currency: payment.currency,
    begunAt: refund.createdAt,
    metadata: {
      refund_id: refund.id,
      payment_id: payment.id,
      organization_id: payment.organizationId,
    },
    onReference: (reference) => storeReference(session, 'refund', refund.id, reference),
  };
}

const lookupMilliseconds = { least: 3_600_000, most: 24 * 3_600_000 };

/**
 * Applies the state of a refund in one transaction, in any order and however often. A refund that had succeeded may
 * fail later: then the money is at the seller again, and the payment and its invoice are as before the refund.
 */
export const settleRefund = (session: Session, id: string, outcome: RefundOutcome): Promise<void> =>
  command(session, (session) => settleLockedRefund(session, id, outcome));

/** The same within a transaction. */
export async function settleLockedRefund(session: Session, id: string, outcome: RefundOutcome) {
  const { paymentId } = await session.em.findOneOrFail(Refund, id);
  const { payment, invoice, customer, session: then } = await lockPayment(session, paymentId);
  const refund = await then.em.findOneOrFail(Refund, id, { refresh: true });
  const { status } = outcome;
  if (refund.status === 'failed' || refund.status === 'canceled') return;
  if (refund.status === 'succeeded' && status !== 'failed') return;
  refund.processorReference = outcome.reference ?? refund.processorReference ?? null;
  if (status === 'pending' || status === 'requires_action') {
    refund.status = status;
    const open = then.now.getTime() - refund.createdAt.getTime();
    const pause = Math.min(Math.max(open / 4, lookupMilliseconds.least), lookupMilliseconds.most);
    refund.checkDueAt = new Date(then.now.getTime() + pause);
    return;
  }
  const before = refund.status === 'succeeded' ? refund.amount : 0;
  refund.status = status;
  refund.checkDueAt = null;
  if (status === 'succeeded') refund.settledAt = then.now;
  else {
    refund.failureCode = outcome.failureCode;
    refund.failureMessage = outcome.failureMessage;
    if (before > 0) refund.failedAt = then.now;
  }
  const change = (status === 'succeeded' ? refund.amount : 0) - before;
  if (change !== 0) {
    payment.refundedAmount += change;
    payment.refundedAt = then.now;
    payment.refunded = payment.refundedAmount === payment.amount;
    payment.status = payment.refunded ? 'refunded' : 'succeeded';
    await then.em.flush();
  }
  if (invoice.status === 'void' && status !== 'succeeded') {
    await creditPayments(then, customer, invoice);
  }
  if (change === 0 || !['paid', 'partially_refunded', 'refunded'].includes(invoice.status)) return;
  // Applied credit is not refunded yet. An over-payment that is refunded leaves its invoice paid.
  const paid = await amountPaid(then, invoice);
  if (paid >= invoice.total) invoice.status = 'paid';
  else invoice.status = paid === 0 ? 'refunded' : 'partially_refunded';
}
