import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { PrepaidCreditUse } from '#domain/model/money/prepaid-credit-use.ts';
import { unreturned } from './amount-paid.ts';
import { keptPrepaid, keptUses } from './prepaid-credits.ts';

/** Amounts of prepaid credits by the id of the credit, in minor units. */
export type PrepaidParts = Readonly<Record<string, number>>;

/** The prepaid credit of an unpaid invoice that another one may use instead, without what credit notes have returned. */
export async function movablePrepaid(session: Session, invoice: Invoice): Promise<number> {
  if (invoice.prepaidApplied === 0) return 0;
  const kept = await keptPrepaid(session, invoice);
  return Math.min(kept, Math.max(0, await unreturned(session, invoice)));
}

/** The applied credit of an unpaid invoice that another one may use instead: that, and the part of the balance. */
export const movableCredit = async (session: Session, invoice: Invoice): Promise<number> =>
  (await movablePrepaid(session, invoice)) +
  Math.max(0, invoice.creditApplied - invoice.prepaidApplied);

/**
 * Moves an amount of prepaid credit that an invoice uses to another invoice of the locked customer. The credits stay
 * used, so one that has ended loses nothing. Returns the part of each.
 */
export function movePrepaid(session: Session, from: Invoice, to: Invoice, most: number) {
  let left = most;
  return moveUses(session, from, to, ({ kept }) => {
    const part = Math.min(kept, left);
    left -= part;
    return part;
  });
}

/** Moves parts of prepaid credits back to the invoice from which they came. */
export const movePartsBack = (session: Session, from: Invoice, to: Invoice, parts: PrepaidParts) =>
  moveUses(session, from, to, ({ creditId, kept }) => Math.min(kept, parts[creditId] ?? 0));

async function moveUses(
  session: Session,
  from: Invoice,
  to: Invoice,
  partOf: (use: PrepaidCreditUse) => number,
): Promise<PrepaidParts> {
  const moved: Record<string, number> = {};
  let sum = 0;
  for (const use of (await keptUses(session, from)).toReversed()) {
    const part = partOf(use);
    if (part === 0) continue;
    use.amount -= part;
    await addUse(session, to, use, part);
    moved[use.creditId] = part;
    sum += part;
  }
  from.prepaidApplied -= sum;
  from.creditApplied -= sum;
  await session.em.flush();
  return moved;
}

/** Has an invoice use a part of a credit that another use has given up. */
export async function addUse(
  { em }: Session,
  invoice: Invoice,
  { credit, creditId }: PrepaidCreditUse,
  part: number,
) {
  const known = await em.findOne(PrepaidCreditUse, { credit: creditId, invoice: invoice.id });
  if (known) known.amount += part;
  else em.create(PrepaidCreditUse, { credit, invoice, amount: part });
  invoice.prepaidApplied += part;
  invoice.creditApplied += part;
}
