import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { createOneOffCharge } from '#domain/invoicing/commands/one-off-charges/create-one-off-charge.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import { fresh } from '../factories.ts';

/** A pending charge of a subscription, by default of 5.00. */
export const aCharge = (
  session: Session,
  subscriptionId: string,
  more: { unitPrice?: number; quantity?: number; name?: string; priceId?: string } = {},
): Promise<OneOffCharge> =>
  createOneOffCharge(fresh(session), {
    oneOffCharge: { subscriptionId, name: 'Setup', unitPrice: 500, ...more },
  });

/** The invoices of a subscription with their verified lines: `period paid 2026-01-01: static 1000, one_off 500`. */
export async function linedInvoicesOf(session: Session, subscription: string): Promise<string[]> {
  const invoices = await fresh(session).em.find(
    Invoice,
    { subscription },
    { orderBy: { createdAt: 'asc', position: 'asc' } },
  );
  const texts: string[] = [];
  for (const { id, purpose, status, invoiceDate } of invoices) {
    const { lines, differences } = await explainInvoice(fresh(session), id);
    if (differences.length > 0) throw new Error(differences.join('; '));
    const shown = lines.map(({ lineItem, amount }) => `${lineItem.type} ${amount}`);
    texts.push(
      `${purpose} ${status} ${invoiceDate.toISOString().slice(0, 10)}: ${shown.join(', ')}`,
    );
  }
  return texts;
}
