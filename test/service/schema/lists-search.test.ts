import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { SortColumns } from '#domain/kernel/lists/order.ts';
import { page } from '#domain/kernel/lists/page.ts';
import type { PageInput } from '#domain/kernel/lists/slice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { openSession } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { aCustomer, aDraft, anOpenInvoice, fresh } from '../../support/factories.ts';
import { aTenant } from '../../support/tenant.ts';
import { test } from '../../support/test.ts';

interface Named {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly domain: string | null;
  readonly externalId: string;
}

/** Puts customers with these texts in place of all others. */
async function customersWith(
  { em, organizationId, livemode, pricingModelId }: Session,
  texts: readonly (readonly string[])[],
): Promise<Named[]> {
  const fork = em.fork();
  await fork.execute('delete from customer where pricing_model_id = ?', [pricingModelId]);
  const rows = texts.map(([name = '', email = '', domain = ''], n) => [
    `cust_${pricingModelId.slice(-8)}_${n}`,
    organizationId,
    livemode,
    pricingModelId,
    name,
    email,
    domain,
    `user-${n}`,
    pricingModelId.slice(-3) + n,
  ]);
  for (const row of rows) {
    await fork.execute(
      `insert into customer (id, organization_id, livemode, pricing_model_id, name, email, domain, external_id,
         invoice_number_base, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, now(), now())`,
      row,
    );
  }
  return fork.execute<Named[]>(
    `select id, name, email, domain, external_id as "externalId" from customer where pricing_model_id = ? order by position`,
    [pricingModelId],
  );
}

describe('A search', () => {
  test('finds exactly the customers with the part in a text, in each order and page by page', async ({
    session,
    graphql,
  }) => {
    // Few characters, so that parts occur often, with those that patterns and queries treat specially.
    const character = fc.constantFrom(...'aAbBéÉ%_\\\'":&|!*() .@'.split(''));
    const text = fc.array(character, { maxLength: 8 }).map((characters) => characters.join(''));
    const part = fc.array(character, { minLength: 1, maxLength: 5 }).map((all) => all.join(''));
    const cases = fc.record({
      texts: fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 12 }),
      parts: fc.array(part, { minLength: 3, maxLength: 6 }),
      size: fc.integer({ min: 1, max: 4 }),
      orderBy: fc.constantFrom('created_at_asc', 'created_at_desc', 'name_asc', 'email_desc'),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ texts, parts, size, orderBy }) => {
        const rows = await customersWith(session, texts);
        for (const search of [...parts, rows[0]?.name ?? '', 'USER-1']) {
          const wanted = search.trim().toLowerCase();
          const expected = rows.filter(({ name, email, domain, externalId }) =>
            [name, email, domain, externalId].some((text) => text?.toLowerCase().includes(wanted)),
          );
          const found: string[] = [];
          let after: string | null = null;
          do {
            const { data, errors } = await graphql(
              `query ($search: String, $size: Int, $after: String) {
                customers(first: $size, after: $after, orderBy: ${orderBy}, where: { search: $search }) {
                  totalCount pageInfo { hasNextPage endCursor } nodes { id } } }`,
              { search, size, after },
            );
            expect(errors).toBeUndefined();
            expect([search, data.customers.totalCount]).toEqual([search, expected.length]);
            found.push(...data.customers.nodes.map(({ id }: Named) => id));
            const { hasNextPage, endCursor } = data.customers.pageInfo;
            after = hasNextPage ? endCursor : null;
          } while (after !== null);
          expect([search, found.toSorted()]).toEqual([
            search,
            expected.map(({ id }) => id).toSorted(),
          ]);
          if (orderBy === 'created_at_asc') expect(found).toEqual(expected.map(({ id }) => id));
          if (orderBy === 'created_at_desc')
            expect(found).toEqual(expected.map(({ id }) => id).toReversed());
        }
      }),
      { numRuns: 15 },
    );
  });

  test('finds rare and frequent parts among many customers, and none of another organization', async ({
    session,
    database,
    graphql,
  }) => {
    const other = await aTenant(database.orm.em);
    const insert = ({ organizationId, pricingModelId }: Session, rows: number) =>
      session.em.fork().execute(
        `insert into customer (id, organization_id, livemode, pricing_model_id, name, email, external_id,
           invoice_number_base, created_at, updated_at)
         select 'cust_' || ? || n, ?, false, ?, case when n % 4000 = 3999 then 'Zoe Ray' else 'Carl Abt' end || n, 'c@example.com', n,
           lpad(to_hex(n), 7, '0'), now(), now() from generate_series(1, ?::int) n`,
        [pricingModelId, organizationId, pricingModelId, rows],
      );
    await insert(session, 12_000);
    await insert(other.session, 4_000);
    await session.em.fork().execute('analyze customer');
    const names = async (search: string, orderBy: string) => {
      const query = `{ customers(orderBy: ${orderBy}, where: { search: "${search}" }) { totalCount nodes { name } } }`;
      const { data } = await graphql(query);
      return [data.customers.totalCount, ...data.customers.nodes.map(({ name }: Named) => name)];
    };
    const rare = [3, 'Zoe Ray3999', 'Zoe Ray7999', 'Zoe Ray11999'];
    expect(await names('zo', 'created_at_asc')).toEqual(rare);
    expect(await names('E RAY', 'created_at_asc')).toEqual(rare);
    expect(await names('zo', 'name_desc')).toEqual([
      3,
      'Zoe Ray7999',
      'Zoe Ray3999',
      'Zoe Ray11999',
    ]);
    const frequent = await names('abt', 'created_at_desc');
    expect(frequent.slice(0, 3)).toEqual([11_997, 'Carl Abt12000', 'Carl Abt11998']);
  });

  test('finds invoices by a part of their number, and products by name, slug and description', async ({
    session,
    graphql,
  }) => {
    const { invoiceNumber } = await anOpenInvoice(session);
    const part = invoiceNumber.slice(3, -1).toLowerCase();
    const { data } =
      await graphql(`{ invoices(where: { search: "${part}" }) { nodes { invoiceNumber } }
      none: invoices(where: { search: "no such number" }) { totalCount }
      products(where: { search: "FREE" }) { totalCount } }`);
    expect(data.invoices.nodes).toEqual([{ invoiceNumber }]);
    expect([data.none.totalCount, data.products.totalCount]).toEqual([0, 1]);
  });
});

