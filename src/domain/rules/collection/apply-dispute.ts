import { Dispute, type DisputeStatus } from '#domain/disputes/dispute.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { atCustomersPresent } from '#domain/rules/locks/customers-present.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import type { DisputeState } from '#domain/rules/processing/processor-objects.ts';
import { processorOf } from '#domain/rules/processing/processor-of.ts';
import { paymentByReferences } from './find-payment.ts';
import { type LockedPayment, lockPayment } from './lock-payment.ts';
import { reverseLost } from './note-dispute.ts';
import type { Applied, NoticedObject } from './notice.ts';

/** Reads a dispute at the processor and applies its state. */
export async function applyDispute(
  session: Session,
  { reference, paymentId, ...name }: NoticedObject,
): Promise<Applied> {
  const present = afresh(session);
  const processor = await processorOf(present, name);
  const noticed = paymentId ? await present.em.findOne(Payment, paymentId) : null;
  const then = noticed ? await atCustomersPresent(present, noticed.customerId) : present;
  const state = await processor.readDispute(then, reference);
  if (!state) return 'ignored';
  const payment = await paymentByReferences(present.em, state);
  if (!payment) return 'unknown';
  return command(afresh(session), async (session) => {
    await settleDispute(await lockPayment(session, payment.id), state);
    return 'applied' as const;
  });
}

/** A dispute moves on only: a late notice changes nothing. */
const ranks: Readonly<Record<DisputeStatus, number>> = {
  inquiry: 0,
  inquiry_closed: 3,
  opened: 1,
  under_review: 2,
  won: 4,
  lost: 4,
  prevented: 4,
};

/** Applies the state of a dispute to its locked payment, in any order and however often. */
export async function settleDispute(
  locked: LockedPayment,
  { reference: processorReference, status, ...state }: DisputeState,
) {
  const { session: then, payment } = locked;
  const { em, now } = then;
  if (state.currency !== payment.currency) {
    const message = `The dispute ${processorReference} is in ${state.currency}, not in ${payment.currency} as its payment`;
    throw new Error(message);
  }
  const found = await em.findOne(Dispute, { payment: payment.id, processorReference });
  // An inquiry may become a dispute after it was closed.
  if (found && ranks[status] < ranks[found.status] && found.status !== 'inquiry_closed') return;
  const dispute =
    found ??
    em.create(Dispute, {
      payment,
      customerId: payment.customerId,
      processorReference,
      status,
      amount: state.amount,
      currency: state.currency,
      openedAt: state.openedAt,
    });
  dispute.status = status;
  dispute.amount = state.amount;
  dispute.reason = state.reason;
  dispute.withdrawnAmount = state.withdrawnAmount;
  dispute.fee = state.fee;
  dispute.evidenceDueAt = state.evidenceDueAt;
  dispute.closedAt = dispute.isOpen ? null : (dispute.closedAt ?? now);
  await em.flush();
  const all = await em.find(Dispute, { payment: payment.id });
  payment.disputed = all.some(({ isOpen, status }) => isOpen && status !== 'inquiry');
  await reverseLost(then, locked);
}
