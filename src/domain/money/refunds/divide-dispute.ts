import type { Session } from '#domain/kernel/session.ts';
import { Dispute } from '#domain/model/money/dispute.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { divide } from './joint-charge.ts';
import { type LockedCharge, type LockedPayment, lockCharge } from './lock-payment.ts';
import { reverseLost, unrefunded } from './note-dispute.ts';

type Parts = LockedCharge['parts'];

/** A dispute about a whole charge, as the processor states it. */
export type WholeDispute = Pick<
  Dispute,
  'processorReference' | 'status' | 'amount' | 'withdrawnAmount' | 'fee' | 'currency' | 'openedAt'
> & { readonly [name in 'reason' | 'evidenceDueAt' | 'closedAt']: Dispute[name] | null };

/** The disputes about a locked charge, those about one reference together, the first opened first. */
export async function disputesOf({ em }: Session, parts: Parts): Promise<Map<string, Dispute[]>> {
  const ids = parts.map(({ payment }) => payment.id);
  const orderBy = { openedAt: 'asc', processorReference: 'asc', position: 'asc' } as const;
  const all = await em.find(Dispute, { payment: { $in: ids } }, { orderBy });
  return Map.groupBy(all, ({ processorReference }) => processorReference);
}

/**
 * Records a dispute for the payments of its locked charge, each with its share. One without a share has no record,
 * except the first. `known` has the present records, and `others` those of the other disputes about the charge.
 */
export async function recordShares(
  session: Session,
  parts: Parts,
  whole: WholeDispute,
  { known, others }: { readonly known: readonly Dispute[]; readonly others: readonly Dispute[] },
): Promise<Dispute[]> {
  const { status, reason, evidenceDueAt, closedAt, processorReference, currency, openedAt } = whole;
  const present = parts.map(({ payment }) =>
    known.find(({ paymentId }) => paymentId === payment.id),
  );
  const before = present.map((own) => own?.amount ?? 0);
  const amounts = divideAgain(whole.amount, before, await roomOf(session, parts, others));
  const withdrawn = divide(whole.withdrawnAmount, amounts);
  const records: Dispute[] = [];
  for (const [place, { payment }] of parts.entries()) {
    const amount = amounts[place] ?? 0;
    const withdrawnAmount = withdrawn[place] ?? 0;
    const own = present[place];
    if (!own && place > 0 && amount === 0 && withdrawnAmount === 0) continue;
    const { customerId } = payment;
    const fee = place === 0 ? whole.fee : 0;
    const stated = { status, reason, evidenceDueAt, closedAt, amount, withdrawnAmount, fee };
    const named = { payment, customerId, processorReference, currency, openedAt };
    records.push(
      own ? session.em.assign(own, stated) : session.em.create(Dispute, { ...named, ...stated }),
    );
  }
  return records;
}

/** The amount of each payment that is not refunded and that no other dispute takes, in minor units. */
async function roomOf(session: Session, parts: Parts, others: readonly Dispute[]) {
  const room: number[] = [];
  for (const { payment } of parts) {
    const taken = others
      .filter(({ paymentId }) => paymentId === payment.id)
      .reduce((sum, other) => sum + takenBy(other), 0);
    room.push(Math.max(0, (await unrefunded(session, payment)) - taken));
  }
  return room;
}

function takenBy({ status, amount, withdrawnAmount }: Dispute): number {
  if (status === 'lost') return withdrawnAmount;
  return status === 'opened' || status === 'under_review' ? amount : 0;
}

/** Divides an amount among payments that have shares of it: a share stays as it is where the payment has room for it. */
function divideAgain(amount: number, before: readonly number[], room: readonly number[]): number[] {
  let left = amount;
  const kept = room.map((most, place) => {
    const part = Math.min(left, most, before[place] ?? 0);
    left -= part;
    return part;
  });
  const more = divide(
    left,
    room.map((most, place) => most - (kept[place] ?? 0)),
  );
  return kept.map((part, place) => part + (more[place] ?? 0));
}

/** Divides the disputes about the charge of a locked payment again, after a refund of it has failed. */
export async function reverseAgain(session: Session, locked: Omit<LockedPayment, 'session'>) {
  const { chargedWithId, chargeAmount, id } = locked.payment;
  if (!chargedWithId && chargeAmount == null) return reverseLost(session, locked);
  const { parts } = await lockCharge(session, id);
  const earlier: Dispute[] = [];
  for (const known of (await disputesOf(session, parts)).values()) {
    const [first] = known;
    if (!first || !(first.isOpen || first.status === 'lost')) continue;
    const { processorReference, status, currency, openedAt } = first;
    const whole = {
      ...{ processorReference, status, currency, openedAt },
      reason: first.reason ?? null,
      evidenceDueAt: first.evidenceDueAt ?? null,
      closedAt: first.closedAt ?? null,
      amount: sumOf(known, 'amount'),
      withdrawnAmount: sumOf(known, 'withdrawnAmount'),
      fee: sumOf(known, 'fee'),
    };
    earlier.push(...(await recordShares(session, parts, whole, { known, others: earlier })));
  }
  await followDisputes(session, locked.customer, parts);
}

/**
 * Applies the recorded disputes to the payments of a locked charge: the processor refunds none of them while one is
 * open, and each lost share is taken off its payment.
 */
export async function followDisputes(session: Session, customer: Customer, parts: Parts) {
  await session.em.flush();
  const all = [...(await disputesOf(session, parts)).values()].flat();
  const disputed = all.some(({ isOpen, status }) => isOpen && status !== 'inquiry');
  for (const { payment } of parts) payment.disputed = disputed;
  for (const part of parts) await reverseLost(session, { customer, ...part });
}

const sumOf = (disputes: readonly Dispute[], name: 'amount' | 'withdrawnAmount' | 'fee') =>
  disputes.reduce((sum, dispute) => sum + dispute[name], 0);
