import type { z } from 'zod';
import { amountDue, amountPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { uncredited } from '#domain/invoicing/crediting/credit-invoices.ts';
import { followBoughtCredit } from '#domain/invoicing/crediting/follow-bought-credit.ts';
import { creditFor } from '#domain/invoicing/crediting/prepaid-credits.ts';
import { refundableParts, refundFor } from '#domain/invoicing/crediting/refund-invoices.ts';
import {
  creditNoteAmounts,
  writeCreditNote,
} from '#domain/invoicing/crediting/write-credit-note.ts';
import { writeOffInvoice } from '#domain/invoicing/crediting/write-off-invoice.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountText } from '#domain/kernel/values/currencies.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { leaveUnpaid } from '#domain/money/outcomes/leave-unpaid.ts';
import { markPaid } from '#domain/money/outcomes/mark-paid.ts';
import { executeRefund, settleByHand } from '#domain/money/refunds/execute-refund.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockInvoice } from '#domain/platform/locks/lock-invoice.ts';
import type { CreditNoteInput, createCreditNoteInput } from './credit-note-input.ts';
import { wantedOf } from './noted-lines.ts';
import { requireCreditable, requireSettleable } from './require-creditable.ts';

type Locked = Awaited<ReturnType<typeof lockInvoice>>;

/**
 * Writes a credit note for a finalized invoice and settles it: refunds payments, credits the balance, or writes off
 * what is due. It cannot be changed or voided afterwards; a correction is another document. Errors: NOT_FOUND;
 * BAD_REQUEST for an invoice that is a draft or void, and for more than is left of it or can be settled that way.
 */
export async function createCreditNote(
  session: Session,
  { creditNote: input }: z.output<typeof createCreditNoteInput>,
): Promise<CreditNote> {
  const { done } = await firstStep(afresh(session), async (session) => {
    const locked = await lockInvoice(session, input.invoiceId);
    const { invoice, customer, session: atLock } = locked;
    await requireCreditable(atLock, invoice, input);
    const of = await wantedOf(atLock, invoice, input);
    const { total } = creditNoteAmounts(invoice, of).amounts;
    const rest = await uncredited(atLock, invoice);
    if (total > rest) {
      const message = `must be at most ${amountText(rest, invoice.currency)}, the rest of the invoice`;
      throw invalid('OUT_OF_RANGE', pathOf(input), message);
    }
    await requireSettleable(atLock, invoice, { settle: input.settle, total, path: pathOf(input) });
    const { reason, description } = input;
    const note = writeCreditNote(atLock, customer, invoice, {
      of,
      reason,
      description,
      settle: (total) => settledOf(input, total),
    });
    const refundIds = await settle(atLock, locked, note);
    await followBoughtCredit(atLock, invoice);
    return { id: note.id, refundIds };
  });
  for (const refundId of done.refundIds) await executeRefund(session, refundId);
  return afresh(session).em.findOneOrFail(CreditNote, done.id);
}

const pathOf = ({ whole, amount }: CreditNoteInput) =>
  `creditNote.${whole ? 'whole' : amount == null ? 'lines' : 'amount'}`;

function settledOf({ settle }: CreditNoteInput, total: number) {
  if (settle === 'refund') return {};
  return settle === 'credit' ? { credited: total } : { writtenOff: total };
}

/** Moves the amount of a credit note. Returns the refunds that are to be executed. */
async function settle(session: Session, locked: Locked, note: CreditNote): Promise<string[]> {
  const { invoice, customer } = locked;
  await session.em.flush();
  if (note.settlement === 'credit') await creditFor(session, customer, invoice, note.total);
  if (note.settlement === 'write_off') await settleRest(session, locked);
  return note.settlement === 'refund' ? openRefunds(session, invoice, note) : [];
}

/** Refunds the latest payments first. */
async function openRefunds(
  session: Session,
  invoice: Invoice,
  note: CreditNote,
): Promise<string[]> {
  const ids: string[] = [];
  let left = note.total;
  for (const { payment, refundable } of await refundableParts(session, invoice)) {
    const amount = Math.min(left, refundable);
    if (amount === 0) continue;
    left -= amount;
    const parts = { amount, creditNote: note, fromBalance: 0 };
    const refund = refundFor(session, payment, parts);
    await session.em.flush();
    await settleByHand(session, refund, payment);
    ids.push(refund.id);
  }
  return ids;
}

/** An invoice of which nothing is due any more is paid, or written off if nothing was paid for it. */
async function settleRest(session: Session, { invoice, subscription }: Locked) {
  if ((await amountDue(session, invoice)) > 0) return;
  if ((await amountPaid(session, invoice)) > 0) {
    await markPaid(session, { invoice, run: null, subscription });
    return;
  }
  await writeOffInvoice(session, invoice, 'uncollectible');
  await leaveUnpaid(session, { invoice, subscription });
}