const columns: SortColumns = {
  due_date: { property: 'dueDate', kind: 'time', nullable: true },
  total: { property: 'total', kind: 'integer', inCurrency: true },
  invoice_number: { property: 'invoiceNumber', kind: 'text' },
};

test('walking a list in any order visits each row that stays once and in order, while others come and go', async ({
  session,
}) => {
  const customerIds: string[] = [];
  for (const currency of ['USD', 'JPY']) {
    const { id } = await aCustomer(session);
    await session.em
      .fork()
      .execute('update customer set currency = ? where id = ?', [currency, id]);
    customerIds.push(id);
  }
  const { organizationId, pricingModelId } = session;
  let count = 0;
  const insert = (rows: readonly (readonly [due: number | null, total: number])[]) =>
    session.em.fork().execute<{ id: string }[]>(
      `insert into invoice (id, created_at, updated_at, livemode, organization_id, pricing_model_id, customer_id,
         invoice_number, invoice_date, due_date, type, purpose, currency, subtotal, total)
       select 'inv_walk_' || n, now(), now(), false, ?, ?, (?::text[])[1 + n % 2], case when n % 2 = 0 then 'A-' else 'a-' end || n % 7 || '-' || n, now(),
         to_timestamp(nullif(due, '')::int), 'standalone', 'manual', (array['USD', 'JPY'])[1 + n % 2], total::int, total::int
       from unnest(?::text[], ?::text[], ?::text[]) as row(due, total, nth), lateral (select nth::int as n) numbered returning id`,
      [
        organizationId,
        pricingModelId,
        `{${customerIds.join(',')}}`,
        `{${rows.map(([due]) => (due === null ? '""' : due)).join(',')}}`,
        `{${rows.map(([, total]) => total).join(',')}}`,
        `{${rows.map(() => ++count).join(',')}}`,
      ],
    );
  const row = fc.tuple(fc.option(fc.integer({ min: 1, max: 3 })), fc.integer({ min: 0, max: 3 }));
  const cases = fc.record({
    stay: fc.array(row, { minLength: 2, maxLength: 14 }),
    others: fc.array(fc.array(row, { maxLength: 3 }), { maxLength: 6 }),
    size: fc.integer({ min: 1, max: 5 }),
    orderBy: fc.constantFrom(
      ...['created_at', ...Object.keys(columns)].flatMap((name) => [`${name}_asc`, `${name}_desc`]),
    ),
    backward: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ stay, others, size, orderBy, backward }) => {
      await session.em
        .fork()
        .execute('delete from invoice where customer_id = any(?::text[])', [
          `{${customerIds.join(',')}}`,
        ]);
      const ids = new Set((await insert(stay)).map(({ id }) => id));
      const read = (input: PageInput) => {
        const { em, apiKeyId, ...scope } = session;
        return page(openSession(em, scope, apiKeyId), Invoice, {
          ...input,
          orderBy,
          sortColumns: columns,
        });
      };
      const whole = (await read({ first: 100 })).edges.map(({ node }) => node);
      const seen: string[] = [];
      let cursor: string | null = null;
      let round = 0;
      do {
        const slice: Awaited<ReturnType<typeof read>> = await read(
          backward ? { last: size, before: cursor } : { first: size, after: cursor },
        );
        const nodes = slice.edges.map(({ node }) => node.id);
        seen.push(...(backward ? nodes.toReversed() : nodes));
        const { hasNextPage, hasPreviousPage, startCursor, endCursor } = slice.pageInfo;
        if (backward) cursor = hasPreviousPage ? startCursor : null;
        else cursor = hasNextPage ? endCursor : null;
        const come = await insert(others[round++] ?? []);
        // Some of the new rows go again, also the row of a cursor.
        const gone = come.filter((_, place) => place % 2 === 0).map(({ id }) => id);
        await session.em
          .fork()
          .execute('delete from invoice where id = any(?::text[])', [`{${gone.join(',')}}`]);
      } while (cursor !== null && round < 60);
      const expected = whole.map(({ id }) => id);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => ids.has(id))).toEqual(backward ? expected.toReversed() : expected);
    }),
    { numRuns: 25 },
  );
});

