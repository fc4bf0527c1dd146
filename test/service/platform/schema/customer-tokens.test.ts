// @module-tag long
import { createClient } from 'graphql-ws';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { updateProduct } from '#domain/catalog/commands/products/update-product.ts';
import type { CustomerTokenScope } from '#domain/kernel/access-scopes.ts';
import { customerTokenScopes } from '#domain/kernel/access-scopes.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';
import { newCredential } from '#domain/platform/access/credential.ts';
import { issueApiKey } from '#domain/platform/access/issue-api-key.ts';
import { purgeCustomerTokens } from '#domain/platform/commands/api-keys/purge-customer-tokens.ts';
import { revokeApiKey } from '#domain/platform/commands/api-keys/revoke-api-key.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { createSubscription } from '#domain/subscriptions/commands/subscriptions/create-subscription.ts';
import { startServer } from '#server/server.ts';
import { follow } from '../../../support/answers/follow.ts';
import {
  aCustomer,
  allowSeveral,
  aPaymentMethod,
  aProduct,
  aUsageMeter,
  aUsagePrice,
  fresh,
} from '../../../support/factories.ts';
import { aSeatFeature } from '../../../support/seats.ts';
import { graphqlOf, testAlone } from '../../../support/test.ts';
import { use } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations').extend(
  'url',
  { scope: 'file' },
  async ({ gateway, hub }, { onCleanup }) => {
    const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    return server.url;
  },
);

const create = `mutation($customer: ID!, $scopes: [CustomerTokenScope!], $expiresIn: Int, $allowedOrigins: [String!]) {
  createCustomerToken(customer: $customer, scopes: $scopes, expiresIn: $expiresIn, allowedOrigins: $allowedOrigins) {
    token customerToken { id customerId apiKeyId scopes allowedOrigins expiresAt revokedAt active createdAt }
  }
}`;

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
type Json = any;
type Graphql = ReturnType<typeof graphqlOf>;

/** A token of a customer, by the test's own key. */
async function aToken(graphql: Graphql, customer: string, variables: object = {}): Promise<Json> {
  const { data, errors } = await graphql(create, { customer, ...variables });
  expect(errors, JSON.stringify(errors)).toBeUndefined();
  return data.createCustomerToken;
}

const all = (scopes: readonly CustomerTokenScope[] = customerTokenScopes) => ({ scopes });

/** A customer with seats, usage and a paid invoice. */
async function aFullCustomer(session: Session) {
  const customer = await aCustomer(session);
  const { featureId, resourceSlug } = await aSeatFeature(session, 3);
  const meter = await aUsageMeter(session);
  await aUsagePrice(session, meter.id);
  const product = await aProduct(session, { featureIds: [featureId] });
  const method = await aPaymentMethod(session, customer.id, { default: true });
  const [price] = await product.prices.loadItems();
  const { id } = await createSubscription(fresh(session), {
    customerId: customer.id,
    priceId: price?.id,
    defaultPaymentMethodId: method.id,
  });
  await use(session, { id, slug: meter.slug }, 7);
  return { customer, id, resourceSlug, meter, price, method };
}

const code = ({ errors }: Json) => errors?.[0]?.extensions?.code;

