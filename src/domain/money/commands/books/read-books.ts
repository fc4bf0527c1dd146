import type { EntityManager } from '@mikro-orm/postgresql';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** The sums of the books of a customer in one currency, in minor units. The guide «Books» defines them. */
export interface Books {
  readonly customerId: string;
  readonly currency: string;
  /** The invoices that are neither drafts nor void. */
  readonly invoices: number;
  /** The settled credit notes of these invoices, without what a later invoice sets off. */
  readonly creditNotes: number;
  /** Credit that the customer got before there were credit notes. */
  readonly opening: number;
  /** Prepaid credit that was granted, without what expired or was revoked. */
  readonly prepaid: number;
  readonly payments: number;
  readonly refunds: number;
  /** The amount that is still to be paid. */
  readonly outstanding: number;
  /** The credit balance and the prepaid balance, below 0: the customer has them as a credit. */
  readonly balances: number;
  /** 0 if the books agree. */
  readonly difference: number;
  /** The amounts by which its prepaid balance, prepaid credits and invoices differ from each other; 0 if they agree. */
  readonly prepaidDifference: number;
}

/** Whether all sums of some books agree. */
export const agree = ({ difference, prepaidDifference }: Books): boolean =>
  difference === 0 && prepaidDifference === 0;

type Row = Record<string, string> & { customer_id: string; currency: string };

const sql = `select books.*, coalesce(prepaid.difference, 0) as prepaid_difference from books_of($1::text[]) books
  left join prepaid_differences_of($1::text[]) prepaid using (customer_id, currency)
  order by customer_id, currency`;

/** The books of some customers of any tenant, as one snapshot of the database. */
export async function booksOfCustomers(
  em: EntityManager,
  customerIds: readonly string[],
): Promise<Books[]> {
  const rows = await statement<Row>(em, 'books', sql, [[...customerIds]]);
  return rows.map((row) => {
    const sums = {
      invoices: Number(row.invoices),
      creditNotes: Number(row.credit_notes),
      opening: Number(row.opening),
      prepaid: Number(row.prepaid),
      payments: Number(row.payments),
      refunds: Number(row.refunds),
      outstanding: Number(row.outstanding),
      balances: Number(row.balances),
    };
    const { invoices, creditNotes, opening, prepaid, payments, refunds } = sums;
    const documents = invoices - creditNotes - opening - prepaid - payments + refunds;
    const difference = documents - sums.outstanding - sums.balances;
    const prepaidDifference = Number(row.prepaid_difference);
    return {
      customerId: row.customer_id,
      currency: row.currency,
      ...sums,
      difference,
      prepaidDifference,
    };
  });
}

/** The equation of some books with its numbers. */
export function equationOf(books: Books): string {
  const { invoices, creditNotes, opening, prepaid, payments, refunds } = books;
  const { outstanding, balances } = books;
  const before = [opening, prepaid].map((sum) => (sum === 0 ? '' : ` - ${sum}`)).join('');
  const sign = books.difference === 0 ? '=' : '≠';
  return `${invoices} - ${creditNotes}${before} - ${payments} + ${refunds} ${sign} ${outstanding} + ${balances}`;
}

/** The books of a customer, one for each currency or for one of them. Errors: NOT_FOUND. */
export async function readBooks(
  { em }: Session,
  { customerId, currency }: { customerId: string; currency?: string | null | undefined },
): Promise<Books[]> {
  await em.findOneOrFail(Customer, customerId);
  const all = await booksOfCustomers(em, [customerId]);
  return all.filter((books) => currency == null || books.currency === currency);
}
