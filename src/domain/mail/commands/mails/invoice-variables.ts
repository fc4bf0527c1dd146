import { amountDue } from '#domain/invoicing/crediting/amount-paid.ts';
import { serviceUrl } from '#domain/kernel/service-url.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { hiddenPaths } from './hidden-links.ts';
import type { Formats } from './mail-formats.ts';

/** The invoice of a mail, or all members of its document that are not void, in the order of their numbers. */
export async function allWith({ em }: Session, invoice: Invoice): Promise<Invoice[]> {
  const { consolidatedInvoiceId: consolidatedInvoice } = invoice;
  if (!consolidatedInvoice) return [invoice];
  const members = { consolidatedInvoice, status: { $ne: 'void' as const } };
  return em.find(Invoice, members, { orderBy: { position: 'asc' } });
}

/** The document that shows an invoice: itself, or the one that it is a member of. */
export const documentOf = async (invoice: Invoice): Promise<Invoice | ConsolidatedInvoice> =>
  (await invoice.consolidatedInvoice?.loadOrFail()) ?? invoice;

/**
 * The values of one or more invoices: their numbers and sums, and the dates and the link of the first one. All members
 * of a document have its number.
 */
export async function invoiceVariables(
  session: Session,
  { formats: { money, day } }: { readonly formats: Formats },
  all: readonly [Invoice, ...Invoice[]],
) {
  const [first] = all;
  const { currency } = first;
  const { id } = await documentOf(first);
  let [total, due] = [0, 0];
  for (const each of all) {
    total += each.total;
    due += await amountDue(session, each);
  }
  return {
    invoice: {
      number: (await numbersOf(session, all)).join(', '),
      date: day(first.invoiceDate),
      dueDate: day(first.dueDate),
      total: money(total, currency),
      amountDue: money(due, currency),
    },
    links: { invoice: serviceUrl(hiddenPaths.document({ kind: 'invoice', id })) },
  };
}

/** The numbers of invoices. Where all members of a document are among them, its number replaces theirs. */
async function numbersOf(session: Session, all: readonly Invoice[]): Promise<string[]> {
  const numbers = new Set<string>();
  for (const invoice of all) {
    const members = await allWith(session, invoice);
    const isWhole = members.every(({ id }) => all.some((each) => each.id === id));
    numbers.add((isWhole ? await documentOf(invoice) : invoice).invoiceNumber);
  }
  return [...numbers];
}
