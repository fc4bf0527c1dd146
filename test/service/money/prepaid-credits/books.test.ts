import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { BookDifference } from '#domain/model/money/book-difference.ts';
import { checkBooks } from '#domain/money/commands/books/check-books.ts';
import { readBooks } from '#domain/money/commands/books/read-books.ts';
import { anInvoiceOf, aPayer, aPrepaidCredit, aPrepaidTopUp } from '../../../support/prepaid.ts';
import { testAlone } from '../../../support/test.ts';
import { fresh } from '../../../support/timeline.ts';

const test = testAlone('it runs jobs, which work for all organizations');

/** A customer that has used 40 of a gift over 100. */
async function aUser(session: Session) {
  const { customerId } = await aPayer(session);
  const { id: creditId } = await aPrepaidCredit(session, customerId, { amount: 100 });
  const { id: invoiceId } = await anInvoiceOf(session, customerId, 40);
  return { customerId, creditId, invoiceId };
}

describe('the nightly check of the books', () => {
  test.for([
    [
      'a balance',
      'update customer set prepaid_balance = prepaid_balance - 7, credit_balance = credit_balance + 7 where id = :customer',
      7,
    ],
    ['a use', 'update prepaid_credit_use set amount = amount + 7 where invoice_id = :invoice', 14],
    [
      'a credit',
      'update prepaid_credit set used = used - 7, revoked = revoked + 7 where id = :credit',
      7,
    ],
  ] as const)(
    'finds %s that differs from the other sums of prepaid credit',
    async ([, sql, by], { session }) => {
      const { customerId, creditId, invoiceId } = await aUser(session);
      const ids = { customer: customerId, credit: creditId, invoice: invoiceId };
      const change = sql.replace(/:(\w+)/, (_, name: keyof typeof ids) => `'${ids[name]}'`);
      const reported: string[] = [];
      const check = () =>
        checkBooks(fresh(session).em, new Date(), 'check-books', (error) => {
          reported.push((error as Error).message);
        });
      expect(await readBooks(fresh(session), { customerId })).toMatchObject([
        { prepaidDifference: 0 },
      ]);
      await check();
      expect(reported.filter((message) => message.includes(customerId))).toEqual([]);
      await fresh(session).em.execute(change);
      await check();
      expect(reported.filter((message) => message.includes(customerId))).toHaveLength(1);
      expect(await fresh(session).em.find(BookDifference, { customer: customerId })).toMatchObject([
        { prepaidDifference: by, resolvedAt: null },
      ]);
    },
  );
});

describe('the database', () => {
  test.for([
    [
      'an invoice',
      (id: string) =>
        `update invoice set prepaid_credit_id = 'prepaid_credit_0' where id = '${id}'`,
    ],
    [
      'a top-up',
      (id: string) =>
        `update prepaid_top_up set pending_credit_id = 'prepaid_credit_0' where customer_id = (select customer_id from invoice where id = '${id}')`,
    ],
  ] as const)(
    'refuses %s that names an unknown prepaid credit',
    async ([, change], { session }) => {
      const { customerId, invoiceId } = await aUser(session);
      await fresh(session).em.execute(
        'update prepaid_credit set amount = amount where customer_id = ?',
        [customerId],
      );
      await aPrepaidTopUp(session, customerId, { threshold: 0 });
      const { em } = fresh(session);
      const { id } = await anInvoiceOf(session, customerId, 1);
      await em.execute('delete from prepaid_credit_use where invoice_id = ?', [id]);
      await em.execute('update invoice set prepaid_applied = 0 where id = ?', [id]);
      await expect(em.execute(change(id))).rejects.toThrow('violates foreign key constraint');
      expect(invoiceId).not.toBe(id);
    },
  );
});
