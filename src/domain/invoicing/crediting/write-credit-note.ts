import type { Session } from '#domain/kernel/session.ts';
import { CreditNote, type creditNoteReasons } from '#domain/model/invoicing/credit-note.ts';
import { CreditNoteLine } from '#domain/model/invoicing/credit-note-line.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { nextCreditNoteNumber } from './number-credit-note.ts';
import { taxRuleOn } from './tax-rule.ts';
import { shareOfLines, shareOfTotal } from './tax-shares.ts';
import { linesOfTax, revertLines, revertTotal } from './tax-shares-by-group.ts';

/** One line of a credit note, in the terms of the invoice's lines. */
export interface NotedLine {
  readonly invoiceLineItemId: string | null;
  readonly description: string;
  readonly quantity: number | null;
  readonly amount: number;
  /** The group of its taxes; absent or null where it is spread over the groups, or there is one. */
  readonly taxGroup?: number | null | undefined;
}

/** The amounts by which a credit note is settled; the rest is still pending. */
interface Settled {
  readonly credited?: number;
  readonly writtenOff?: number;
  readonly setOff?: number;
}

interface NewCreditNote {
  /** The amount with its tax, or the lines. */
  readonly of: number | readonly NotedLine[];
  readonly reason: (typeof creditNoteReasons)[number];
  readonly description?: string | null | undefined;
  /** How the amount is settled now, given the total. */
  readonly settle: (total: number) => Settled;
  readonly setOffInvoiceId?: string;
}

/** The amounts of a credit note for an invoice, without writing it. */
export function creditNoteAmounts(invoice: Invoice, of: NewCreditNote['of']) {
  const rule = taxRuleOn(invoice);
  const { taxLines } = invoice;
  if (taxLines && rule) {
    const taxed = { ...amountsOn(invoice), taxLines, taxesCredited: invoice.taxesCredited };
    return typeof of === 'number' ? revertTotal(taxed, of) : revertLines(taxed, rule, of);
  }
  if (typeof of !== 'number') {
    const lines = of.map(({ amount }) => amount);
    return { ...shareOfLines(invoice, rule, lines), taxLines: null, taxesCredited: null };
  }
  const amounts = shareOfTotal(invoice, rule, of);
  return { amounts, shares: [amounts.taxAmount], taxLines: null, taxesCredited: null };
}

/**
 * Writes a credit note for a finalized invoice of a locked customer, with its number, lines and tax shares. The caller
 * has checked that the rest of the invoice covers it.
 */
export function writeCreditNote(
  { em, now }: Session,
  customer: Customer,
  invoice: Invoice,
  { of, reason, description, settle, setOffInvoiceId }: NewCreditNote,
): CreditNote {
  const { amounts, shares, taxLines, taxesCredited } = creditNoteAmounts(invoice, of);
  const { credited = 0, writtenOff = 0, setOff = 0 } = settle(amounts.total);
  const isSettled = credited + writtenOff + setOff === amounts.total;
  const note = em.create(CreditNote, {
    invoice,
    customer,
    creditNoteNumber: nextCreditNoteNumber(customer),
    issuedAt: now,
    status: isSettled ? 'settled' : 'pending',
    settlement: settlementOf({ credited, writtenOff, setOff }),
    reason,
    description: description ?? null,
    currency: invoice.currency,
    ...amounts,
    taxInclusive: invoice.taxInclusive,
    taxType: invoice.taxType ?? null,
    taxCountry: invoice.taxCountry ?? null,
    taxState: invoice.taxState ?? null,
    taxRatePercentage: invoice.taxRatePercentage ?? null,
    taxLines,
    creditedAmount: credited,
    writtenOffAmount: writtenOff,
    setOffAmount: setOff,
    setOffInvoiceId: setOffInvoiceId ?? null,
  });
  const shareOfAll: NotedLine = {
    invoiceLineItemId: null,
    description: description ?? `Share of invoice ${invoice.invoiceNumber}`,
    quantity: null,
    amount: amounts.subtotal,
  };
  const lines = typeof of === 'number' ? [shareOfAll] : of;
  for (const [position, { invoiceLineItemId, taxGroup: _, ...line }] of lines.entries()) {
    const taxAmount = shares[position] ?? 0;
    const invoiceLineItem = invoiceLineItemId;
    em.create(CreditNoteLine, { creditNote: note, position, invoiceLineItem, taxAmount, ...line });
  }
  invoice.amountCredited += amounts.total;
  invoice.taxCredited += amounts.taxAmount;
  if (taxesCredited) invoice.taxesCredited = taxesCredited;
  invoice.amountWaived += writtenOff;
  return note;
}

function settlementOf({ credited = 0, writtenOff = 0, setOff = 0 }: Settled) {
  if (credited > 0) return 'credit' as const;
  if (writtenOff > 0) return 'write_off' as const;
  return setOff > 0 ? ('set_off' as const) : ('refund' as const);
}

/** Records on a pending credit note that a refund has returned an amount. */
export function settleRefunded(note: CreditNote, invoice: Invoice, amount: number) {
  note.refundedAmount += amount;
  invoice.amountWaived += amount;
  if (note.settledAmount === note.total) note.status = 'settled';
}

/**
 * Records that the refund of an amount of a pending credit note failed. A credit note of which nothing is settled
 * fails and counts no more; otherwise the customer's balance gets the amount.
 */
export function settleFailed(
  note: CreditNote,
  { invoice, customer }: { readonly invoice: Invoice; readonly customer: Customer },
  amount: number,
) {
  const isAll = note.settledAmount === 0 && amount === note.total;
  if (isAll) {
    note.status = 'failed';
    invoice.amountCredited -= note.total;
    invoice.taxCredited -= note.taxAmount;
    uncredit(invoice, note);
    return;
  }
  note.creditedAmount += amount;
  customer.creditBalance += amount;
  if (note.settledAmount === note.total) note.status = 'settled';
}

/** Reduces the credited taxes of an invoice by those of a credit note that counts no more. */
function uncredit(invoice: Invoice, note: CreditNote) {
  const { taxLines } = note;
  if (!taxLines || !invoice.taxesCredited) return;
  invoice.taxesCredited = invoice.taxesCredited.map(({ lines, amount }, at) => ({
    lines: lines - linesOfTax(note, at),
    amount: amount - (taxLines[at]?.amount ?? 0),
  }));
}

const amountsOn = ({
  subtotal,
  taxAmount,
  taxInclusive,
  total,
  amountCredited,
  taxCredited,
}: Invoice) => ({ subtotal, taxAmount, taxInclusive, total, amountCredited, taxCredited });