test('the amount that a customer owes is that of the payable invoices, after payments, refunds and writes at once', async ({
  session,
  graphql,
}) => {
  const owed = async (id: string) => {
    const { data } = await graphql(`{ customer(id: "${id}") { amountOwed } }`);
    return data.customer.amountOwed as number;
  };
  const first = await anOpenInvoice(session);
  expect(await owed(first.customerId)).toBe(1_000);
  const drafts = await Promise.all(
    [100, 200, 300].map((price) =>
      aDraft(session, { customerId: first.customerId, lines: [{ quantity: 1, price }] }),
    ),
  );
  expect(await owed(first.customerId)).toBe(1_000);
  await Promise.all(drafts.map(({ id }) => finalizeInvoice(fresh(session), { id })));
  expect(await owed(first.customerId)).toBe(1_600);
  await payInvoice(fresh(session), { id: first.id });
  expect(await owed(first.customerId)).toBe(600);
  const { data } = await graphql(
    `{ payments(where: { invoice: { is: "${first.id}" } }) { nodes { id } } }`,
  );
  await refundPayment(fresh(session), { id: data.payments.nodes[0].id });
  expect(await owed(first.customerId)).toBe(600);
  const ids = async (where: string) => {
    const { data } = await graphql(
      `{ customers(where: { ${where} }, orderBy: amount_owed_desc) { nodes { id amountOwed } } }`,
    );
    return data.customers.nodes;
  };
  expect((await ids('owes: true'))[0]).toEqual({ id: first.customerId, amountOwed: 600 });
  expect(await ids('amountOwed: { min: 601 }')).toEqual([]);
});

test('overdue invoices are the payable ones with a past due date, by the clock of their customer', async ({
  session,
  graphql,
}) => {
  const invoice = await anOpenInvoice(session);
  const draft = await aDraft(session);
  const set = (due: string) =>
    session.em
      .fork()
      .execute(`update invoice set due_date = ${due} where pricing_model_id = ?`, [
        session.pricingModelId,
      ]);
  const ids = async (overdue: boolean) => {
    const { data } = await graphql(`{ invoices(where: { overdue: ${overdue} }) { nodes { id } } }`);
    return data.invoices.nodes.map(({ id }: { id: string }) => id);
  };
  await set(`now() - interval '1 hour'`);
  expect([await ids(true), await ids(false)]).toEqual([[invoice.id], [draft.id]]);
  await set('null');
  expect([await ids(true), (await ids(false)).length]).toEqual([[], 2]);
  await set(`'2026-02-01'`);
  const { data } = await graphql(
    'mutation { createTestClock(testClock: { frozenTime: "2026-01-31" }) { testClock { id } } }',
  );
  await session.em
    .fork()
    .execute('update customer set test_clock_id = ? where id = ?', [
      data.createTestClock.testClock.id,
      invoice.customerId,
    ]);
  expect(await ids(true)).toEqual([]);
});
