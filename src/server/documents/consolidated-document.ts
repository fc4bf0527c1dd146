import { membersOf, statusOf } from '#domain/invoicing/commands/consolidated-invoices/amounts.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';

/** The content of a consolidated invoice or its receipt, with a member; undefined without members, or a receipt. */
export async function consolidatedOf(session: Session, id: string, kind: 'invoice' | 'receipt') {
  const { em } = session;
  const document = await em.findOneOrFail(ConsolidatedInvoice, id);
  const all = await membersOf(session, document);
  await em.populate(all, ['lineItems', 'parties']);
  const valid = all.filter(({ status }) => status !== 'void');
  const members = valid.length > 0 ? valid : all;
  const orderBy = { chargeDate: 'asc', position: 'asc' } as const;
  const of = { invoice: { $in: members.map(({ id }) => id) } };
  const payments = await em.find(Payment, of, { orderBy });
  const [member] = members;
  const hasReceipt =
    members.some((each) => each.hasReceipt) ||
    payments.some(({ settlementDate }) => settlementDate);
  if (!member?.parties || (kind === 'receipt' && !hasReceipt)) return undefined;
  const { consolidatedContent } = await import('./pdf/consolidated-invoice.ts');
  const status = await statusOf(session, document);
  const parts = { document, status, members, parties: member.parties, payments };
  const content = consolidatedContent(kind, parts);
  return { content, member, name: `${kind}-${document.invoiceNumber}` };
}
