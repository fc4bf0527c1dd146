import type { Customer } from '#domain/customers/customer.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';

/** The invoices that a customer sees, oldest first: no drafts, void or uncollectible ones. */
export const invoicesOf = ({ em }: Session, { id }: Customer): Promise<Invoice[]> =>
  em.find(
    Invoice,
    { customer: id, status: { $nin: ['draft', 'void', 'uncollectible'] } },
    { orderBy: oldestFirst },
  );
