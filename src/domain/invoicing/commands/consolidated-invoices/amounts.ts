import { amountDueShown, amountPaidShown } from '#domain/invoicing/crediting/amount-paid.ts';
import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { statusOfMembers } from '#domain/platform/reads/status-of-members.ts';

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

/** The status of a document by those of its members. */
export const statusOf = async (session: Session, document: { readonly id: string }) =>
  statusOfMembers((await membersOf(session, document)).map(({ status }) => status));
