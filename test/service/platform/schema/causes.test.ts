// @module-tag long
import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { createDeliverer } from '#cron/deliverer.ts';
import { jobs } from '#cron/jobs.ts';
import { runJob } from '#cron/run-job.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import {
  aCustomer,
  anOpenInvoice,
  aPaymentMethod,
  aSubscription,
  aTestClock,
  fresh,
} from '../../../support/factories.ts';
import { aReceiver } from '../../../support/outside/receiver.ts';
import { aBusySubscription } from '../../../support/seats.ts';
import { aTenant } from '../../../support/tenant.ts';
import { apiOf, graphqlOf, testAlone } from '../../../support/test.ts';
import { aMeteredSubscription } from '../../../support/usage.ts';

const dayMilliseconds = 86_400_000;

const test = testAlone('a job deletes the events of all organizations').extend(
  'url',
  { scope: 'file' },
  async ({ gateway, hub }, { onCleanup }) => {
    const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    return server.url;
  },
);

const facts = `id at requestId idempotencyKey address cronRunId subjectId
  actor { type id job apiKey { id } customerToken { id } }
  operation { type name fields method route } cronRun { job } subject { id }
  objects { objectType objectId eventTypes object { id } } payments { id status } refunds { id amount }
  events(first: 100) { totalCount nodes { id type sequence cause { id } } }
  webhookDeliveries { id status event { cause { id } } }`;

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
type Json = any;
type Graphql = ReturnType<typeof graphqlOf>;

async function causeBy(graphql: Graphql, id: string): Promise<Json> {
  const { data, errors } = await graphql(`query($id: ID!) { cause(id: $id) { ${facts} } }`, { id });
  expect(errors, JSON.stringify(errors)).toBeUndefined();
  return data.cause;
}

/** The causes in the history of an object, the oldest first, with the chain of causes behind each. */
async function historyOf(graphql: Graphql, id: string): Promise<Json[]> {
  const { data, errors } = await graphql(
    `query($id: ID!) { node(id: $id) { ... on OrganizationRecord { history(first: 100) { totalCount nodes {
      type previousAttributes cause { id actor { id } subjectId
        causedBy { id actor { id } causedBy { id actor { id } } } } } } } } }`,
    { id },
  );
  expect(errors, JSON.stringify(errors)).toBeUndefined();
  expect(data.node.history.totalCount).toBe(data.node.history.nodes.length);
  return data.node.history.nodes;
}

const job = (name: string) => {
  const found = jobs.find((one) => one.name === name);
  if (!found) throw new Error(`There is no job ${name}`);
  return found;
};

const parts = {
  eventDays: 30,
  auditDays: 365,
  usageEventMonths: 0,
  checkoutDays: 14,
  processorEventDays: 35,
  sessionDays: 30,
  cronRunDays: 7,
  deliverer: { sweep: async () => 0 },
  mailer: { sweep: async () => 0 },
  mailDays: 90,
  onFailure(error: unknown) {
    throw error;
  },
};

test('a REST request leads to all that it changed, charged and sent, and each of these leads back', async ({
  api,
  database,
  graphql,
  session,
}) => {
  const receiver = await aReceiver();
  const webhook = { name: 'Hook', url: receiver.url, filterTypes: ['payment.created'] };
  await api('POST', '/webhooks', { webhook });
  const { id } = await anOpenInvoice(session);
  const headers = { 'x-request-id': 'pay-once', 'idempotency-key': 'key-of-payment' };
  const paid = await api('POST', `/invoices/${id}/pay`, {}, { headers });
  expect(paid.status, JSON.stringify(paid.body)).toBe(200);
  await using deliverer = createDeliverer(database.orm, { allowPrivate: true, onFailure() {} });
  const cause = await causeBy(graphql, 'pay-once');
  await deliverer.sweep(new Date());
  await deliverer.settled();

  expect(cause).toMatchObject({
    requestId: 'pay-once',
    idempotencyKey: 'key-of-payment',
    address: null,
    subjectId: null,
    actor: { type: 'api_key', id: session.apiKeyId, apiKey: { id: session.apiKeyId }, job: null },
    operation: {
      type: 'mutation',
      name: null,
      fields: ['payInvoice'],
      method: 'POST',
      route: '/api/v1/invoices/:id/pay',
    },
  });
  expect(cause.payments).toMatchObject([{ status: 'succeeded' }]);
  expect(cause.events.nodes.map((event: Json) => event.cause.id)).toEqual(
    cause.events.nodes.map(() => cause.id),
  );
  expect(cause.events.totalCount).toBe(cause.events.nodes.length);
  const changed = cause.objects.map((one: Json) => one.objectId);
  expect(changed).toEqual(expect.arrayContaining([id, cause.payments[0].id]));
  expect(await causeBy(graphql, cause.id)).toMatchObject({
    id: cause.id,
    webhookDeliveries: [{ status: 'delivered', event: { cause: { id: cause.id } } }],
  });

  for (const objectId of [id, cause.payments[0].id]) {
    const history = await historyOf(graphql, objectId);
    expect(history.at(-1).cause.id).toBe(cause.id);
  }
  const statuses = (await historyOf(graphql, id)).flatMap(
    ({ previousAttributes }) => previousAttributes?.status ?? [],
  );
  expect(statuses).toEqual(['draft', 'open', 'awaiting_payment_confirmation']);

  const refunded = await graphql(
    'mutation GiveBack($id: ID!) { refundPayment(id: $id, partialAmount: 100) { payment { refundedAmount } } }',
    { id: cause.payments[0].id },
    { headers: { 'x-request-id': 'refund-once' } },
  );
  expect(refunded.errors).toBeUndefined();
  expect(await causeBy(graphql, 'refund-once')).toMatchObject({
    operation: { name: 'GiveBack', fields: ['refundPayment'], method: null, route: null },
    refunds: [{ amount: 100 }],
    payments: [{ id: cause.payments[0].id }],
  });
});

