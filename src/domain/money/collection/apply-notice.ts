import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import { forgetCustomerAt } from '#domain/money/methods/save-customer.ts';
import type { ProcessorNotice } from '#domain/money/processing/port/processor-objects.ts';
import { type ProcessorName, processorOf } from '#domain/money/processing/processor-of.ts';
import { applyDispute } from '#domain/money/refunds/apply-dispute.ts';
import { applyRefund } from '#domain/money/refunds/apply-refund.ts';
import type { Applied } from '#domain/money/refunds/notice.ts';
import { afresh, refuseTransaction } from '#domain/platform/locks/fresh-session.ts';
import { applyMethod } from './apply-method.ts';
import { chargePayment, settleLatePayment } from './charge-payment.ts';
import { completeSetup } from './complete-setup.ts';

/** The part of a notice that decides what is read. */
export type AppliedNotice = Pick<ProcessorNotice, 'object' | 'reference' | 'paymentId'> &
  ProcessorName;

/**
 * Applies a notice of a processor: reads the object again through the port, and settles it under the lock of its row.
 * Webhooks, the reconciliation, the return of a customer and lookups all end in the same functions. So notices may
 * arrive twice, late and in any order.
 */
export async function applyNotice(session: Session, notice: AppliedNotice): Promise<Applied> {
  refuseTransaction(session);
  const { object } = notice;
  if (object === 'charge' || object === 'payment_page') return applyCharge(session, notice);
  if (object === 'refund') return applyRefund(session, notice);
  if (object === 'dispute') return applyDispute(session, notice);
  if (object === 'setup') return applySetup(session, notice);
  if (object === 'method') return applyMethod(session, notice);
  if (object === 'customer') return applyCustomer(session, notice);
  return 'ignored';
}

async function applyCharge(
  session: Session,
  { reference, paymentId: noticed }: AppliedNotice,
): Promise<Applied> {
  const { em } = afresh(session);
  const references = [
    { processorReference: reference },
    { chargeReference: reference },
    { actionReference: reference },
  ];
  const payment =
    (noticed && (await em.findOne(Payment, noticed))) ||
    (await em.findOne(Payment, { $or: references }));
  if (!payment) return 'unknown';
  const { id: paymentId, isPending, isExternal, status } = payment;
  if (isPending) await chargePayment(session, { paymentId, resumed: true });
  else if (!isExternal && status !== 'succeeded' && status !== 'refunded') {
    await settleLatePayment(session, payment);
  }
  return 'applied';
}

async function applySetup(session: Session, { reference }: AppliedNotice): Promise<Applied> {
  const { em } = afresh(session);
  const setup = await em.findOne(PaymentMethodSetup, { processorReference: reference });
  if (!setup) return 'unknown';
  await completeSetup(session, setup.id);
  return 'applied';
}

async function applyCustomer(session: Session, notice: AppliedNotice): Promise<Applied> {
  const processor = await processorOf(session, notice);
  if (await processor.hasCustomer(session, notice.reference)) return 'applied';
  const forgotten = await forgetCustomerAt(session, notice);
  return forgotten > 0 ? 'applied' : 'ignored';
}
