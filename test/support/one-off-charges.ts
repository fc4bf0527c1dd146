import { explainInvoice } from '#domain/invoices/explain-invoice.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { createOneOffCharge } from '#domain/one-off-charges/create-one-off-charge.ts';
import type { OneOffCharge } from '#domain/one-off-charges/one-off-charge.ts';
import { fresh } from './factories.ts';

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
