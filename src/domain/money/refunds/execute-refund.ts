import { settleRefunded } from '#domain/invoicing/crediting/write-credit-note.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { storeReference } from '#domain/money/methods/charge-name.ts';
import type { RefundOutcome, RefundRequest } from '#domain/money/processing/port/charge-types.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { atCustomersPresent } from '#domain/platform/locks/customers-present.ts';
import { afresh, refuseTransaction } from '#domain/platform/locks/fresh-session.ts';
import { reverseAgain } from './divide-dispute.ts';
import { chargedPayment } from './joint-charge.ts';
import { lockPayment } from './lock-payment.ts';
import { restoreRefunded, restoreUnrefunded, returnPaid } from './return-paid.ts';

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
  const charge = await chargedPayment(present, refund.payment.unwrap());
  const request = requestOf(session, refund, charge);
  const atPresent = await atCustomersPresent(present, refund.customerId);
  const known = refund.processorReference && (await processor.lookupRefund(atPresent, request));
  const outcome = known || (await processor.refund(atPresent, request));
  await settleRefund(afresh(session), refundId, outcome);
}

/** The processor refunds a part of the charge that includes the payment. */
function requestOf(session: Session, refund: Refund, charge: Payment): RefundRequest {
  const payment = refund.payment.unwrap();
  return {
    idempotencyKey: refund.id,
    reference: refund.processorReference ?? null,
    chargeKey: charge.idempotencyKey,
    paymentReference: charge.processorReference ?? null,
    chargeReference: charge.chargeReference ?? null,
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
 * fail later: then the money is at the seller again. Its credit note stays, so the customer's balance gets the amount.
 */
export const settleRefund = (session: Session, id: string, outcome: RefundOutcome): Promise<void> =>
  command(session, (session) => settleLockedRefund(session, id, outcome));

/** The same within a transaction. */
async function settleLockedRefund(session: Session, id: string, outcome: RefundOutcome) {
  const { paymentId } = await session.em.findOneOrFail(Refund, id);
  const locked = await lockPayment(session, paymentId);
  const { session: atLock } = locked;
  const refund = await atLock.em.findOneOrFail(Refund, id, { refresh: true });
  const { status } = outcome;
  if (refund.status === 'failed' || refund.status === 'canceled') return;
  if (refund.status === 'succeeded' && status !== 'failed') return;
  refund.noteReference(outcome.reference);
  if (status === 'pending' || status === 'requires_action') {
    refund.status = status;
    const open = atLock.now.getTime() - refund.createdAt.getTime();
    const pause = Math.min(Math.max(open / 4, lookupMilliseconds.least), lookupMilliseconds.most);
    refund.checkDueAt = new Date(atLock.now.getTime() + pause);
    return;
  }
  const hadSucceeded = refund.status === 'succeeded';
  refund.status = status;
  refund.checkDueAt = null;
  if (status === 'succeeded') {
    refund.settledAt = atLock.now;
    const note = await refund.creditNote?.loadOrFail();
    if (note) settleRefunded(note, locked.invoice, refund.amount - refund.fromBalance);
    // The balance covers the amounts that credit notes have returned for the invoice.
    locked.invoice.amountWaived += refund.fromBalance - refund.retractedAmount;
    return returnPaid(atLock, locked, refund.amount);
  }
  refund.failureCode = outcome.failureCode;
  refund.failureMessage = outcome.failureMessage;
  if (hadSucceeded) {
    refund.failedAt = atLock.now;
    await restoreRefunded(atLock, locked, refund);
  } else await restoreUnrefunded(atLock, locked, refund);
  await atLock.em.flush();
  // A lost dispute may have taken the money that was to be refunded.
  await reverseAgain(atLock, locked);
}

const returnedByHand: RefundOutcome = {
  status: 'succeeded',
  reference: null,
  failureCode: null,
  failureMessage: null,
};

/** Settles a refund of a payment that was recorded by hand, within a transaction: there is no processor to ask. */
export async function settleByHand(session: Session, { id }: Refund, { isExternal }: Payment) {
  if (isExternal) await settleLockedRefund(session, id, returnedByHand);
}
