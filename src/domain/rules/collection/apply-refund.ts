import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/payments/payment.ts';
import { countedRefundStatuses, Refund } from '#domain/payments/refund.ts';
import { atCustomersPresent } from '#domain/rules/locks/customers-present.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import type { RefundState } from '#domain/rules/processing/charge-types.ts';
import { processorOf } from '#domain/rules/processing/processor-of.ts';
import { settleRefund } from './execute-refund.ts';
import { paymentByReferences } from './find-payment.ts';
import { lockPayment } from './lock-payment.ts';
import type { Applied, NoticedObject } from './notice.ts';
import { openRefund, refundable, refundFor } from './open-refund.ts';

/**
 * Reads a refund at the processor and applies its state. A refund that someone made there is recorded as one of its own.
 */
export async function applyRefund(
  session: Session,
  { reference, ...name }: NoticedObject,
): Promise<Applied> {
  const present = afresh(session);
  const known = await present.em.findOne(Refund, { processorReference: reference });
  const processor = await processorOf(present, name);
  const then = known ? await atCustomersPresent(present, known.customerId) : present;
  const state = await processor.readRefund(then, reference);
  if (!state) return 'ignored';
  const id = known?.id ?? (await idOf(session, state));
  if (!id) return 'unknown';
  await settleRefund(afresh(session), id, state);
  return 'applied';
}

/** Our refund that the processor names, or a new record of a refund that was made there. */
async function idOf(session: Session, state: RefundState): Promise<string | undefined> {
  const { em } = afresh(session);
  const own = state.refundId && (await em.findOne(Refund, state.refundId));
  if (own) return own.id;
  const payment = await paymentByReferences(em, state);
  if (!payment) return undefined;
  return command(afresh(session), (session) => recordRefund(session, payment, state));
}

async function recordRefund(session: Session, { id }: Payment, state: RefundState) {
  const { session: then, ...locked } = await lockPayment(session, id);
  const { payment } = locked;
  const { em } = then;
  const processorReference = state.reference;
  const known = await em.findOne(Refund, { payment: id, processorReference });
  if (known) return known.id;
  const counted = { payment: id, status: { $in: [...countedRefundStatuses] } };
  const refunds = await em.find(Refund, counted);
  const left =
    payment.amount - payment.reversedAmount - refunds.reduce((sum, { amount }) => sum + amount, 0);
  if (!['succeeded', 'refunded'].includes(payment.status) || state.amount > left) return undefined;
  const refund =
    state.amount <= (await refundable(then, locked))
      ? await openRefund(then, locked, state.amount, { reason: 'refund' })
      : undocumented(then, payment, state.amount, refunds);
  refund.origin = 'processor';
  refund.processorReference = processorReference;
  await em.flush();
  return refund.id;
}

/** A refund that was made at the processor although the customer has the amount as a credit and has used it. */
function undocumented(session: Session, payment: Payment, amount: number, earlier: Refund[]) {
  const refunded = earlier.reduce((sum, refund) => sum + refund.amount, amount);
  payment.creditedAmount = Math.min(payment.creditedAmount, payment.amount - refunded);
  return refundFor(session, payment, { amount, creditNote: null, fromBalance: 0 });
}
