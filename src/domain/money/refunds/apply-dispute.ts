import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { type DisputeStatus, openDisputeStatuses } from '#domain/model/money/dispute.ts';
import { Payment } from '#domain/model/money/payment.ts';
import type { DisputeState } from '#domain/money/processing/port/processor-objects.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { atCustomersPresent } from '#domain/platform/locks/customers-present.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { disputesOf, followDisputes, recordShares } from './divide-dispute.ts';
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
  const atPresent = noticed ? await atCustomersPresent(present, noticed.customerId) : present;
  const state = await processor.readDispute(atPresent, reference);
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

/** Applies the state of a dispute to the payments of its locked charge, in any order and however often. */
export async function settleDispute(locked: LockedCharge, state: DisputeState) {
  const { session: atLock, customer, parts } = locked;
  const [{ payment: charged }] = parts;
  const { reference: processorReference, status, currency } = state;
  if (currency !== charged.currency) {
    const message = `The dispute ${processorReference} is in ${currency}, not in ${charged.currency} as its payment`;
    throw new Error(message);
  }
  const all = await disputesOf(atLock, parts);
  const known = all.get(processorReference) ?? [];
  const [found] = known;
  // An inquiry may become a dispute after it was closed.
  if (found && ranks[status] < ranks[found.status] && found.status !== 'inquiry_closed') return;
  const isOpen = (openDisputeStatuses as readonly string[]).includes(status);
  const closedAt = isOpen ? null : (found?.closedAt ?? atLock.now);
  const { amount, withdrawnAmount, fee, openedAt, reason, evidenceDueAt } = state;
  const stated = { amount, withdrawnAmount, fee, openedAt, reason, evidenceDueAt, closedAt };
  const others = [...all].flatMap(([other, of]) => (other === processorReference ? [] : of));
  const whole = { processorReference, status, currency, ...stated };
  await recordShares(atLock, parts, whole, { known, others });
  await followDisputes(atLock, customer, parts);
}
