import type { BilledPart } from '#domain/invoicing/crediting/unbilled-part.ts';
import type { Session } from '#domain/kernel/session.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import { type Invoice, payableStatuses } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import type { ReckonedTerm } from '#domain/model/subscriptions/commitment.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { Line } from './open-invoice.ts';
import { type TermSoFar, termsSoFar } from './reckon-terms.ts';
import { creditableOf } from './reverse-lines.ts';
import type { UnbilledUsage } from './unbilled-usage.ts';

/** A line that charges the difference to a commitment, or reduces an earlier one. */
export interface TrueUp extends Line {
  readonly type: 'commitment';
  readonly amount: number;
  readonly commitment: ReckonedTerm;
  readonly parts: readonly [BilledPart];
}

/**
 * The differences between the commitments of a locked subscription and what counts for them, less what earlier lines
 * have charged. So more usage, or a correction, reduces an earlier line as far as its money was kept. Where that line is
 * still to be paid, the reduction waits. `unbilled` is all unbilled usage.
 */
export async function trueUps(
  session: Session,
  subscription: Subscription,
  unbilled: readonly UnbilledUsage[],
): Promise<TrueUp[]> {
  if (!subscription.committed || subscription.doNotCharge) return [];
  const terms = await termsSoFar(session, subscription, unbilled);
  const billed = await billedLines(session, terms);
  const rooms = await roomsOf(session, unbilled, billed);
  return terms.flatMap((term) => {
    if (term.terms.trueUp === 'at_end' && !term.isComplete) return [];
    const lines = billed.filter(({ committedPeriodId }) => committedPeriodId === term.periodId);
    const before = lines.reduce((sum, { amount }) => sum + amount, 0);
    const due = Math.max(0, term.committed - term.usage - term.plan) - before;
    if (due === 0) return [];
    if (due > 0) return [lineOf(term, subscription, { before, due, amount: due, undone: null })];
    return undone(lines, rooms, -due).map((part) =>
      lineOf(term, subscription, { before, due, ...part }),
    );
  });
}

interface Part {
  readonly amount: number;
  readonly undone: BilledPart['undone'];
}

function lineOf(
  { periodId, start, end, terms, parts, committed, usage, plan }: TermSoFar,
  { currency }: Subscription,
  { before, due, amount, undone }: Part & { readonly before: number; readonly due: number },
): TrueUp {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const money = (minorUnits: number) => moneyText(minorUnits, currency, 'symbol');
  return {
    type: 'commitment',
    description: `Minimum spend ${day(start)} to ${day(end)}: ${money(committed)} committed, ${money(usage + plan)} reached${amount < 0 ? ', credited' : ''}`,
    quantity: 1,
    price: amount,
    amount,
    committedPeriodId: periodId,
    commitment: {
      start,
      end,
      amount: terms.amount,
      parts: parts.map(([a, b]) => [String(a), String(b)]),
      committed,
      usage,
      plan,
      before,
      rest: due - amount,
    },
    undoneLineItemId: undone?.lineId ?? null,
    parts: [{ amount: BigInt(amount), undone }],
  };
}

/** The lines for terms so far, the latest first. */
function billedLines(
  { em }: Session,
  terms: readonly TermSoFar[],
): Promise<readonly InvoiceLineItem[]> {
  const committedPeriodId = { $in: terms.map(({ periodId }) => periodId) };
  return em.find(
    InvoiceLineItem,
    { committedPeriodId },
    { populate: ['invoice'], orderBy: { createdAt: 'desc', position: 'desc' } },
  );
}

/** How much more of each invoice may be credited, less what corrections of usage credit; null for all. */
async function roomsOf(
  session: Session,
  unbilled: readonly UnbilledUsage[],
  lines: readonly InvoiceLineItem[],
): Promise<Map<string, bigint | null>> {
  const rooms = new Map<string, bigint | null>();
  for (const { invoice } of lines) {
    if (!rooms.has(invoice.id))
      rooms.set(invoice.id, (await creditableOf(session, invoice.unwrap() as Invoice)).left);
  }
  for (const { amount, undone } of unbilled.flatMap(({ parts }) => parts)) {
    const room = undone?.standing === 'kept' ? rooms.get(undone.invoice.id) : null;
    if (undone && room != null) rooms.set(undone.invoice.id, room + amount);
  }
  return rooms;
}

/** The lines that an amount reduces, the latest first, with the kept part of each. */
function undone(
  latestFirst: readonly InvoiceLineItem[],
  rooms: Map<string, bigint | null>,
  amount: number,
): Part[] {
  let left = amount;
  return latestFirst.flatMap((line) => {
    const reduced = latestFirst
      .filter(({ undoneLineItemId }) => undoneLineItemId === line.id)
      .reduce((sum, { amount }) => sum + amount, line.amount);
    const whole = Math.min(left, Math.max(0, reduced));
    left -= whole;
    const invoice = line.invoice.unwrap() as Invoice;
    if (whole === 0 || (payableStatuses as readonly string[]).includes(invoice.status)) return [];
    const room = rooms.get(invoice.id) ?? null;
    const kept = room === null ? whole : Math.max(0, Math.min(whole, Number(room)));
    if (kept === 0) return [];
    if (room !== null) rooms.set(invoice.id, room - BigInt(kept));
    return { amount: -kept, undone: { lineId: line.id, invoice, standing: 'kept' } };
  });
}

/** The amounts that lines charge, without reductions. */
export const chargedBy = (lines: readonly TrueUp[]): number =>
  lines.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);

/** The lines of which each reduction fits into the rest of an invoice; a part of one waits for the next invoice. */
export function fittingTrueUps(lines: readonly TrueUp[], room: number): TrueUp[] {
  let left = room;
  return lines.flatMap((line) => {
    if (line.amount > 0) return [line];
    const amount = Math.max(line.amount, -Math.max(0, left));
    left += amount;
    return amount === 0 ? [] : [partOfLine(line, amount)];
  });
}

function partOfLine(line: TrueUp, amount: number): TrueUp {
  const [part] = line.parts;
  return {
    ...line,
    price: amount,
    amount,
    commitment: {
      ...line.commitment,
      rest: line.commitment.rest + line.amount - amount,
    },
    parts: [{ ...part, amount: BigInt(amount) }],
  };
}
