// @module-tag long
import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { createDeliverer } from '#cron/deliverer.ts';
import {
  finalizeInvoice,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { deleteTestClock } from '#domain/platform/commands/test-clocks/delete-test-clock.ts';
import { deleteWebhook } from '#domain/platform/commands/webhooks/delete-webhook.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { updateSubscription } from '#domain/subscriptions/commands/subscriptions/update-subscription.ts';
import { startServer } from '#server/server.ts';
import { follow } from '../../support/answers/follow.ts';
import { ListClient, type Stream } from '../../support/answers/list-client.ts';
import {
  aCustomer,
  aDraft,
  anOpenInvoice,
  aPaidInvoice,
  aSubscription,
  aUsageMeter,
  aWebhook,
  fresh,
} from '../../support/factories.ts';
import { aReceiver } from '../../support/outside/receiver.ts';
import { type graphqlOf, testAlone } from '../../support/test.ts';
import { aMeteredSubscription, use, voidEvent } from '../../support/usage.ts';

const transports = ['SSE', 'WebSocket'] as const;
type Transport = (typeof transports)[number];

const test = testAlone('it runs jobs, which work for all organizations')
  .extend('server', { scope: 'file' }, async ({ gateway, hub }, { onCleanup }) => {
    const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    return server;
  })
  .extend('open', ({ server, gateway, tenant: { key } }, { onCleanup }) => {
    const streams: Stream[] = [];
    onCleanup(() => {
      for (const stream of streams) stream.leave();
    });
    return async (transport: Transport, list: List, before?: ListClient) => {
      const type = `${list.type}Where`;
      const query = `subscription($where: ${type}, $after: Sequence) {
        ${list.field}(where: $where, after: $after) { kind sequence ids hasMore nodes { id ${list.selection} } } }`;
      const variables = { where: list.where, after: before?.sequence };
      const stream =
        transport === 'SSE'
          ? await follow(gateway, key, query, variables)
          : overSocket(`${server.url}`, key, query, variables);
      streams.push(stream);
      return new ListClient(stream, list.field, new Map(before?.rows));
    };
  });

function overSocket(url: string, key: string, query: string, variables: object): Stream {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${key}` },
  });
  const messages = client.iterate({ query, variables: variables as Record<string, unknown> });
  return {
    next: async () => (await messages.next()).value,
    leave: () => void client.dispose(),
  };
}

/** A list, and how rows enter it, change and leave. */
interface List {
  readonly type: string;
  readonly field: string;
  readonly where: object;
  readonly selection: string;
  enter(): Promise<string>;
  /** Absent where a row that matches never changes. */
  change?(id: string): Promise<unknown>;
  leave(id: string): Promise<unknown>;
}

type Lists = (session: Session) => Promise<List> | List;

/** A webhook whose endpoint refuses each event until it is to accept it. */
async function anEndpoint(session: Session, orm: Parameters<typeof createDeliverer>[0]) {
  const accepted = new Set<string>();
  const receiver = await aReceiver((response, { headers }) => {
    response.statusCode = accepted.has(headers['webhook-id'] ?? '') ? 200 : 500;
    response.end();
  });
  const { webhook } = await aWebhook(session, { url: receiver.url });
  let hours = 0;
  const attempt = async () => {
    hours += 6;
    await using deliverer = createDeliverer(orm, { allowPrivate: true, onFailure: () => {} });
    await deliverer.sweep(new Date(Date.now() + hours * 3_600_000));
  };
  const deliveryOf = async (where: object) => {
    const { em } = fresh(session);
    await sequenceEvents(em);
    return em.findOneOrFail(WebhookDelivery, { webhookId: webhook.id, ...where });
  };
  return {
    webhook,
    enter: async () => (await deliveryOf({ objectId: (await aCustomer(session)).id })).id,
    change: attempt,
    async leave(id: string) {
      accepted.add((await deliveryOf({ id })).eventId);
      await attempt();
    },
  };
}

const lists: Record<string, Lists> = {
  customers: (session) => {
    const externalIdOf = async (id: string) =>
      (await fresh(session).em.findOneOrFail(Customer, id)).externalId;
    return {
      type: 'Customer',
      field: 'customers',
      where: { archived: false },
      selection: 'name',
      enter: async () => (await aCustomer(session)).id,
      change: async (id) =>
        updateCustomer(fresh(session), {
          externalId: await externalIdOf(id),
          customer: { name: 'Eve' },
        }),
      leave: async (id) => archiveCustomer(fresh(session), { externalId: await externalIdOf(id) }),
    };
  },
  subscriptions: (session) => ({
    type: 'Subscription',
    field: 'subscriptions',
    where: { isFreePlan: false, status: { in: ['active'] } },
    selection: 'name status',
    enter: async () => (await aSubscription(session, { doNotCharge: true })).id,
    change: (id) => updateSubscription(fresh(session), { id, subscription: { name: 'Gold' } }),
    leave: (id) =>
      cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } }),
  }),
  invoices: (session) => ({
    type: 'Invoice',
    field: 'invoices',
    where: { status: { in: ['draft', 'open'] }, total: { min: 1 } },
    selection: 'status',
    enter: async () => (await aDraft(session)).id,
    change: (id) => finalizeInvoice(fresh(session), { id }),
    leave: (id) => voidInvoice(fresh(session), { id }),
  }),
  payments: (session) => ({
    type: 'Payment',
    field: 'payments',
    where: { status: { in: ['succeeded'] } },
    selection: 'status refundedAmount',
    enter: async () => {
      const { id } = await aPaidInvoice(session);
      return (await fresh(session).em.findOneOrFail(Payment, { invoice: id })).id;
    },
    change: (id) => refundPayment(fresh(session), { id, partialAmount: 100 }),
    leave: (id) => refundPayment(fresh(session), { id }),
  }),
  usageEvents: async (session) => {
    const { id } = await aSubscription(session, { doNotCharge: true });
    const { slug } = await aUsageMeter(session);
    return {
      type: 'UsageEvent',
      field: 'usageEvents',
      where: { voided: false, subscription: { is: id } },
      selection: 'amount',
      enter: async () => (await use(session, { id, slug }, 5))[0]?.id ?? '',
      leave: (event) => voidEvent(session, event),
    };
  },
};

const expectList = async (
  list: List,
  client: ListClient,
  graphql: ReturnType<typeof graphqlOf>,
) => {
  const { data, errors } = await graphql(
    `query($where: ${list.type}Where) { ${list.field}(first: 100, where: $where) { nodes { id ${list.selection} } } }`,
    { where: list.where },
  );
  expect(errors).toBeUndefined();
  const byId = (rows: { id: string }[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const listed = JSON.stringify(byId(data[list.field].nodes));
  await client.until((rows) => JSON.stringify(byId([...rows.values()])) === listed);
};

/** Rows enter, change and leave, first while the client is connected and then while it is not. */
async function followed(
  list: List,
  open: (before?: ListClient) => Promise<ListClient>,
  graphql: ReturnType<typeof graphqlOf>,
) {
  const client = await open();
  expect(await client.next()).toMatchObject({ kind: 'snapshot', ids: [], hasMore: false });
  const one = await list.enter();
  await client.until((rows) => rows.has(one));
  if (list.change) {
    await list.change(one);
    const before = JSON.stringify(client.rows.get(one));
    await client.until((rows) => JSON.stringify(rows.get(one)) !== before);
  }
  const [two, three] = [await list.enter(), await list.enter()];
  await client.until((rows) => rows.has(two) && rows.has(three));
  await list.leave(one);
  await client.until((rows) => !rows.has(one));
  await expectList(list, client, graphql);
  client.leave();

  await list.leave(two);
  await list.change?.(three);
  const four = await list.enter();
  const resumed = await open(client);
  const kinds = new Set<string>();
  await resumed.until(
    (rows) => rows.has(four) && !rows.has(two),
    (kind) => kinds.add(kind),
  );
  const five = await list.enter();
  await resumed.until((rows) => rows.has(five));
  await expectList(list, resumed, graphql);
  expect(kinds).not.toContain('snapshot');
  resumed.leave();
}

for (const transport of transports) {
  test.for(Object.keys(lists))(
    `%s enter, change, leave and resume over ${transport}`,
    async (name, { session, open, graphql }) => {
      const list = await (lists[name] as Lists)(session);
      await followed(list, (before) => open(transport, list, before), graphql);
    },
  );

  test(`deliveries enter, change, leave and resume over ${transport}`, async ({
    session,
    open,
    graphql,
    database,
  }) => {
    const endpoint = await anEndpoint(session, database.orm);
    const list: List = {
      type: 'WebhookDelivery',
      field: 'webhookDeliveries',
      where: { status: { is: 'pending' } },
      selection: 'status attemptCount',
      ...endpoint,
    };
    await followed(list, (before) => open(transport, list, before), graphql);
  });
}

test('rows that are deleted leave, and a client that was away gets the list anew', async ({
  session,
  open,
  graphql,
}) => {
  const { clockId, customerId, id, slug } = await aMeteredSubscription(session);
  await use(session, { id, slug }, 5);
  await anOpenInvoice(session, { customerId });
  await aPaidInvoice(session, { customerId });
  const { webhook } = await aWebhook(session);
  await aCustomer(session);
  await sequenceEvents(fresh(session).em);
  const fields = {
    Customer: 'customers',
    Subscription: 'subscriptions',
    Invoice: 'invoices',
    Payment: 'payments',
    UsageEvent: 'usageEvents',
    WebhookDelivery: 'webhookDeliveries',
  };
  const followed = await Promise.all(
    Object.entries(fields).map(async ([type, field]) => {
      const list = { type, field, where: {}, selection: '' } as unknown as List;
      const [stays, goes] = [await open('SSE', list), await open('WebSocket', list)];
      await stays.next();
      await goes.next();
      expect([type, stays.rows.size > 0]).toEqual([type, true]);
      goes.leave();
      return { list, stays, goes, before: stays.rows.size };
    }),
  );
  await deleteTestClock(fresh(session), { id: clockId });
  await deleteWebhook(fresh(session), { id: webhook.id });
  for (const { list, stays, goes, before } of followed) {
    await stays.until((rows) => rows.size < before);
    await expectList(list, stays, graphql);
    const resumed = await open('WebSocket', list, goes);
    await resumed.until((rows) => rows.size < before);
    await expectList(list, resumed, graphql);
  }
});
