import type { Session } from '#domain/kernel/session.ts';
import type { creditNoteReasons } from '#domain/model/invoicing/credit-note.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { countedRefundStatuses, Refund } from '#domain/model/money/refund.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { unreturned } from './amount-paid.ts';
import { creditFor, keptPrepaid, type UsedAgain } from './prepaid-credits.ts';
import { sumOfParts, unusedParts } from './unused-parts.ts';
import { writeCreditNote } from './write-credit-note.ts';

/** The rest of an invoice for which no credit note was written, in minor units. */
export async function uncredited({ em }: Session, invoice: Invoice): Promise<number> {
  // A void invoice needs no credit note: its payments are on the balance.
  if (invoice.status === 'void') return 0;
  // Refunds of earlier versions have no document and count all the same.
  const earlier = await em.find(Refund, {
    payment: { invoice: invoice.id },
    isUndocumented: true,
    status: { $in: [...countedRefundStatuses] },
  });
  const refunded = earlier.reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, invoice.total - invoice.amountCredited - refunded);
}

/**
 * The amount of an invoice that the credit balance may still get: the amount that was paid and neither refunded,
 * credited nor set off on another invoice.
 */
export const creditable = async (session: Session, invoice: Invoice): Promise<number> =>
  Math.max(0, Math.min(await unreturned(session, invoice), await uncredited(session, invoice)));

/** The part of that which prepaid credits have not paid: their part returns to them, never as money. */
export const paidAsMoney = async (session: Session, invoice: Invoice): Promise<number> =>
  Math.max(0, (await creditable(session, invoice)) - (await keptPrepaid(session, invoice)));

/** The part of that which may be returned: not what is used of the prepaid credit that the invoice has bought. */
export const returnableAsMoney = async (session: Session, invoice: Invoice): Promise<number> =>
  Math.min(await paidAsMoney(session, invoice), await unusedOf(session, invoice));

/**
 * The unused part of the prepaid credit that an invoice has bought, without what has expired by now. Without a limit for
 * any other invoice, and before the credit is granted.
 */
export async function unusedOf({ em, now }: Session, invoice: Invoice): Promise<number> {
  const { prepaidCreditId } = invoice;
  if (!prepaidCreditId) return Number.MAX_SAFE_INTEGER;
  await em.flush();
  const apart = { disableIdentityMap: true };
  const credit = await em.findOneOrFail(PrepaidCredit, prepaidCreditId, apart);
  if (!credit.grantedAt) return Number.MAX_SAFE_INTEGER;
  credit.expireBy(now);
  return credit.remaining;
}

interface Credit {
  readonly reason: (typeof creditNoteReasons)[number];
  readonly description?: string;
}

/**
 * Credits a locked customer's balance for invoices, with a credit note for each. An invoice is credited up to what is
 * left of it; no credit is given without a document. `usedAgain` is that of `creditFor`. Returns the credited amount.
 */
export async function creditInvoices(
  session: Session,
  customer: Customer,
  invoices: readonly Invoice[],
  amount: number,
  credit: Credit,
  usedAgain?: UsedAgain,
): Promise<number> {
  let left = amount;
  for (const invoice of invoices) {
    if (left <= 0) break;
    const of = Math.min(left, await creditable(session, invoice));
    if (of === 0) continue;
    writeCreditNote(session, customer, invoice, {
      ...credit,
      of,
      settle: (credited) => ({ credited }),
    });
    await creditFor(session, customer, invoice, of, usedAgain);
    left -= of;
  }
  return amount - Math.max(0, left);
}

/** The same for an unused amount of a plan, in the terms of lines. Returns what was credited of it, also with tax. */
export async function creditUnused(
  session: Session,
  customer: Customer,
  invoices: readonly Invoice[],
  amount: number,
  credit: Credit,
) {
  const parts = await unusedParts(session, invoices, amount, creditable);
  for (const { invoice, of, total } of parts) {
    const settle = (credited: number) => ({ credited });
    writeCreditNote(session, customer, invoice, { ...credit, of, settle });
    await creditFor(session, customer, invoice, total);
  }
  return sumOfParts(parts);
}
