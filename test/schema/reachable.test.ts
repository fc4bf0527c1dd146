import { expect } from 'vitest';
import { test } from '../support/test.ts';
import { aCustomer, aPaymentMethod, aSubscription } from '../support/factories.ts';
test('try', async ({ graphql, session }) => {
  const customer = await aCustomer(session);
  await aPaymentMethod(session, customer.id);
  const s = await aSubscription(session, { customerId: customer.id });
  console.log(JSON.stringify(await graphql(`{ a: customer(id: "nope") { id } products { nodes { id } } node(id: "zzz") { id } nodes(ids: ["${customer.id}", "x", "${session.organizationId}", "${s.id}", "${customer.id}"]) { __typename id ... on Customer { organization { id name } pricingModel { name } invoicesPage(first: 2, orderBy: created_at_desc) { totalCount nodes { id total customer { id } } } payments { nodes { id customer { id } } pageInfo { endCursor hasNextPage } } usageEvents { nodes { id } totalCount } } } }`), null, 1));
});