test('operations of one socket, calls that share a transaction and parts of one document have their own cause', async ({
  api,
  graphql,
  session,
  tenant,
  url,
}) => {
  const socket = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    connectionParams: { authorization: `Bearer ${tenant.key}` },
  });
  const made: string[] = [];
  for (const name of ['One', 'Two']) {
    const query = `mutation Make${name} { createResource(resource: { slug: "${name}", name: "${name}" }) { resource { id history(last: 1) { nodes { cause { id operation { name } requestId } } } } } }`;
    const extensions = { idempotencyKey: `key ${name}` };
    for await (const { data, errors } of socket.iterate({ query, extensions })) {
      expect(errors).toBeUndefined();
      made.push((data as Json).createResource.resource.id);
    }
  }
  const live = [];
  const query = `subscription { events(after: 0, types: ["resource.created"]) { objectId cause { operation { name } actor { apiKey { id } } } } }`;
  for await (const { data } of socket.iterate({ query })) {
    if (live.push((data as Json).events) === 2) break;
  }
  const actor = { apiKey: { id: session.apiKeyId } };
  expect(live).toEqual(
    ['MakeOne', 'MakeTwo'].map((name, n) => ({
      objectId: made[n],
      cause: { operation: { name }, actor },
    })),
  );
  await socket.dispose();
  const causes = [];
  for (const id of made) causes.push((await historyOf(graphql, id))[0].cause.id);
  const [one, two] = [
    await causeBy(graphql, causes[0] ?? ''),
    await causeBy(graphql, causes[1] ?? ''),
  ];
  expect(one).toMatchObject({ operation: { name: 'MakeOne' }, idempotencyKey: 'key One' });
  expect(two).toMatchObject({ operation: { name: 'MakeTwo' }, idempotencyKey: 'key Two' });
  expect(one.id).not.toBe(two.id);
  expect(one.requestId).toBe(two.requestId);

  const { data } = await graphql(
    `mutation { a: createResource(resource: { slug: "a", name: "A" }) { resource { id } } b: createResource(resource: { slug: "b", name: "B" }) { resource { id } } }`,
  );
  const [a] = await historyOf(graphql, data.a.resource.id);
  const both = await causeBy(graphql, a.cause.id);
  expect(both.objects.map((it: Json) => it.objectId)).toEqual([
    data.a.resource.id,
    data.b.resource.id,
  ]);
  expect(both.operation.fields).toEqual(['createResource']);

  const { id, slug: usageMeterSlug } = await aMeteredSubscription(session);
  const { subscriptionId, resourceSlug } = await aBusySubscription(session, 20);
  const usage = (n: number) =>
    api('POST', '/usage-events', {
      usageEvent: { subscriptionId: id, usageMeterSlug, transactionId: `t${n}`, amount: 1 },
    });
  const claim = () =>
    api('POST', `/resource-claims/${subscriptionId}/claim`, { resourceSlug, quantity: 1 });
  const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => (n % 2 ? usage(n) : claim())));
  for (const [n, { status, headers, body }] of answers.entries()) {
    expect(status).toBe(200);
    const requestId = headers.get('x-request-id') ?? '';
    const { data } = await graphql(
      'query($id: String!) { causes(where: { requestId: { is: $id } }) { nodes { id } } }',
      { id: requestId },
    );
    expect(data.causes.nodes).toHaveLength(1);
    const cause = await causeBy(graphql, requestId);
    expect(cause.id).toBe(data.causes.nodes[0].id);
    expect(cause).toMatchObject({ requestId, actor: { id: session.apiKeyId } });
    expect(cause.objects).toHaveLength(1);
    const [{ objectId, eventTypes }] = cause.objects;
    expect(eventTypes).toEqual([n % 2 ? 'usage_event.recorded' : 'resource_claim.created']);
    expect(objectId).toBe(n % 2 ? body.usageEvent.id : body.claims[0].id);
    expect(cause.operation).toMatchObject({
      method: 'POST',
      route: expect.stringContaining(n % 2 ? '/usage-events' : '/resource-claims'),
    });
  }
});

