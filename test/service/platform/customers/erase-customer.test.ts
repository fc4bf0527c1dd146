// @module-tag long
import type { MikroORM } from '@mikro-orm/postgresql';
import { describe, expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import {
  aCustomer,
  anOpenInvoice,
  aPaidInvoice,
  aProduct,
  fresh,
} from '../../../support/factories.ts';
import { aMailer } from '../../../support/mails.ts';
import { aSeatFeature } from '../../../support/seats.ts';
import { type Answer, type apiOf, type graphqlOf, testAlone } from '../../../support/test.ts';

const test = testAlone('a mailer sends the mails of all organizations');

const erase = `mutation($id: ID!) { eraseCustomer(id: $id) {
  customer { id name email externalId archived erasedAt billingAddress { name } taxIds { value } metadata }
  erased { kind count } kept { kind count reason } } }`;

const secret = 'Quagga';
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
type Api = ReturnType<typeof apiOf>;
type Graphql = ReturnType<typeof graphqlOf>;

const answered = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
};

const personal = {
  name: `${secret} Ltd`,
  email: 'quagga@example.com',
  externalId: 'quagga-1',
  logoURL: 'https://quagga.example/logo.png',
  domain: 'quagga.example',
  userId: 'user-quagga',
  metadata: { nick: secret },
  billingAddress: {
    name: secret,
    email: 'quagga@example.com',
    phone: '+44 20 quagga',
    address: { line1: `1 ${secret} Road`, city: 'London', country: 'GB' },
  },
  taxIds: [{ type: 'other', value: `${secret}-77` }],
};

/** An archived customer whose name is in each field that a caller may fill. */
async function aKnownCustomer(orm: MikroORM, session: Session, api: Api, graphql: Graphql) {
  const seats = await aSeatFeature(session, 3);
  const { prices } = await aProduct(session, { featureIds: [seats.featureId] });
  const priceId = (await prices.loadItems())[0]?.id;
  const created = await api('POST', '/customers', { customer: personal }, keyed('create'));
  const { id } = answered(created).data.customer;
  const details = { name: secret, email: 'quagga@example.com', address: { line1: secret } };
  const method = await graphql(
    `mutation($method: CreatePaymentMethodInput!) {
      createPaymentMethod(paymentMethod: $method) { paymentMethod { id } } }`,
    { method: { customerId: id, type: 'card', token: 'sandbox_success', billingDetails: details } },
  );
  expect(method.errors).toBeUndefined();
  const subscribed = answered(
    await api('POST', '/subscriptions', {
      customerId: id,
      priceId,
      name: `${secret} subscription`,
      metadata: { for: secret },
    }),
  );
  answered(
    await api('POST', `/resource-claims/${subscribed.subscription.id}/claim`, {
      resourceSlug: seats.resourceSlug,
      externalIds: ['quagga@example.com'],
      metadata: { seat: secret },
    }),
  );
  await aPaidInvoice(session, { customerId: id });
  const charge = { subscriptionId: subscribed.subscription.id, unitPrice: 500 };
  const texts = { name: `Set-up for ${secret}`, description: `On ${secret} Road` };
  answered(await api('POST', '/one-off-charges', { oneOffCharge: { ...charge, ...texts } }));
  await aMailer(orm).send();
  await archiveCustomer(fresh(session), { externalId: personal.externalId });
  // The end of the subscription bills the charge.
  for (const { id: invoice } of await fresh(session).em.find(Invoice, {
    customer: id,
    status: 'open',
  }))
    await payInvoice(fresh(session), { id: invoice });
  return { id, created };
}

/** Every column with the text, as `table.column`. */
async function columnsWith({ em }: Session, text: string): Promise<string[]> {
  const columns = await em.execute<{ table: string; column: string }[]>(
    `select table_name as table, column_name as column from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema() and table_type = 'BASE TABLE'
       and data_type in ('text', 'character varying', 'jsonb', 'json')`,
  );
  const found = [];
  for (const { table, column } of columns) {
    const [row] = await em.execute<{ count: number }[]>(
      `select count(*)::int as count from "${table}" where "${column}"::text ilike ?`,
      [`%${text}%`],
    );
    if (row && row.count > 0) found.push(`${table}.${column}`);
  }
  return found.sort();
}

