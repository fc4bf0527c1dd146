import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';

/**
 * Marks an invoice as sent instead of charged. Its event states that; your application delivers the document. The
 * invoice becomes overdue right after its due date.
 */
export function sendInvoice({ now }: Session, invoice: Invoice) {
  invoice.dueDate ??= now;
  invoice.sentAt = now;
  invoice.followUpDueAt = new Date(invoice.dueDate.getTime() + 1);
}
