import type { EntityManager } from '@mikro-orm/postgresql';
import { command } from '#domain/kernel/command.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { BookDifference } from '#domain/model/money/book-difference.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { agree, type Books, booksOfCustomers, equationOf } from './read-books.ts';

const pageSize = 200;

interface Checked {
  readonly customers: number;
  readonly differences: number;
}

type Found = DueRow & { readonly books: readonly Books[] };

/**
 * Checks the books of all customers of every tenant, a page at a time on one connection. A difference is stored, logged
 * and emitted; one that is gone is resolved.
 */
export async function checkBooks(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<Checked> {
  let [after, customers, differences] = ['', 0, 0];
  for (;;) {
    const rows = await em.fork().execute<(DueRow & { known: boolean })[]>(
      `select c.id, c.organization_id as "organizationId", c.pricing_model_id as "pricingModelId", c.livemode,
         exists (select from book_difference d where d.customer_id = c.id and d.resolved_at is null) as known
       from customer c where c.id > ? order by c.id limit ${pageSize}`,
      [after],
    );
    const last = rows.at(-1);
    if (!last) return { customers, differences };
    after = last.id;
    customers += rows.length;
    const books = await booksOfCustomers(
      em.fork(),
      rows.map(({ id }) => id),
    );
    const wrong = Map.groupBy(
      books.filter((each) => !agree(each)),
      ({ customerId }) => customerId,
    );
    differences += wrong.size;
    const changed: Found[] = rows
      .filter(({ id, known }) => known || wrong.has(id))
      .map((row) => ({ ...row, books: wrong.get(row.id) ?? [] }));
    await forEachDue({ em, now, causeId, onFailure }, { page: async () => changed }, store);
  }
}

/** Stores the differences of one customer, and resolves those that are gone. */
async function store(session: Session, { id: customerId, books }: Found) {
  await command(session, async ({ em, now }) => {
    const open = await em.find(BookDifference, { customer: customerId, resolvedAt: null });
    for (const known of open) {
      if (!books.some(({ currency }) => currency === known.currency)) known.resolvedAt = now;
    }
    const customer = em.getReference(Customer, customerId);
    for (const { currency, difference, prepaidDifference } of books) {
      const known = open.find((each) => each.currency === currency);
      const found = { currency, difference, prepaidDifference };
      if (known) Object.assign(known, found);
      else em.create(BookDifference, { customer, ...found });
    }
  });
  for (const each of books) report(session, customerId, new Error(messageOf(each)));
}

function messageOf(books: Books): string {
  const { customerId, currency, difference, prepaidDifference } = books;
  if (difference !== 0)
    return `The books of ${customerId} differ by ${difference} ${currency}: ${equationOf(books)}`;
  return `The prepaid balance, credits and invoices of ${customerId} differ by ${prepaidDifference} ${currency}`;
}