test('a billing run leads through its job to the boundary and the request before it', async ({
  api,
  database,
  graphql,
  session,
}) => {
  const { id: customerId } = await aCustomer(session);
  const method = await aPaymentMethod(session, customerId, { default: true });
  const { id } = await aSubscription(session, { customerId, defaultPaymentMethodId: method.id });
  const before = (await historyOf(graphql, id)).at(-1).cause.id;
  const later = new Date(Date.now() + 40 * dayMilliseconds);
  const at = (minutes: number) => new Date(later.getTime() + minutes * 60_000);
  await runJob(database.orm, job('transition-billing-periods'), at(0), parts);
  await runJob(database.orm, job('execute-billing-runs'), at(1), parts);

  const { data, errors } = await graphql(
    `query($customer: ID!) { causes(where: { actorType: { is: job }, customer: { is: $customer } }) { totalCount nodes {
      ${facts} causedBy { id actor { job } causedBy { id } } } } }`,
    { customer: customerId },
  );
  expect(errors, JSON.stringify(errors)).toBeUndefined();
  const [crossed, executed] = data.causes.nodes;
  expect(data.causes.totalCount).toBe(2);
  expect(crossed).toMatchObject({
    actor: { type: 'job', job: 'transition-billing-periods', apiKey: null },
    operation: null,
    requestId: null,
    cronRunId: `transition-billing-periods ${at(0).toISOString()}`,
    cronRun: { job: 'transition-billing-periods' },
    subject: { id },
    causedBy: { id: before },
  });
  expect(executed).toMatchObject({
    actor: { job: 'execute-billing-runs' },
    cronRun: { job: 'execute-billing-runs' },
    causedBy: { id: crossed.id, causedBy: { id: before } },
  });
  expect(executed.payments).toMatchObject([{ status: 'succeeded' }]);
  expect(executed.subject.id).toMatch(/^billing_run_/);
  const [charged] = await historyOf(graphql, executed.payments[0].id);
  expect(charged.cause).toMatchObject({ id: executed.id, causedBy: { id: crossed.id } });
  expect(
    (await api('GET', `/events?objectId=${executed.payments[0].id}`)).body.data[0].causeId,
  ).toBe('execute-billing-runs');
});

test('the advance of a test clock is the cause of all that becomes due, also when a job carries it on', async ({
  database,
  graphql,
  session,
}) => {
  const clock = await aTestClock(session);
  const { id: customerId } = await aCustomer(session, { testClockId: clock.id });
  const method = await aPaymentMethod(session, customerId, { default: true });
  await aSubscription(session, { customerId, defaultPaymentMethodId: method.id });
  const advance = (to: string, requestId: string) =>
    graphql(
      'mutation($id: ID!, $to: Timestamp!) { advanceTestClock(id: $id, frozenTime: $to) { testClock { status } } }',
      { id: clock.id, to: Date.parse(to) },
      { headers: { 'x-request-id': requestId } },
    );
  await advance('2026-04-15', 'spring');
  const spring = await causeBy(graphql, 'spring');
  expect(spring.payments.length).toBeGreaterThanOrEqual(2);
  expect(spring.operation.fields).toEqual(['advanceTestClock']);
  expect(spring.objects.map((it: Json) => it.objectType)).toEqual(
    expect.arrayContaining(['TestClock', 'BillingPeriod', 'Invoice', 'BillingRun', 'Payment']),
  );

  // As after a process that has stopped on the way.
  await database.orm.em
    .fork()
    .execute(`update test_clock set status = 'advancing', advancing_to = ? where id = ?`, [
      new Date('2026-06-15'),
      clock.id,
    ]);
  await runJob(database.orm, job('advance-test-clocks'), new Date(), parts);
  const { data } = await graphql(
    `query($id: ID!) { causes(where: { subject: { is: $id } }) { nodes { actor { job } payments { id } causedBy { id } } } }`,
    { id: clock.id },
  );
  const [carried] = data.causes.nodes;
  expect(carried).toMatchObject({
    actor: { job: 'advance-test-clocks' },
    causedBy: { id: spring.id },
  });
  expect(carried.payments.length).toBeGreaterThanOrEqual(2);
});

