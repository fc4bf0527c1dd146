import { Dispute, type DisputeStatus } from '#domain/disputes/dispute.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/payments/payment.ts';
import { atCustomersPresent } from '#domain/rules/locks/customers-present.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import type { DisputeState } from '#domain/rules/processing/processor-objects.ts';
import { processorOf } from '#domain/rules/processing/processor-of.ts';
import { divideDispute, reverseParts } from './divide-dispute.ts';
import { paymentByReferences } from './find-payment.ts';
import { type LockedCharge, lockCharge } from './lock-payment.ts';
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
    await settleDispute(await lockCharge(session, payment.id), state);
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

/**
 * Applies the state of a dispute to the payments of its locked charge, in any order and however often. Each payment has
 * a record of its part; one without a part has none, except the first.
 */
export async function settleDispute(locked: LockedCharge, state: DisputeState) {
  const { session: then, customer, parts } = locked;
  const { em, now } = then;
  const [{ payment: charged }] = parts;
  const { reference: processorReference, status, openedAt, currency } = state;
  if (currency !== charged.currency) {
    const message = `The dispute ${processorReference} is in ${currency}, not in ${charged.currency} as its payment`;
    throw new Error(message);
  }
  const payments = parts.map(({ payment }) => payment);
  const ids = { $in: payments.map(({ id }) => id) };
  const known = await em.find(Dispute, { payment: ids, processorReference });
  const [found] = known;
  // An inquiry may become a dispute after it was closed.
  if (found && ranks[status] < ranks[found.status] && found.status !== 'inquiry_closed') return;
  const shares = await divideDispute(then, parts, state);
  for (const [place, payment] of payments.entries()) {
    const share = shares[place] ?? { amount: 0, withdrawnAmount: 0 };
    const own = known.find(({ paymentId }) => paymentId === payment.id);
    if (!own && place > 0 && share.amount === 0 && share.withdrawnAmount === 0) continue;
    const { customerId } = payment;
    const dispute =
      own ??
      em.create(Dispute, {
        payment,
        customerId,
        processorReference,
        status,
        amount: share.amount,
        currency,
        openedAt,
      });
    dispute.status = status;
    dispute.amount = share.amount;
    dispute.reason = state.reason;
    dispute.withdrawnAmount = share.withdrawnAmount;
    dispute.fee = place === 0 ? state.fee : 0;
    dispute.evidenceDueAt = state.evidenceDueAt;
    dispute.closedAt = dispute.isOpen ? null : (dispute.closedAt ?? now);
  }
  await em.flush();
  const all = await em.find(Dispute, { payment: ids });
  for (const payment of payments) {
    const of = all.filter(({ paymentId }) => paymentId === payment.id);
    payment.disputed = of.some(({ isOpen, status }) => isOpen && status !== 'inquiry');
  }
  await reverseParts(then, customer, parts);
}
