import { LoadStrategy } from '@mikro-orm/core';
import { amountDueShown } from '#domain/invoicing/crediting/amount-paid.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { TaxLine } from '#domain/model/catalog/tax.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Parties } from '#domain/model/platform/parties.ts';
import { documentParts, type StoredLine } from './document-parts.ts';
import type { EInvoice, EProblem } from './e-invoice.ts';
import { buyerOf, sellerOf } from './e-parties.ts';
import { problemsOf } from './problems-of.ts';

/** An e-invoice, or the reasons why there is none; each names the field to change. */
export type Described =
  | { readonly document: EInvoice; readonly problems: readonly [] }
  | { readonly document: null; readonly problems: readonly EProblem[] };

/** Describes an invoice by EN 16931. A draft, and an invoice that is void, have none. */
export async function describeInvoice(
  session: Session,
  { id }: Pick<Invoice, 'id'>,
): Promise<Described> {
  const populate = ['lineItems', 'parties'] as const;
  const invoice = await batched(session, describeInvoice, id, async ({ em }, ids) =>
    byId(await em.find(Invoice, { id: { $in: [...ids] } }, { populate })),
  );
  if (!invoice) throw new DomainError('NOT_FOUND', `Invoice ${id} not found`);
  const { status, taxes, currency, taxInclusive, subtotal, taxAmount, total } = invoice;
  if (status === 'draft' || status === 'void') {
    const message = `is ${status}: an e-invoice is of a finalized invoice`;
    return { document: null, problems: [{ field: 'invoice.status', message }] };
  }
  const parties = partiesOf(invoice);
  const items = invoice.lineItems.getItems();
  const problems = problemsOf({
    ...{ parties, taxes, currency },
    amounts: [subtotal, taxAmount, total, ...items.map(({ amount }) => amount)],
  });
  if (problems.length > 0) return { document: null, problems };
  const lines = items.map(
    ({ description, quantity, price, amount, taxGroup, type }): StoredLine => ({
      ...{ description: description ?? '', quantity, price, amount },
      taxGroup: taxGroup ?? null,
      isDiscount: type === 'discount',
    }),
  );
  const due = await amountDueShown(session, invoice);
  const { billingPeriodStartDate: from, billingPeriodEndDate: end } = invoice;
  const document: EInvoice = {
    ...headOf(parties, taxes),
    isCreditNote: false,
    number: invoice.invoiceNumber,
    issuedAt: invoice.invoiceDate,
    dueAt: invoice.dueDate ?? null,
    currency,
    note: invoice.memo ?? null,
    preceding: null,
    // The last day: the end of a period is exclusive.
    period: from && end ? { from, to: new Date(end.getTime() - 1) } : null,
    terms: due > 0 && !invoice.dueDate ? 'Due on receipt' : null,
    ...partsOf({ lines, taxes, isInclusive: taxInclusive, due }),
  };
  return { document, problems: [] };
}

/** Describes a credit note by EN 16931. One whose refund failed has none, since it is without effect. */
export async function describeCreditNote(
  session: Session,
  { id }: Pick<CreditNote, 'id'>,
): Promise<Described> {
  const populate = ['lines', 'lines.invoiceLineItem', 'invoice', 'invoice.parties'] as const;
  // By its id an invoice that is in memory is not read again, and its parties are not among its usual columns.
  const strategy = LoadStrategy.JOINED;
  const note = await batched(session, describeCreditNote, id, async ({ em }, ids) =>
    byId(await em.find(CreditNote, { id: { $in: [...ids] } }, { populate, strategy })),
  );
  if (!note) throw new DomainError('NOT_FOUND', `CreditNote ${id} not found`);
  const { taxes, currency, taxInclusive, subtotal, taxAmount, total, status } = note;
  if (status === 'failed') {
    const message = 'is failed: the credit note is without effect';
    return { document: null, problems: [{ field: 'creditNote.status', message }] };
  }
  const invoice = note.invoice.unwrap();
  const parties = partiesOf(invoice);
  const noted = note.lines.getItems();
  const problems = problemsOf({
    ...{ parties, taxes, currency },
    amounts: [subtotal, taxAmount, total, ...noted.map(({ amount }) => amount)],
  });
  if (problems.length > 0) return { document: null, problems };
  const lines = noted.map((line): StoredLine => {
    const item = line.invoiceLineItem?.unwrap();
    return {
      description: line.description,
      quantity: line.quantity ?? null,
      price: item?.price ?? null,
      amount: line.amount,
      taxGroup: item?.taxGroup ?? null,
      isDiscount: item?.type === 'discount',
    };
  });
  const document: EInvoice = {
    ...headOf(parties, taxes),
    isCreditNote: true,
    number: note.creditNoteNumber,
    issuedAt: note.issuedAt,
    dueAt: null,
    currency,
    note: note.description ?? null,
    preceding: { number: invoice.invoiceNumber, issuedAt: invoice.invoiceDate },
    period: null,
    terms: 'Settled by refund, credit or reduction of the amount due',
    ...partsOf({ lines, taxes, isInclusive: taxInclusive, due: total }),
  };
  return { document, problems: [] };
}

const byId = <T extends { readonly id: string }>(rows: readonly T[]) =>
  new Map(rows.map((row) => [row.id, row]));

function partiesOf({ id, parties }: Invoice): Parties {
  if (!parties) throw new Error(`The invoice ${id} has no parties`);
  return parties;
}

/** The parties, and the ways to pay and to refer to the buyer. */
function headOf(parties: Parties, taxes: readonly TaxLine[]) {
  const isVat = taxes.some(({ category }) => category !== 'O');
  return {
    seller: sellerOf(parties, { isVat }),
    buyer: buyerOf(parties, { isVat }),
    account: parties.seller.bankAccount ?? null,
    buyerReference: parties.customer.buyerReference ?? null,
  };
}

interface Amounts {
  readonly lines: readonly StoredLine[];
  readonly taxes: readonly TaxLine[];
  readonly isInclusive: boolean;
  readonly due: number;
}

function partsOf({ lines, taxes, isInclusive, due }: Amounts) {
  const parts = documentParts(lines, taxes, isInclusive);
  const sum = (amounts: readonly { readonly amount: number }[]) =>
    amounts.reduce((all, { amount }) => all + amount, 0);
  const net = parts.vat.reduce((all, { base }) => all + base, 0);
  const vat = sum(parts.vat);
  const totals = {
    lines: sum(parts.lines),
    allowances: sum(parts.allowances.filter(({ isCharge }) => !isCharge)),
    charges: sum(parts.allowances.filter(({ isCharge }) => isCharge)),
    ...{ net, vat, gross: net + vat, paid: net + vat - due, due },
  };
  return { ...parts, totals };
}