test('a customer token is named as actor, and sees the history of its records without causes', async ({
  gateway,
  graphql,
  session,
}) => {
  const { id: customerId } = await aCustomer(session);
  const other = await aCustomer(session);
  const { token, customerToken } = await createCustomerToken(fresh(session), {
    customer: customerId,
    scopes: ['read', 'payment_methods_write'],
  } as never);
  const browser = graphqlOf(gateway, token);
  const { data, errors } = await browser(
    `mutation($customer: ID!) { createPaymentMethod(paymentMethod: { customerId: $customer, type: card, token: "sandbox_success" }) { paymentMethod { id } } }`,
    { customer: customerId },
    { headers: { 'x-request-id': 'by-a-browser' } },
  );
  expect(errors, JSON.stringify(errors)).toBeUndefined();
  const { id } = data.createPaymentMethod.paymentMethod;
  const cause = await causeBy(graphql, 'by-a-browser');
  expect(cause.actor).toMatchObject({
    type: 'customer_token',
    id: customerToken.id,
    customerToken: { id: customerToken.id },
    apiKey: null,
  });
  expect(JSON.stringify(cause)).not.toContain('sandbox_success');
  expect(cause.objects.map((it: Json) => it.objectId)).toContain(id);

  const own = await browser(
    'query($id: ID!) { paymentMethod(id: $id) { history { nodes { type } totalCount } } }',
    { id },
  );
  expect(own.data.paymentMethod.history.nodes[0]).toEqual({ type: 'payment_method.created' });
  const refused = [
    `{ cause(id: "${cause.id}") { id } }`,
    `{ node(id: "${cause.id}") { ... on Cause { id } } }`,
    '{ causes { nodes { id } } }',
    '{ auditLog { nodes { id } } }',
    '{ events { nodes { cause { id } } } }',
    '{ events { nodes { actor { id } } } }',
    `{ customer(id: "${customerId}") { history { nodes { causeId } } } }`,
  ];
  for (const query of refused) {
    expect((await browser(query)).errors?.[0].extensions.code, query).toBe('FORBIDDEN');
  }
  const theirs = await browser(`{ node(id: "${cause.id}") { id } }`);
  expect(theirs.data).toEqual({ node: null });
  const foreign = await browser(`{ customer(id: "${other.id}") { history { nodes { id } } } }`);
  expect(foreign.errors?.[0].extensions.code).toBe('NOT_FOUND');
});

test('the audit log selects by object, customer, actor, cause, type and time, in both directions', async ({
  graphql,
  session,
}) => {
  const { id, externalId } = await aCustomer(session);
  const rename = (name: string) =>
    graphql(
      `mutation($externalId: String!, $name: String!) { updateCustomer(externalId: $externalId, customer: { name: $name }) { customer { id } } }`,
      { externalId, name },
      { headers: { 'x-request-id': `rename-${name}` } },
    );
  for (const name of ['A', 'B', 'C']) {
    const { errors } = await rename(name);
    expect(errors, JSON.stringify(errors)).toBeUndefined();
  }
  const log = async (where: object, args = 'first: 100') => {
    const { data, errors } = await graphql(
      `query($where: AuditWhere) { auditLog(where: $where, ${args}) { totalCount pageInfo { hasNextPage hasPreviousPage endCursor startCursor }
        nodes { id type data previousAttributes } } }`,
      { where },
    );
    expect(errors, JSON.stringify(errors)).toBeUndefined();
    return data.auditLog;
  };
  const names = ({ nodes }: Json) => nodes.map((event: Json) => event.data.name);
  const updates = { object: { is: id }, type: { is: 'customer.updated' } };
  expect(names(await log(updates))).toEqual(['A', 'B', 'C']);
  expect(names(await log(updates, 'first: 2, orderBy: sequence_desc'))).toEqual(['C', 'B']);
  expect(names(await log(updates, 'last: 2'))).toEqual(['B', 'C']);
  const page = await log(updates, 'first: 2');
  expect(page).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
  const rest = await log(updates, `first: 2, after: "${page.pageInfo.endCursor}"`);
  expect(names(rest)).toEqual(['C']);
  expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  expect(names(await log(updates, `last: 1, before: "${rest.pageInfo.startCursor}"`))).toEqual([
    'B',
  ]);
  expect(page.nodes[1].previousAttributes).toEqual({ name: 'A' });

  const roots = await graphql(
    'query($id: ID!) { event(id: $id) { type } none: event(id: "evt_none") { id } cronRun(id: "none") { id } }',
    { id: page.nodes[0].id },
  );
  expect(roots.data).toEqual({ event: { type: 'customer.updated' }, none: null, cronRun: null });
  expect(roots.errors.map(({ extensions }: Json) => extensions.code)).toEqual([
    'NOT_FOUND',
    'NOT_FOUND',
  ]);

  const { id: cause } = await causeBy(graphql, 'rename-B');
  expect(names(await log({ cause: { is: cause } }))).toEqual(['B']);
  expect((await log({ customer: { is: id } })).totalCount).toBeGreaterThanOrEqual(4);
  expect((await log({ actor: { is: 'nobody' } })).totalCount).toBe(0);
  const actor = { actor: { is: session.apiKeyId }, actorType: { is: 'api_key' } };
  expect(names(await log({ ...updates, ...actor }))).toEqual(['A', 'B', 'C']);
  expect((await log({ recordedAt: { from: Date.now() + dayMilliseconds } })).totalCount).toBe(0);
});