describe('createCustomerToken', () => {
  test('a token reads its customer and nothing of another one', async ({
    graphql,
    session,
    gateway,
    tenant,
  }) => {
    const mine = await aFullCustomer(session);
    const other = await aFullCustomer(session);
    const { token, customerToken } = await aToken(graphql, mine.customer.id);
    expect(token).toMatch(/^ct_test_[0-9A-Za-z]{21}\.[0-9a-z]+\.[\w-]{43}$/);
    expect(customerToken).toMatchObject({
      customerId: mine.customer.id,
      apiKeyId: session.apiKeyId,
      scopes: ['read'],
      allowedOrigins: null,
      revokedAt: null,
      active: true,
    });
    expect(customerToken.expiresAt - customerToken.createdAt).toBe(3_600_000);

    const browser = graphqlOf(gateway, token);
    const { data, errors } = await browser(
      `query($id: ID!, $customer: ID!) { customers { totalCount nodes { id } }
        customer(id: $customer) { subscriptionsPage { nodes { id usageMeterBalances { used slug }
            resourceUsages { resourceSlug capacity available } featureItems { feature { name } }
            itemsPage { nodes { name price { unitPrice product { name } } } } } }
          invoicesPage { nodes { total status lineItems { amount } paymentsPage { nodes { amount method { type } } } pdfURL } }
          paymentMethodsPage { nodes { id } } }
        subscription(id: $id) { status }
        invoices { totalCount } payments { totalCount } usageEvents { totalCount } subscriptionItems { totalCount }
        billingPeriods { totalCount } ledgerTransactions { totalCount } paymentMethods { totalCount } }`,
      { id: mine.id, customer: mine.customer.id },
    );
    expect(errors, JSON.stringify(errors)).toBeUndefined();
    expect(data.customers).toMatchObject({ totalCount: 1, nodes: [{ id: mine.customer.id }] });
    const text = JSON.stringify(data);
    expect(text).toContain(mine.meter.slug);
    expect(text).toContain(mine.resourceSlug);
    for (const theirs of [other.customer.id, other.id, other.meter.slug, other.resourceSlug]) {
      expect(text).not.toContain(theirs);
    }
    const whole = await graphqlOf(gateway, tenant.key)('{ usageEvents { totalCount } }');
    expect(whole.data.usageEvents.totalCount).toBe(2);
    expect(data.usageEvents.totalCount).toBe(1);
    for (const id of [other.customer.id, other.id, other.method.id, session.organizationId]) {
      expect((await browser('query($id: ID!) { node(id: $id) { id } }', { id })).data).toEqual({
        node: null,
      });
    }
    expect(
      code(await browser('query($id: ID!) { subscription(id: $id) { id } }', { id: other.id })),
    ).toBe('NOT_FOUND');
  });

  test('refuses what the organization keeps for itself, wherever a document reaches it', async ({
    graphql,
    session,
    gateway,
  }) => {
    const { customer } = await aFullCustomer(session);
    const browser = graphqlOf(gateway, (await aToken(graphql, customer.id, all())).token);
    for (const query of [
      '{ organization { name } }',
      '{ apiKeys { nodes { id } } }',
      '{ webhooks { nodes { id } } }',
      '{ customerTokens { nodes { id } } }',
      '{ billingRuns { nodes { id } } }',
      '{ pricingModels { nodes { id } } }',
      '{ customers { nodes { testClock { id } } } }',
      '{ events { nodes { actor { id } } } }',
      '{ events { nodes { causeId } } }',
      '{ node(id: "org_x") { ... on Organization { name } } }',
      'mutation { updateOrganization(organization: { name: "Mine" }) { organization { id } } }',
      'mutation { createCustomer(customer: { email: "a@b.co", name: "A", externalId: "a" }) { customer { id } } }',
    ]) {
      expect(code(await browser(query)), query).toBe('FORBIDDEN');
    }
  });

  test('the feed of a token has the events of its customer, without internals', async ({
    graphql,
    session,
    gateway,
  }) => {
    const { customer } = await aFullCustomer(session);
    await aFullCustomer(session);
    const { token } = await aToken(graphql, customer.id);
    const { data } = await graphqlOf(
      gateway,
      token,
    )('{ events(first: 100) { totalCount nodes { type objectType customerId } } }');
    const kinds = new Set<string>(data.events.nodes.map(({ objectType }: Json) => objectType));
    expect(data.events.nodes.length).toBe(data.events.totalCount);
    expect(kinds).toContain('Invoice');
    for (const hidden of ['BillingRun', 'CustomerToken', 'TestClock', 'Product']) {
      expect(kinds).not.toContain(hidden);
    }
    for (const event of data.events.nodes) expect(event.customerId).toBe(customer.id);
  });

  test('refuses unknown and archived customers, lives outside of 1 minute to 24 hours, and paths as origins', async ({
    graphql,
    session,
  }) => {
    const customer = await aCustomer(session);
    await archiveCustomer(fresh(session), { externalId: customer.externalId });
    const other = await aCustomer(session);
    for (const variables of [
      { customer: 'cust_unknown' },
      { customer: customer.id },
      { customer: other.id, expiresIn: 59 },
      { customer: other.id, expiresIn: 86_401 },
      { customer: other.id, allowedOrigins: ['https://app.example.com/'] },
      { customer: other.id, allowedOrigins: [] },
    ]) {
      expect(code(await graphql(create, variables)), JSON.stringify(variables)).toBe('BAD_REQUEST');
    }
  });

  test('a token never outlives the key that created it', async ({ session, gateway }) => {
    const customer = await aCustomer(session);
    const expiresAt = new Date(Date.now() + 90_000);
    const { token } = await issueApiKey(
      fresh(session),
      newCredential('secret', false, session.organizationId),
      {
        name: 'Short',
        type: 'secret',
        pricingModelId: session.pricingModelId,
        expiresAt,
      },
    );
    const { customerToken } = await aToken(graphqlOf(gateway, token), customer.id);
    expect(customerToken.expiresAt).toBe(expiresAt.getTime());
  });

  test('a token whose text was changed is unknown', async ({ graphql, session, gateway }) => {
    const { id } = await aCustomer(session);
    const { token } = await aToken(graphql, id);
    const [head = '', expiry = '', signature = ''] = token.split('.');
    const later = (Number.parseInt(expiry, 36) + 1_000_000).toString(36);
    const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    for (const forged of [`${head}.${later}.${signature}`, `${head}.${expiry}.${flipped}`]) {
      expect(code(await graphqlOf(gateway, forged)('{ customers { totalCount } }'))).toBe(
        'UNAUTHORIZED',
      );
    }
  });
});

