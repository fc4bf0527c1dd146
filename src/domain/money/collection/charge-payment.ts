import { AnswerNeeded } from '#domain/kernel/answer-needed.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { nameOf } from '#domain/money/methods/charge-name.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { executeRefund } from '#domain/money/refunds/execute-refund.ts';
import { chargedPayment } from '#domain/money/refunds/joint-charge.ts';
import { atCustomersPresent } from '#domain/platform/locks/customers-present.ts';
import { afresh, refuseTransaction } from '#domain/platform/locks/fresh-session.ts';
import { nowOf } from '#domain/platform/reads/read-customer.ts';
import { askProcessor, refuseOtherSum } from './ask-processor.ts';
import type { BegunPayment } from './begin-payment.ts';
import { type Following, settlePayment } from './settle-payment.ts';

/**
 * The second and third step: charges the payment through the processor and records the outcome. A payment that was
 * begun before is looked up first, and charged only if the processor does not know it. An open outcome is looked up
 * again later. A backup payment method follows when it is its turn. A charge for a period that its subscription has
 * ended in is canceled; if that is too late, the money is refunded.
 */
export async function chargePayment(session: Session, begun: BegunPayment): Promise<void> {
  refuseTransaction(session);
  const outcome = await askProcessor(afresh(session), begun);
  if (!outcome) return;
  await follow(session, await settlePayment(afresh(session), begun.paymentId, outcome));
}

async function refundAll(session: Session, following: Following | undefined): Promise<void> {
  for (const id of following?.refundIds ?? []) await executeRefund(session, id);
}

/** Sends the requests to the processor that follow a settled payment. */
export async function follow(session: Session, following: Following | undefined): Promise<void> {
  await refundAll(session, following);
  for (const backup of following?.backups ?? []) await chargePayment(session, backup);
}

/**
 * Reads the charge of a payment that has failed or was canceled, after a notice about it: money that has arrived all
 * the same is settled.
 */
export async function settleLatePayment(session: Session, noticed: Payment): Promise<void> {
  refuseTransaction(session);
  const present = afresh(session);
  const payment = await chargedPayment(present, noticed);
  const processor = await processorOf(present, payment);
  const atPresent = await atCustomersPresent(present, payment.customerId);
  const outcome = await processor.lookup(atPresent, await nameOf(present, payment));
  if (outcome?.status !== 'succeeded') return;
  refuseOtherSum(payment, outcome);
  const following = await settlePayment(afresh(session), payment.id, outcome);
  await refundAll(session, following);
}

/**
 * Asks the processor immediately for the final status of a customer's due payments. A failure is reported, and the
 * payment stays due.
 */
export async function settleDuePaymentsOf(session: Session, customerId: string): Promise<void> {
  const present = afresh(session);
  const now = await nowOf(present, await present.em.findOneOrFail(Customer, customerId));
  const due = { customerId, checkDueAt: { $lte: now } };
  for (const { id } of await present.em.find(Payment, due, { orderBy: { chargeDate: 'asc' } })) {
    await chargePayment(session, { paymentId: id, resumed: true }).catch((error) => {
      if (error instanceof AnswerNeeded) throw error;
      report(session, id, error);
    });
  }
}