test('events that the feed no longer shows remain in the audit log for as long as the operator says', async ({
  api,
  database,
  gateway,
  graphql,
  session,
}) => {
  const other = await aTenant(database.orm.em);
  const theirs = apiOf(gateway, other.key);
  const make = (call: typeof api) =>
    call('POST', '/resources', { resource: { slug: 'seats', name: 'Seats' } });
  const [mine, foreign] = [await make(api), await make(theirs)];
  const { id, slug: usageMeterSlug } = await aMeteredSubscription(session);
  const used = await api('POST', '/usage-events', {
    usageEvent: { subscriptionId: id, usageMeterSlug, transactionId: 't', amount: 1 },
  });
  const { data } = await graphql('{ auditLog(last: 1) { nodes { type cause { id } } } }');
  const [{ type, cause: report }] = data.auditLog.nodes;
  expect([used.status, type]).toEqual([200, 'usage_event.recorded']);
  const reported = (await causeBy(graphql, report.id)).id;
  const requestId = (answer: Json) => answer.headers.get('x-request-id') as string;
  const { id: cause } = await causeBy(graphql, requestId(mine));
  const stranger = graphqlOf(gateway, other.key);
  const unseen = await stranger('query($id: ID!) { cause(id: $id) { id } }', { id: cause });
  expect([unseen.data, unseen.errors[0].extensions.code]).toEqual([{ cause: null }, 'NOT_FOUND']);
  const shared = await stranger('query($id: ID!) { cause(id: $id) { objects { objectId } } }', {
    id: requestId(foreign),
  });
  expect(shared.data.cause.objects).toEqual([{ objectId: foreign.body.resource.id }]);

  const later = (days: number) => new Date(Date.now() + days * dayMilliseconds);
  await runJob(database.orm, job('purge-events'), later(31), parts);
  expect((await api('GET', '/events')).body.data).toEqual([]);
  expect((await graphql('{ events { totalCount } }')).data.events.totalCount).toBe(0);
  const kept = await causeBy(graphql, cause);
  expect(kept.objects.map((it: Json) => it.objectId)).toEqual([mine.body.resource.id]);
  expect(await historyOf(graphql, mine.body.resource.id)).toHaveLength(1);
  // Reports of usage end with the feed; the usage events themselves remain.
  const gone = await graphql('query($id: ID!) { cause(id: $id) { id } }', { id: reported });
  expect(gone.data.cause).toBeNull();
  expect((await api('GET', '/events?after=0')).status).toBe(400);

  await runJob(database.orm, job('purge-events'), later(366), parts);
  expect(await historyOf(graphql, mine.body.resource.id)).toEqual([]);
  const left = await database.orm.em.fork().execute('select count(*)::int as n from cause');
  expect(left).toEqual([{ n: 0 }]);
});

test('addresses of clients are in causes only if the operator wants them', async ({
  database,
  hub,
  tenant,
}) => {
  const options = { orm: database.orm, hub, production: false, operationTimeLimitSeconds: 30 };
  const logger = createLogger('error');
  const gateway = createGateway({ ...options, logger, auditAddresses: true });
  await using server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
  const response = await fetch(`${server.url}/api/v1/resources`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ resource: { slug: 'desks', name: 'Desks' } }),
  });
  const cause = await causeBy(
    graphqlOf(gateway, tenant.key),
    response.headers.get('x-request-id') ?? '',
  );
  expect(cause.address).toBe('127.0.0.1');
});