describe('erasing a customer', () => {
  test('leaves its name in no row, event, delivery and answer, only in its documents', async ({
    api,
    database,
    graphql,
    session,
  }) => {
    const { id, created } = await aKnownCustomer(database.orm, session, api, graphql);
    expect(await columnsWith(session, secret)).toEqual(
      expect.arrayContaining([
        'customer.name',
        'event.data',
        'mail.html',
        'mail.text',
        'one_off_charge.description',
        'one_off_charge.name',
        'payment_method.billing_details',
        'resource_claim.external_id',
        'subscription.metadata',
      ]),
    );
    const tried = await graphql(erase, { id }, { headers: { prefer: 'dry-run' } });
    expect(tried.errors).toBeUndefined();
    expect(await columnsWith(session, secret)).toContain('customer.name');

    const { data, errors } = await graphql(erase, { id });
    expect(errors, JSON.stringify(errors)).toBeUndefined();
    expect(data.eraseCustomer.customer).toEqual({
      id,
      name: 'Erased customer',
      email: 'erased@customer.invalid',
      externalId: id,
      archived: true,
      erasedAt: expect.any(Number),
      billingAddress: null,
      taxIds: [],
      metadata: null,
    });
    expect(data.eraseCustomer.erased).toEqual(tried.data.eraseCustomer.erased);
    expect(data.eraseCustomer.erased).toEqual(
      expect.arrayContaining([
        { kind: 'Customer', count: 1 },
        { kind: 'Mail', count: 2 },
        { kind: 'Subscription', count: 2 },
        { kind: 'PaymentMethod', count: 2 },
        { kind: 'ResourceClaim', count: 1 },
        { kind: 'OneOffCharge', count: 1 },
        { kind: 'IdempotencyKey', count: 1 },
        { kind: 'Event', count: expect.any(Number) },
      ]),
    );
    expect(data.eraseCustomer.kept).toContainEqual({
      kind: 'Invoice',
      count: expect.any(Number),
      reason: expect.stringMatching(/laws/),
    });
    expect(await columnsWith(session, secret)).toEqual([
      'invoice.parties',
      'invoice_line_item.description',
    ]);

    const repeated = await api('POST', '/customers', { customer: personal }, keyed('create'));
    expect(repeated.status).toBe(400);
    expect(JSON.stringify(repeated.body)).not.toContain(secret);
    expect(JSON.stringify(created.body)).toContain(secret);
  });

  test('is one event of the customer, and a second time changes nothing', async ({
    api,
    database,
    graphql,
    session,
  }) => {
    const { id } = await aKnownCustomer(database.orm, session, api, graphql);
    await graphql(erase, { id });
    const again = await graphql(erase, { id });
    expect(again.data.eraseCustomer.erased).toEqual([]);
    const events = await session.em.execute<{ previous_attributes: object }[]>(
      `select previous_attributes from event where object_id = ? and type = 'customer.erased'`,
      [id],
    );
    expect(events).toHaveLength(1);
    expect(events[0]?.previous_attributes).toMatchObject({ name: 'Erased customer' });
  });

  test('is refused for one that is not archived, owes money or is unknown; it cannot be reverted', async ({
    graphql,
    session,
  }) => {
    const customer = await aCustomer(session);
    const refusal = async () =>
      (await graphql(erase, { id: customer.id })).errors?.[0]?.extensions.issues[0];
    expect(await refusal()).toMatchObject({
      code: 'INVALID_STATE',
      path: ['id'],
      message: expect.stringContaining('not archived'),
    });
    const invoice = await anOpenInvoice(session, { customerId: customer.id });
    await archiveCustomer(fresh(session), { externalId: customer.externalId });
    expect(await refusal()).toMatchObject({ message: expect.stringContaining('owes money') });
    await graphql(`mutation($id: ID!) { voidInvoice(id: $id) { invoice { id } } }`, {
      id: invoice.id,
    });
    expect(await refusal()).toBeUndefined();
    const back = await graphql(
      `mutation($id: ID!) { unarchiveCustomer(id: $id) { customer { id } } }`,
      { id: customer.id },
    );
    expect(back.errors?.[0]?.extensions.issues[0]).toMatchObject({ code: 'INVALID_STATE' });
    const unknown = await graphql(erase, { id: 'cust_none' });
    expect(unknown.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });
});
