// @module-tag long
import {
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { describe, expect } from 'vitest';
import { reserveResource } from '#domain/capacity/commands/reservations/reserve-resource.ts';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { sendTestEvent } from '#domain/platform/commands/webhook-deliveries/send-test-event.ts';
import { schema } from '#schema/index.ts';
import {
  aCreditGrant,
  aCustomer,
  aDraft,
  aPaymentMethod,
  aPriceOf,
  aProduct,
  aSubscription,
  aToggle,
  aUsageMeter,
  aUsagePrice,
  aWebhook,
  fresh,
} from '../../support/factories.ts';
import { aSeatFeature } from '../../support/seats.ts';
import { statementsOf } from '../../support/tables/statements.ts';
import { aTenant } from '../../support/tenant.ts';
import { test as base, graphqlOf } from '../../support/test.ts';
import { grant, use } from '../../support/usage.ts';

type Fields = Record<string, GraphQLField<unknown, unknown>>;
const queries = (schema.getQueryType()?.getFields() ?? {}) as Fields;
const rows = 14;

/** An organization with many rows of each kind that grows with its customers. */
async function aFurnished(session: Session) {
  const meter = await aUsageMeter(session);
  await aUsagePrice(session, meter.id);
  const { featureId, resourceSlug } = await aSeatFeature(session);
  const credits = await aCreditGrant(session, meter.id);
  const toggle = await aToggle(session);
  const product = await aProduct(session, { featureIds: [featureId, credits.id, toggle.id] });
  const [price] = await product.prices.loadItems();
  for (let n = 0; n < 12; n++) await aPriceOf(session, {});
  const { webhook } = await aWebhook(session);
  let left = rows;
  const one = async () => {
    for (; left > 0; ) {
      left -= 1;
      const n = left;
      const { id: customerId } = await aCustomer(session);
      await aPaymentMethod(session, customerId, { default: true });
      const { id } = await aSubscription(session, { customerId, priceId: price?.id ?? '' });
      await use(session, { id, slug: meter.slug }, 1, 2, 3);
      if (n > 12) continue;
      await grant(session, { id, slug: meter.slug }, 5);
      await claimResource(fresh(session), { subscriptionId: id, resourceSlug, quantity: 1 });
      await reserveResource(fresh(session), { subscriptionId: id, resourceSlug, quantity: 1 });
      await sendTestEvent(fresh(session), { id: webhook.id });
      const [payment] = await fresh(session).em.find(Payment, { subscriptionId: id });
      await refundPayment(fresh(session), { id: payment?.id ?? '', partialAmount: 1 });
    }
  };
  await Promise.all([one(), one(), one(), one()]);
}

/** Customers with four invoices of two lines each: the copies of one, which SQL makes fast. */
async function manyInvoices(session: Session, count: number) {
  const { customerId } = await aDraft(session, {
    lines: [
      { quantity: 1, price: 5 },
      { quantity: 2, price: 7 },
    ],
  });
  const { em } = fresh(session);
  await em.execute(`update customer set email = 'many@example.com' where id = ?`, [customerId]);
  const copy = async (table: string, from: string, changes: Record<string, string>) => {
    const columns = await em.execute<{ name: string }[]>(
      `select column_name as name from information_schema.columns
       where table_schema = current_schema() and table_name = ? and is_generated = 'NEVER' and column_name <> 'position'`,
      [table],
    );
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const values = columns.map(({ name }) => changes[name] ?? `r."${name}"`).join(', ');
    await em.execute(
      `insert into "${table}" (${names}) select ${values} from "${table}" r ${from}`,
    );
  };
  await copy(
    'customer',
    `cross join generate_series(1, ${count - 1}) as n where r.id = '${customerId}'`,
    {
      id: `'cust_copy' || n`,
      external_id: `'copy' || n`,
      invoice_number_base: `upper(lpad(to_hex(n), 7, '0'))`,
    },
  );
  await copy(
    'invoice',
    `cross join (select id, email from customer where email = 'many@example.com') as c
     cross join generate_series(1, 4) as n where r.customer_id = '${customerId}'`,
    {
      id: `'inv_copy' || c.id || n`,
      customer_id: 'c.id',
      invoice_number: `c.id || '-' || n`,
    },
  );
  await copy(
    'invoice_line_item',
    `join (select id as copy from invoice where id like 'inv_copy%') as i on true
     where r.invoice_id = (select id from invoice where customer_id = '${customerId}' and id not like 'inv_copy%')`,
    { id: `'inv_li_copy' || i.copy || r.position`, invoice_id: 'i.copy' },
  );
}

const test = base
  .extend('owner', { scope: 'file' }, async ({ database }) => {
    const owner = await aTenant(database.orm.em);
    await aFurnished(owner.session);
    return owner;
  })
  .extend('ask', ({ gateway, owner }) => graphqlOf(gateway, owner.key));

/** The smallest arguments of a field. */
function selectionOf(name: string, type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return name;
  if (named.name.endsWith('Connection'))
    return `${name}(first: 2) { totalCount nodes { __typename } }`;
  const [leaf] = Object.values((named as unknown as { getFields(): Fields }).getFields()).filter(
    (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
  );
  return `${name} { ${leaf?.name ?? '__typename'} }`;
}

/** The lists whose rows are many here, with the fields of their rows. */
const lists = Object.entries(queries).flatMap(([list, { type }]) => {
  const connection = getNamedType(type);
  if (!isObjectType(connection) || !connection.name.endsWith('Connection')) return [];
  const record = getNamedType(connection.getFields().nodes?.type as GraphQLOutputType);
  if (!isObjectType(record)) return [];
  const fields = Object.values(record.getFields()).filter(
    ({ args }) => !args.some(isRequiredArgument),
  );
  return [{ list, fields: fields.map(({ name, type }) => selectionOf(name, type)) }];
});

/** How often each statement is in a list, whatever the number of its parameters. */
function timesOf(statements: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const statement of statements) {
    // The pool asks whether a connection is alive.
    if (statement === 'select 1') continue;
    const text = statement.replaceAll(/\(?\$\d+(::text)?\)?(, \(?\$\d+(::text)?\)?)*/g, '$n');
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  return times;
}

describe('the number of statements', () => {
  test.for(lists)(
    'of a page of $list does not grow with its rows, whatever is asked of them',
    async ({ list, fields }, { ask }) => {
      const count = async (first: number) =>
        timesOf(
          await statementsOf(async () => {
            const query = `{ ${list}(first: ${first}) { nodes { ${fields.join(' ')} } } }`;
            expect((await ask(query)).errors).toBeUndefined();
          }),
        );
      const few = await count(2);
      // Records of another type may need another statement, but none is repeated for each row. Two levels may ask for
      // one record before either has it.
      const repeated = [...(await count(12))].filter(
        ([statement, times]) => times > Math.max(few.get(statement) ?? 0, 1) + 1,
      );
      expect(repeated).toEqual([]);
    },
  );

  test('of three levels does not grow with 100 rows', async ({ ask, owner }) => {
    await manyInvoices(owner.session, 100);
    const query = `query($n: Int!) {
      customers(first: $n, where: { email: { is: "many@example.com" } }) { nodes {
        name pricingModel { name }
        currentSubscription { id price { product { name } } }
        paymentMethodsPage(first: 3) { totalCount nodes { id } }
        invoicesPage(first: 3, orderBy: created_at_desc) { totalCount nodes {
          invoiceNumber amountPaid pdfURL customer { id } organization { name }
          lineItemsPage(first: 3) { totalCount nodes { description priceObject { id } invoice { id } } }
          paymentsPage(first: 3) { nodes { id customer { id } refundsPage(first: 3) { nodes { id } } } }
        } }
      } }
    }`;
    const ask3 = async (n: number) => {
      let data: { customers: { nodes: { invoicesPage: { nodes: object[] } }[] } } | undefined;
      const statements = await statementsOf(async () => {
        const result = await ask(query, { n });
        expect(result.errors).toBeUndefined();
        data = result.data;
      });
      const customers = data?.customers.nodes ?? [];
      expect(customers).toHaveLength(n);
      for (const { invoicesPage } of customers) expect(invoicesPage.nodes).toHaveLength(3);
      return statements.filter((text) => text !== 'select 1');
    };
    const few = await ask3(2);
    const many = await ask3(100);
    expect([...timesOf(many)].filter(([, times]) => times > 1)).toEqual([]);
    expect(many.length).toBeLessThanOrEqual(few.length + 2);
    expect(many.length).toBeLessThan(20);
  });
});
