import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';
import { proportion } from '#domain/kernel/values/decimal.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { creditable, creditInvoices } from './credit-invoices.ts';
import { creditFor } from './prepaid-credits.ts';
import { taxRuleOn } from './tax-rule.ts';
import { type BilledPart, paidOf } from './unbilled-part.ts';
import { writeCreditNote } from './write-credit-note.ts';

const reason = 'usage_corrected';

/** A line of usage or of a commitment, with the parts that it bills or corrects. */
export interface PartedLine {
  readonly parts: readonly BilledPart[];
}

/** The amounts for the usage that lines correct, less discounts, by the invoice that billed it; minor units before tax. */
export function correctedBy(lines: readonly PartedLine[]): Map<Invoice, number> {
  const worth = new Map<Invoice, number>();
  for (const { invoice, amount } of lines.flatMap(({ parts }) => parts.flatMap(keptOf))) {
    worth.set(invoice, (worth.get(invoice) ?? 0) + amount);
  }
  return worth;
}

const keptOf = (part: BilledPart) =>
  part.undone?.standing === 'kept' ? [{ invoice: part.undone.invoice, amount: -paidOf(part) }] : [];

/**
 * Writes a credit note for each invoice whose usage the lines of a new invoice correct. The amounts are those by which
 * the new invoice is smaller.
 */
export async function noteSetOff(
  session: Session,
  customer: Customer,
  invoice: Invoice,
  lines: readonly PartedLine[],
) {
  const worth = correctedBy(lines);
  const back = [...worth.values()].reduce((sum, amount) => sum + amount, 0);
  if (back <= 0) return;
  const whole = amountsOf(invoice.subtotal + back, taxRuleOn(invoice)).total - invoice.total;
  let net = 0;
  let noted = 0;
  for (const [corrected, amount] of worth) {
    net += amount;
    const upTo = proportion(whole, net, back);
    const of = Math.min(upTo - noted, await creditable(session, corrected));
    noted = upTo;
    if (of <= 0) continue;
    writeCreditNote(session, customer, corrected, {
      of,
      reason,
      description: `Corrected usage, set off on invoice ${invoice.invoiceNumber}`,
      settle: (setOff) => ({ setOff }),
      setOffInvoiceId: invoice.id,
    });
  }
}

/** The credit for corrected usage of an invoice, and the part of it that an invoice of 0 sets off; with tax. */
export interface UsageCredit {
  readonly invoice: Invoice;
  readonly credit: number;
  readonly setOff: number;
}

/**
 * Writes the credit notes of an invoice of 0 that shows corrected usage, and credits the customer's balance. An invoice
 * may have billed more than its total, since it set off usage of earlier ones: their credit notes pay for that part.
 */
export async function noteCredited(
  session: Session,
  customer: Customer,
  { id, invoiceNumber }: Pick<Invoice, 'id' | 'invoiceNumber'>,
  credits: readonly UsageCredit[],
): Promise<void> {
  for (const { invoice, ...wanted } of credits) {
    const most = await creditable(session, invoice);
    const credited = Math.min(wanted.credit, most);
    const setOff = Math.min(Math.max(0, wanted.setOff), most - credited);
    // Corrected usage of earlier invoices has paid for the rest: it is credited instead of set off.
    await creditNotesFor(session, customer, invoice, wanted.credit - credited);
    if (credited + setOff === 0) continue;
    writeCreditNote(session, customer, invoice, {
      of: credited + setOff,
      reason,
      description: `Corrected usage, shown on invoice ${invoiceNumber}`,
      settle: () => ({ credited, setOff }),
      ...(setOff > 0 && { setOffInvoiceId: id }),
    });
    await creditFor(session, customer, invoice, credited);
  }
}

/**
 * Credits a locked customer's balance with corrected usage that an invoice was to set off, since that invoice will not
 * be paid. Its credit notes are settled by the balance instead.
 */
export async function creditSetOff(
  session: Session,
  customer: Customer,
  invoice: Invoice,
  amount: number,
) {
  const { left, isNoted } = await creditNotesFor(session, customer, invoice, amount);
  if (left <= 0 || isNoted) return;
  // An invoice of an earlier version has no credit notes yet.
  await creditInvoices(session, customer, await correctedOn(session, invoice), left, { reason });
}

/** Credits the balance with the set off amounts of the credit notes for an invoice, the oldest first. */
async function creditNotesFor(
  session: Session,
  customer: Customer,
  { id }: Invoice,
  amount: number,
) {
  if (amount <= 0) return { left: 0, isNoted: false };
  const setOff = { setOffInvoiceId: id, setOffAmount: { $gt: 0 } };
  const notes = await session.em.find(CreditNote, setOff, { orderBy: oldestFirst });
  let left = amount;
  for (const note of notes) {
    const part = Math.min(left, note.setOffAmount);
    note.setOffAmount -= part;
    note.creditedAmount += part;
    await creditFor(session, customer, await note.invoice.loadOrFail(), part);
    left -= part;
  }
  return { left, isNoted: notes.length > 0 };
}

/** The invoices whose usage an invoice corrects, the latest first. */
async function correctedOn({ em }: Session, { id }: Invoice): Promise<Invoice[]> {
  const rows = await statement<{ id: string }>(
    em,
    'invoices that an invoice corrects',
    `select distinct undone.invoice_id as id from invoice_line_item line
     join owed_usage o on o.invoice_line_item_id = line.id and not o.is_lost
     join invoice_line_item undone on undone.id = o.undone_line_item_id
     where line.invoice_id = $1
     union
     select undone.invoice_id from invoice_line_item line
     join invoice_line_item undone on undone.id = line.undone_line_item_id
     where line.invoice_id = $1`,
    [id],
  );
  const ids = rows.map(({ id }) => id);
  return em.find(
    Invoice,
    { id: { $in: ids } },
    { orderBy: { createdAt: 'desc', position: 'desc' } },
  );
}