describe('scopes of a token', () => {
  test('each write needs its scope, and names objects of the own customer only', async ({
    graphql,
    session,
    gateway,
  }) => {
    const mine = await aFullCustomer(session);
    const other = await aFullCustomer(session);
    const writes: [CustomerTokenScope, string, object][] = [
      [
        'claims_write',
        'mutation($id: ID!, $slug: String!) { claimResource(subscriptionId: $id, resourceSlug: $slug, quantity: 1) { usage { claimed } } }',
        {},
      ],
      [
        'payment_methods_write',
        'mutation($method: ID!) { setDefaultPaymentMethod(id: $method) { paymentMethod { id } } }',
        {},
      ],
      [
        'payment_methods_write',
        'mutation($customer: ID!) { createPaymentMethod(paymentMethod: { customerId: $customer, type: card, token: "sandbox_success" }) { paymentMethod { id customerId } } }',
        {},
      ],
      [
        'subscriptions_write',
        'mutation($id: ID!) { cancelSubscription(id: $id, cancellation: { timing: at_end_of_current_billing_period }) { subscription { id } } }',
        {},
      ],
      [
        'subscriptions_write',
        'mutation($id: ID!) { uncancelSubscription(id: $id) { subscription { id } } }',
        {},
      ],
      [
        'customers_write',
        'mutation($customer: ID!) { switchMails(customerId: $customer, off: [alert]) { customer { mailsOff } } }',
        {},
      ],
      [
        'payments_write',
        'mutation($invoice: ID!) { payInvoice(id: $invoice) { invoice { id } } }',
        {},
      ],
    ];
    const variablesOf = async ({ customer, id, resourceSlug, method }: typeof mine) => ({
      id,
      slug: resourceSlug,
      method: method.id,
      customer: customer.id,
      invoice: (await fresh(session).em.find(Invoice, { customer: customer.id }))[0]?.id,
    });
    const [own, theirs] = [await variablesOf(mine), await variablesOf(other)];
    const reader = graphqlOf(gateway, (await aToken(graphql, mine.customer.id)).token);
    for (const [scope, document] of writes) {
      expect(code(await reader(document, own)), document).toBe('FORBIDDEN');
      const writer = graphqlOf(
        gateway,
        (await aToken(graphql, mine.customer.id, all([scope]))).token,
      );
      expect(code(await writer(document, theirs)), document).toBe('NOT_FOUND');
      const done = await writer(document, own);
      if (scope === 'payments_write') expect(code(done)).toBe('BAD_REQUEST');
      else expect(done.errors, JSON.stringify(done.errors)).toBeUndefined();
    }
  });

  test('a customer adjusts to a price on sale, but sets no amount, date or proration', async ({
    graphql,
    session,
    gateway,
  }) => {
    const { customer, id, price } = await aFullCustomer(session);
    const hidden = await aProduct(session, { price: { unitPrice: 1 } });
    const [secret] = await hidden.prices.loadItems();
    await graphql(
      `mutation($id: ID!) { updateProduct(id: $id, product: { active: false }) { product { id } } }`,
      { id: hidden.id },
    );
    const larger = await aProduct(session, { price: { unitPrice: 3_000 } });
    const [next] = await larger.prices.loadItems();
    const browser = graphqlOf(
      gateway,
      (await aToken(graphql, customer.id, all(['subscriptions_write']))).token,
    );
    const adjust = (adjustment: object) =>
      browser(
        `mutation($id: ID!, $adjustment: AdjustSubscriptionInput!) {
          adjustSubscription(id: $id, adjustment: $adjustment) { subscription { id } subscriptionItems { unitPrice } } }`,
        { id, adjustment: { timing: 'immediately', ...adjustment } },
      );
    const item = { priceId: price?.id, quantity: 1 };
    for (const refused of [
      { newSubscriptionItems: [{ ...item, unitPrice: 0 }] },
      { newSubscriptionItems: [{ ...item, name: 'Gift' }] },
      { newSubscriptionItems: [item], prorateCurrentBillingPeriod: false },
    ]) {
      expect(code(await adjust(refused)), JSON.stringify(refused)).toBe('FORBIDDEN');
    }
    const unsold = await adjust({ newSubscriptionItems: [{ priceId: secret?.id, quantity: 1 }] });
    expect(code(unsold)).toBe('NOT_FOUND');
    const { data, errors } = await adjust({
      newSubscriptionItems: [{ priceId: next?.id, quantity: 2 }],
    });
    expect(errors, JSON.stringify(errors)).toBeUndefined();
    expect(data.adjustSubscription.subscriptionItems).toContainEqual({ unitPrice: 3_000 });
  });

  test('idempotency keys of one customer are not those of another, nor of the organization', async ({
    graphql,
    session,
    gateway,
  }) => {
    await allowSeveral(session);
    const document =
      'mutation($customer: ID!) { createPaymentMethod(paymentMethod: { customerId: $customer, type: card, token: "sandbox_success" }) { paymentMethod { id customerId } } }';
    const headers = { 'idempotency-key': 'the same' };
    const ids = new Set<string>();
    for (const who of [1, 2]) {
      const customer = await aCustomer(session);
      const { token } = await aToken(graphql, customer.id, all());
      const browser = graphqlOf(gateway, token);
      const first = await browser(document, { customer: customer.id }, { headers });
      const again = await browser(document, { customer: customer.id }, { headers });
      expect(first.errors, `${who} ${JSON.stringify(first.errors)}`).toBeUndefined();
      expect(again.data).toEqual(first.data);
      ids.add(first.data.createPaymentMethod.paymentMethod.id);
      const bySeller = await graphql(document, { customer: customer.id }, { headers });
      if (who === 1) ids.add(bySeller.data.createPaymentMethod.paymentMethod.id);
      else expect(code(bySeller)).toBe('BAD_REQUEST');
    }
    expect(ids.size).toBe(3);
  });
});

