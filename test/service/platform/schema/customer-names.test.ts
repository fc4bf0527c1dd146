import { GraphQLID, getNamedType, isInputObjectType } from 'graphql';
import { expect } from 'vitest';
import { schema } from '#schema/index.ts';
import { aCustomer } from '../../../support/factories.ts';
import { aTenant } from '../../../support/tenant.ts';
import { graphqlOf, test } from '../../../support/test.ts';

/** Inputs that repeat the customer of a record, which does not change. */
const repeating = ['UpdateInvoiceInput'];

test('each mutation that takes the id of a customer takes your own id in its place', () => {
  const named: string[] = [];
  const others: string[] = [];
  for (const { name: mutation, args } of Object.values(
    schema.getMutationType()?.getFields() ?? {},
  )) {
    const inputs = args.map(({ type }) => getNamedType(type)).filter(isInputObjectType);
    const groups = [
      args,
      ...inputs
        .filter(({ name }) => !repeating.includes(name))
        .map((type) => Object.values(type.getFields())),
    ];
    for (const group of groups) {
      const names = group.map(({ name }) => name);
      const id = group.find(
        ({ name, type }) => /^customer(Id)?$/.test(name) && getNamedType(type) === GraphQLID,
      );
      if (id) (names.includes('customerExternalId') ? named : others).push(mutation);
    }
  }
  expect(others).toEqual([]);
  expect(named.length).toBeGreaterThan(12);
});

test('your own id of a customer names it in GraphQL and REST; both names, none and an unknown one are refused', async ({
  graphql,
  api,
  session,
  database,
  gateway,
}) => {
  const customer = await aCustomer(session, { externalId: 'ada' });
  const { id } = customer;
  const create = `mutation ($invoice: CreateInvoiceInput!) {
    createInvoice(invoice: $invoice, invoiceLineItems: [{ price: 5, quantity: 1, description: "x" }]) { invoice { customerId } }
  }`;
  const named = { customerExternalId: 'ada' };
  const { data } = await graphql(create, { invoice: named });
  expect(data.createInvoice.invoice).toEqual({ customerId: id });
  const switched = await graphql(
    'mutation { switchMails(customerExternalId: "ada", off: [alert]) { customer { id mailsOff } } }',
  );
  expect(switched.data.switchMails.customer).toEqual({ id, mailsOff: ['alert'] });
  const expected = await api('POST', '/remittances/expect', { ...named, amount: 5 });
  expect(expected.body.remittance.customerId).toBe(id);

  const refusalOf = async (invoice: object, ask = graphql) => {
    const { extensions } = (await ask(create, { invoice })).errors[0];
    return [extensions.code, extensions.issues?.[0]];
  };
  const path = ['invoice', 'customerId'];
  expect(await refusalOf({ ...named, customerId: id })).toEqual([
    'BAD_REQUEST',
    { code: 'INVALID', path, message: 'give either customerId or customerExternalId' },
  ]);
  expect(await refusalOf({ customerId: null })).toEqual([
    'BAD_REQUEST',
    { code: 'REQUIRED', path, message: 'is required unless customerExternalId is given' },
  ]);
  const other = await aTenant(database.orm.em);
  expect(await refusalOf(named, graphqlOf(gateway, other.key))).toEqual([
    'BAD_REQUEST',
    {
      code: 'NOT_FOUND',
      path: ['invoice', 'customerExternalId'],
      message: 'Unknown customer ada',
    },
  ]);
});
