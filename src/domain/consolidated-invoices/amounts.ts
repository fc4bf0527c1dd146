import { Invoice, type invoiceStatuses } from '#domain/invoices/invoice.ts';
import { batched } from '#domain/kernel/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountDueShown, amountPaidShown } from '#domain/rules/invoicing/amount-paid.ts';

type Status = (typeof invoiceStatuses)[number];

/** The members of a document in the order of their numbers: one statement for all documents of a level. */
export async function membersOf(
  session: Session,
  { id }: { readonly id: string },
): Promise<Invoice[]> {
  const orderBy = { position: 'asc', id: 'asc' } as const;
  const found = await batched(session, membersOf, id, async ({ em }, ids) =>
    Map.groupBy(
      await em.find(Invoice, { consolidatedInvoice: { $in: [...ids] } }, { orderBy }),
      (member) => member.consolidatedInvoiceId ?? '',
    ),
  );
  return found ?? [];
}

/** The amounts of a document, in minor units: the sums of its members that are not void. */
export interface DocumentAmounts {
  readonly subtotal: number;
  readonly taxAmount: number;
  readonly total: number;
  readonly creditApplied: number;
  readonly amountCredited: number;
  readonly amountPaid: number;
  readonly amountDue: number;
}

/** Sums the members of a document that are not void. */
export async function amountsOf(
  session: Session,
  document: { readonly id: string },
): Promise<DocumentAmounts> {
  const members = await membersOf(session, document);
  const counted = members.filter(({ status }) => status !== 'void');
  const paid = counted.map((member) => amountPaidShown(session, member));
  const due = counted.map((member) => amountDueShown(session, member));
  return {
    subtotal: sum(counted.map(({ subtotal }) => subtotal)),
    taxAmount: sum(counted.map(({ taxAmount }) => taxAmount)),
    total: sum(counted.map(({ total }) => total)),
    creditApplied: sum(counted.map(({ creditApplied }) => creditApplied)),
    amountCredited: sum(counted.map(({ amountCredited }) => amountCredited)),
    amountPaid: sum(await Promise.all(paid)),
    amountDue: sum(await Promise.all(due)),
  };
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);

/** The statuses of members that decide about the document, in their order; the first one that occurs is its status. */
const decisive: readonly Status[] = ['awaiting_payment_confirmation', 'open', 'uncollectible'];

/**
 * The status of a document. Void members count only where all are void. It is open while one is to be paid, and refunded
 * when all are.
 */
export async function statusOf(
  session: Session,
  document: { readonly id: string },
): Promise<Status> {
  const statuses: readonly Status[] = (await membersOf(session, document)).map(
    ({ status }) => status,
  );
  const counted: readonly Status[] = statuses.filter((status) => status !== 'void');
  if (counted.length === 0) return 'void';
  const deciding = decisive.find((status) => counted.includes(status));
  if (deciding) return deciding;
  if (counted.every((status) => status === 'refunded')) return 'refunded';
  return counted.every((status) => status === 'paid') ? 'paid' : 'partially_refunded';
}