describe('the end of a token', () => {
  const reading = '{ customers { totalCount } }';

  test('revocation, one or all, ends it with the next request; the list shows which are active', async ({
    graphql,
    session,
    gateway,
  }) => {
    const { id } = await aCustomer(session);
    const [one, two, three] = [
      await aToken(graphql, id),
      await aToken(graphql, id),
      await aToken(graphql, id),
    ];
    const works = async ({ token }: Json) =>
      (await graphqlOf(gateway, token)(reading)).data?.customers?.totalCount === 1;
    expect([await works(one), await works(two)]).toEqual([true, true]);
    await graphql(
      'mutation($id: ID!) { revokeCustomerToken(id: $id) { customerToken { active } } }',
      {
        id: one.customerToken.id,
      },
    );
    expect([await works(one), await works(two)]).toEqual([false, true]);
    const list = '{ customerTokens(where: { active: true }) { nodes { id customer { id } } } }';
    expect((await graphql(list)).data.customerTokens.nodes).toEqual(
      [two, three].map(({ customerToken }) => ({ id: customerToken.id, customer: { id } })),
    );
    const where = `query($id: ID!) { customerTokens(orderBy: created_at_desc, where: {
      customer: { is: $id }, active: true, expiresAt: { from: 0 } }) { nodes { id } } }`;
    expect((await graphql(where, { id })).data.customerTokens.nodes).toEqual(
      [three, two].map(({ customerToken }) => ({ id: customerToken.id })),
    );
    const revoked = await graphql(
      'mutation($customer: ID!) { revokeCustomerTokens(customer: $customer) { revokedCount } }',
      { customer: id },
    );
    expect(revoked.data.revokeCustomerTokens.revokedCount).toBe(2);
    expect([await works(two), await works(three)]).toEqual([false, false]);
  });

  test('archiving the customer and revoking the key end it', async ({
    graphql,
    session,
    gateway,
  }) => {
    const [first, second] = [await aCustomer(session), await aCustomer(session)];
    const one = await aToken(graphql, first.id);
    const two = await aToken(graphql, second.id);
    await archiveCustomer(fresh(session), { externalId: first.externalId });
    expect(code(await graphqlOf(gateway, one.token)(reading))).toBe('UNAUTHORIZED');
    expect((await graphqlOf(gateway, two.token)(reading)).errors).toBeUndefined();
    await revokeApiKey(fresh(session), { id: session.apiKeyId ?? '' });
    expect(code(await graphqlOf(gateway, two.token)(reading))).toBe('UNAUTHORIZED');
  });

  test('an expired token is refused, and deleted later', async ({
    graphql,
    session,
    gateway,
    database,
  }) => {
    const { id } = await aCustomer(session);
    const { token, customerToken } = await aToken(graphql, id);
    const moved = `update customer_token set created_at = created_at - interval '2 days',
      expires_at = expires_at - interval '2 days' where id = ?`;
    await database.orm.em.execute(moved, [customerToken.id]);
    expect(code(await graphqlOf(gateway, token)(reading))).toBe('UNAUTHORIZED');
    expect(
      await purgeCustomerTokens(database.orm.em.fork(), new Date(Date.now() - 86_400_000)),
    ).toBe(1);
    expect(await fresh(session).em.findOne(CustomerToken, customerToken.id)).toBeNull();
  });

  test('live updates over WebSocket and SSE end with it', async ({
    graphql,
    session,
    gateway,
    url,
  }) => {
    const { id } = await aCustomer(session);
    const { token, customerToken } = await aToken(graphql, id);
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${token}` },
    });
    const closed = new Promise((resolve) => client.on('closed', resolve));
    const query = 'subscription($id: ID!) { entitlementsChanged(customerId: $id) { id } }';
    const socket = client.iterate({ query, variables: { id } });
    expect(await socket.next()).toMatchObject({ value: { data: { entitlementsChanged: { id } } } });
    const response = await gateway.fetch('http://test/graphql', {
      method: 'POST',
      headers: {
        authorization: token,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query, variables: { id } }),
    });
    const stream = response.text();
    await expect
      .poll(() => graphqlOf(gateway, token)(reading).then(({ errors }) => errors))
      .toBeUndefined();
    await graphql('mutation($id: ID!) { revokeCustomerToken(id: $id) { customerToken { id } } }', {
      id: customerToken.id,
    });
    expect(await closed).toMatchObject({ code: 4403 });
    expect(await stream).toContain('revoked or has expired');
    await client.dispose();
  });
});

describe('allowed origins', () => {
  const ask = async (gateway: Json, key: string, origin?: string) => {
    const response: Response = await gateway.fetch('http://test/graphql', {
      method: 'POST',
      headers: {
        authorization: key,
        'content-type': 'application/json',
        ...(origin && { origin }),
      },
      body: JSON.stringify({ query: '{ products { totalCount } }' }),
    });
    return [response.status, response.headers.get('access-control-allow-origin')];
  };

  test('CORS answers only these, for keys and tokens; a token inherits those of the organization', async ({
    graphql,
    session,
    gateway,
    url,
  }) => {
    const { id } = await aCustomer(session);
    const app = 'https://app.example.com';
    const { data } = await graphql(
      'mutation($apiKey: CreateApiKeyInput!) { createApiKey(apiKey: $apiKey) { token apiKey { id allowedOrigins } } }',
      { apiKey: { name: 'Shop', type: 'publishable', allowedOrigins: [app] } },
    );
    expect(data.createApiKey.apiKey).toMatchObject({ allowedOrigins: [app] });
    const own = await aToken(graphql, id, { allowedOrigins: [app] });
    await graphql(
      'mutation($organization: UpdateOrganizationInput!) { updateOrganization(organization: $organization) { organization { allowedOrigins } } }',
      { organization: { allowedOrigins: [app] } },
    );
    const inherited = await aToken(graphql, id);
    for (const key of [data.createApiKey.token, own.token, inherited.token]) {
      expect(await ask(gateway, key, app)).toEqual([200, app]);
      expect(await ask(gateway, key, 'https://evil.example.com')).toEqual([403, null]);
      expect(await ask(gateway, key)).toEqual([200, null]);
    }
    const update = `mutation($id: ID!, $apiKey: UpdateApiKeyInput!) {
      updateApiKey(id: $id, apiKey: $apiKey) { apiKey { allowedOrigins } } }`;
    const { id: keyId } = data.createApiKey.apiKey;
    const freed = await graphql(update, { id: keyId, apiKey: { allowedOrigins: [] } });
    expect(freed.data.updateApiKey.apiKey.allowedOrigins).toBeNull();
    const elsewhere = 'https://shop.example.com';
    expect(await ask(gateway, data.createApiKey.token, elsewhere)).toEqual([200, elsewhere]);
    const secret = { id: session.apiKeyId, apiKey: { allowedOrigins: [app] } };
    expect(code(await graphql(update, secret))).toBe('BAD_REQUEST');
    const connect = (origin: string) =>
      new Promise<number>((resolve) => {
        const client = createClient({
          url: `${url.replace('http', 'ws')}/graphql`,
          webSocketImpl: class extends WebSocket {
            constructor(address: string, protocol: string) {
              super(address, protocol, { origin });
            }
          },
          retryAttempts: 0,
          lazy: false,
          onNonLazyError: () => {},
          connectionParams: { authorization: own.token },
          on: {
            connected: () => {
              resolve(0);
              void client.dispose();
            },
            closed: (event) => resolve((event as { code: number }).code),
          },
        });
      });
    expect(await connect(app)).toBe(0);
    expect(await connect('https://evil.example.com')).toBe(4403);
  });

  test('a page whose origin is removed loses its live updates over SSE and WebSocket, and no other does', async ({
    graphql,
    session,
    gateway,
    url,
  }) => {
    const product = await aProduct(session);
    const [kept, removed] = ['https://app.example.com', 'https://old.example.com'];
    const { data } = await graphql(
      'mutation($apiKey: CreateApiKeyInput!) { createApiKey(apiKey: $apiKey) { token apiKey { id } } }',
      { apiKey: { name: 'Shop', type: 'publishable', allowedOrigins: [kept, removed] } },
    );
    const { token, apiKey } = data.createApiKey;
    const query = 'subscription($id: ID!) { productChanged(id: $id) { name } }';
    const variables = { id: product.id };
    const over = (origin?: string) =>
      follow(gateway, token, query, variables, origin ? { origin } : {});
    const streams = [await over(kept), await over()];
    const lost = await over(removed);
    const closed = new Promise<number>((resolve) => {
      createClient({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: class extends WebSocket {
          constructor(address: string, protocol: string) {
            super(address, protocol, { origin: removed });
          }
        },
        retryAttempts: 0,
        lazy: false,
        onNonLazyError: () => {},
        connectionParams: { authorization: token },
        on: {
          connected: () => void remove(),
          closed: (event) => resolve((event as { code: number }).code),
        },
      });
    });
    const remove = () =>
      graphql(
        `mutation($id: ID!, $apiKey: UpdateApiKeyInput!) {
          updateApiKey(id: $id, apiKey: $apiKey) { apiKey { id } } }`,
        { id: apiKey.id, apiKey: { allowedOrigins: [kept] } },
      );
    expect(await closed).toBe(4403);
    const refusal = await lost.next();
    expect(refusal.errors[0].extensions.code).toBe('FORBIDDEN');
    await updateProduct(fresh(session), { id: product.id, product: { name: 'New' } });
    for (const stream of streams) {
      expect((await stream.next()).data.productChanged).toEqual({ name: 'New' });
      stream.leave();
    }
  });
});
