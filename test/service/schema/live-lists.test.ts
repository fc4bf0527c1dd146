// @module-tag long
import fc from 'fast-check';
import { expect } from 'vitest';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { sqlCondition } from '#domain/kernel/lists/where.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { Event } from '#domain/model/platform/event.ts';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { unarchiveCustomer } from '#domain/platform/commands/customers/unarchive-customer.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { sendTestEvent } from '#domain/platform/commands/webhook-deliveries/send-test-event.ts';
import { rowsChangedByFeed } from '#domain/platform/feed/changed-rows.ts';
import type { FollowingSession } from '#domain/platform/feed/follow.ts';
import {
  type FollowedList,
  type ListChange,
  listChanges,
} from '#domain/platform/feed/list-changes.ts';
import { lastSequence, sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import type { EventHub } from '#server/feed/event-hub.ts';
import { follow } from '../../support/answers/follow.ts';
import { ListClient as Client } from '../../support/answers/list-client.ts';
import {
  aCustomer,
  anOpenInvoice,
  aSubscription,
  aTestClock,
  aUsageMeter,
  aWebhook,
  fresh,
} from '../../support/factories.ts';
import { test as base, graphqlOf } from '../../support/test.ts';
import { advance } from '../../support/timeline.ts';
import { use, voidEvent } from '../../support/usage.ts';

// biome-ignore lint/suspicious/noExplicitAny: a message's shape is what the test is about
type Json = any;

const test = base.extend('open', ({ gateway, tenant }, { onCleanup }) => {
  const clients: Client[] = [];
  onCleanup(() => {
    for (const client of clients) client.leave();
  });
  return async (
    field: string,
    selection: string,
    { key = tenant.key, rows, headers, ...args }: Json = {},
  ) => {
    const given = Object.entries(args).map(([name, value]) => `${name}: ${literal(value)}`);
    const list = given.length > 0 ? `(${given.join(', ')})` : '';
    const query = `subscription { ${field}${list} { kind sequence ids hasMore nodes { id ${selection} } } }`;
    const client = new Client(await follow(gateway, key, query, {}, headers), field, rows);
    clients.push(client);
    return client;
  };
});

/** A value as GraphQL writes it; `$name` is an enum value. */
function literal(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string' && value.startsWith('$')) return value.slice(1);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, value]) => `${name}: ${literal(value)}`)
    .join(', ')}}`;
}

test('a list starts with a snapshot in its order, and rows enter, change and leave with their sequence', async ({
  session,
  open,
}) => {
  const [one, two] = [await aCustomer(session), await aCustomer(session)];
  const client = await open('customers', 'name', { orderBy: '$created_at_desc', first: 1 });
  expect(await client.next()).toMatchObject({ kind: 'snapshot', ids: [two.id], hasMore: true });
  const three = await aCustomer(session);
  const entered = await client.next();
  expect(entered).toMatchObject({ kind: 'entered', nodes: [{ id: three.id, name: 'Ada' }] });
  await updateCustomer(fresh(session), { externalId: two.externalId, customer: { name: 'Eve' } });
  const changed = await client.next();
  expect(changed).toMatchObject({ kind: 'changed', nodes: [{ id: two.id, name: 'Eve' }] });
  expect(changed.sequence).toBeGreaterThan(entered.sequence);
  await archiveCustomer(fresh(session), { externalId: three.externalId });
  expect(await client.next()).toMatchObject({ kind: 'left', ids: [three.id], nodes: [] });
  // A row beyond the snapshot enters when it changes.
  await updateCustomer(fresh(session), { externalId: one.externalId, customer: { name: 'Bob' } });
  expect(await client.next()).toMatchObject({ kind: 'entered', ids: [one.id] });
});

test('invoices, payments and subscriptions are followed', async ({ session, open }) => {
  const [invoices, payments, subscriptions] = [
    await open('invoices', 'status customer { name } lineItems { amount }'),
    await open('payments', 'status'),
    await open('subscriptions', 'name status'),
  ];
  for (const client of [invoices, payments, subscriptions]) {
    expect(await client.next()).toMatchObject({ kind: 'snapshot', ids: [], hasMore: false });
  }
  const { id } = await anOpenInvoice(session);
  await invoices.until((rows) => rows.get(id)?.status === 'open');
  await payInvoice(fresh(session), { id });
  await invoices.until((rows) => rows.get(id)?.status === 'paid');
  expect(invoices.rows.get(id)).toMatchObject({
    customer: { name: 'Ada' },
    lineItems: [{ amount: 1_000 }],
  });
  await payments.until((rows) => [...rows.values()].some(({ status }) => status === 'succeeded'));
  const subscription = await aSubscription(session, { doNotCharge: true, name: 'Gold' });
  await subscriptions.until((rows) => rows.get(subscription.id)?.name === 'Gold');
});

test('every row of a bulk call enters, and a voided event changes', async ({ session, open }) => {
  const { id } = await aSubscription(session, { doNotCharge: true });
  const [user, other] = [await aUsageMeter(session), await aUsageMeter(session)];
  const client = await open('usageEvents', 'amount voidedAt');
  await client.next();
  const [single] = await use(session, { id, slug: other.slug }, 5);
  const recorded = await use(
    session,
    { id, slug: user.slug },
    ...Array.from({ length: 1_201 }, () => 1),
  );
  await client.until((rows) => rows.size === 1_202);
  expect([...client.rows.keys()].toSorted()).toEqual(
    [single, ...recorded].map((event) => event?.id).toSorted(),
  );
  await voidEvent(session, single?.id ?? '');
  await client.until((rows) => rows.get(single?.id ?? '')?.voidedAt != null);
});

test('deliveries enter when their event is sequenced', async ({ session, open }) => {
  const { webhook } = await aWebhook(session);
  const client = await open('webhookDeliveries', 'webhookId eventType');
  expect(await client.next()).toMatchObject({ kind: 'snapshot', ids: [] });
  await sendTestEvent(fresh(session), { id: webhook.id });
  const change = await client.next();
  expect(change).toMatchObject({
    kind: 'entered',
    nodes: [{ webhookId: webhook.id, eventType: 'webhook.test' }],
  });
});

test('a client that resumes gets all that changed meanwhile, and no snapshot', async ({
  session,
  open,
}) => {
  const [one, two] = [await aCustomer(session), await aCustomer(session)];
  const before = await open('customers', 'name');
  await before.next();
  before.leave();
  await archiveCustomer(fresh(session), { externalId: one.externalId });
  await updateCustomer(fresh(session), { externalId: two.externalId, customer: { name: 'Eve' } });
  const three = await aCustomer(session);
  for (const resumed of [
    { after: before.sequence },
    { headers: { 'last-event-id': String(before.sequence) } },
  ]) {
    const client = await open('customers', 'name', { rows: new Map(before.rows), ...resumed });
    expect((await client.next()).kind).toBe('left');
    await client.until((rows) => rows.has(three.id));
    expect([...client.rows.values()]).toEqual([
      { id: two.id, name: 'Eve' },
      { id: three.id, name: 'Ada' },
    ]);
  }
});

/** The sequence of the last event of a customer of a tenant; other tests write theirs at the same time. */
async function lastOwn({ em, pricingModelId }: Session): Promise<number> {
  const [row] = await em
    .fork()
    .execute<[{ last: string }]>(
      `select max(sequence) as last from event where pricing_model_id = ? and object_type = 'Customer'`,
      [pricingModelId],
    );
  return Number(row.last);
}

/** A customer that is archived meanwhile cannot be changed. */
function isNoCustomer(error: unknown) {
  if (!(error instanceof DomainError)) throw error;
}

test('whatever is written concurrently, the rows of a client equal the list', async ({
  session,
  open,
  graphql,
}) => {
  const step = fc.record({
    who: fc.nat(3),
    what: fc.constantFrom('rename', 'archive', 'unarchive', 'create'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 20 }),
      fc.nat(19),
      async (steps, cut) => {
        const customers: Customer[] = [];
        for (let n = 0; n < 4; n++) customers.push(await aCustomer(session));
        const writing = Promise.all(
          steps.map(async ({ who, what }, index) => {
            const { id, externalId } = customers[who] as Customer;
            const name = `Name ${index}`;
            if (what === 'create') await aCustomer(session);
            if (what === 'rename')
              await updateCustomer(fresh(session), { externalId, customer: { name } }).catch(
                isNoCustomer,
              );
            if (what === 'archive') await archiveCustomer(fresh(session), { externalId });
            if (what === 'unarchive')
              await unarchiveCustomer(fresh(session), { id }).catch(isNoCustomer);
          }),
        );
        let client = await open('customers', 'name', { first: 1_000 });
        await client.next();
        if (cut < steps.length) {
          // The connection is lost in the middle, and the client resumes from the last sequence.
          client.leave();
          client = await open('customers', 'name', { rows: client.rows, after: client.sequence });
        }
        await writing;
        await aCustomer(session);
        await sequenceEvents(fresh(session).em);
        const last = await lastOwn(session);
        // The rows of one batch follow each other, and the last of them states how far it reaches.
        await client.until(() => client.sequence >= last);
        const listed: Json[] = [];
        for (let after: string | null = null; ; ) {
          const { data }: Json = await graphql(
            'query($after: String) { customers(first: 100, after: $after) { nodes { id name } pageInfo { hasNextPage endCursor } } }',
            { after },
          );
          listed.push(...data.customers.nodes);
          if (!data.customers.pageInfo.hasNextPage) break;
          after = data.customers.pageInfo.endCursor;
        }
        const byId = (rows: Json[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect(byId([...client.rows.values()])).toEqual(byId(listed));
        client.leave();
      },
    ),
    { numRuns: 8 },
  );
});

const tenantOf = ({ organizationId, pricingModelId, livemode }: Session) => ({
  organizationId,
  pricingModelId,
  livemode,
  credentialId: 'mine',
  expiresAt: null,
});

/** A session that follows the feed, without the buffers of a connection. */
function followingOf(session: Session, hub: EventHub): FollowingSession {
  const tenant = tenantOf(session);
  return {
    ...fresh(session),
    clock: { latest: session.now },
    follow: (filter, after) => hub.follow({ ...filter, ...tenant }, after),
  };
}

test('a reader that is slower than the feed misses nothing, and ends with its key', async ({
  session,
  hub,
}) => {
  const customers: Customer[] = [];
  for (let n = 0; n < 40; n++) customers.push(await aCustomer(session));
  const following = followingOf(session, hub);
  const list = { entity: Customer, first: 100, input: async () => ({}) };
  const types = ['customer.created', 'customer.updated'] as const;
  const idsOf = (_session: Session, events: readonly Event[]) => [
    [...new Set(events.map(({ objectId }) => objectId))],
  ];
  const changed = await rowsChangedByFeed(following, { types, idsOf }, undefined);
  const changes = listChanges(following, list, changed);
  expect((await changes.next()).value?.ids).toHaveLength(40);
  const { organizationId, pricingModelId, livemode, em } = fresh(session);
  const overflow = async (part: string) => {
    // More events than the feed queues for one follower, while nothing is read.
    for (let n = 0; n < 40; n++) {
      await em.execute(
        `insert into event (id, type, object_type, object_id, object_version, data, customer_id, livemode,
           organization_id, pricing_model_id, occurred_at)
         select 'evt_' || id || ?, 'customer.updated', 'Customer', id, 1, '{}', id, ?, ?, ?, now()
         from customer where pricing_model_id = ?`,
        [part + n, livemode, organizationId, pricingModelId, pricingModelId],
      );
    }
    const { externalId } = customers[7] as Customer;
    await updateCustomer(fresh(session), { externalId, customer: { name: part } });
    // The hub has handed out all of them once it has handed out one that follows.
    await sequenceEvents(fresh(session).em);
    const before = (await lastOwn(session)) - 1;
    const seen = await hub.follow({ ...tenantOf(session), types: ['customer.updated'] }, before);
    await seen.next();
    await seen.return?.();
  };
  // The first event is taken, so that the reader follows.
  const first = changes.next();
  await overflow('one');
  await first;
  await overflow('two');
  for (;;) {
    const { rows } = (await changes.next()).value as ListChange<Customer>;
    if (rows.find(({ id }) => id === customers[7]?.id)?.name === 'two') break;
  }
  // A key that is revoked while nothing is read is noticed, although the feed has forgotten the follower.
  await overflow('three');
  hub.dismiss('mine');
  const ended = async () => {
    while (!(await changes.next()).done);
  };
  await expect(ended()).rejects.toThrow('revoked or has expired');
});

test('a row enters and leaves when time alone changes the condition, also on a test clock and while away', async ({
  session,
  hub,
}) => {
  const clock = await aTestClock(session, new Date('2026-01-01T10:00:00Z'));
  const onClock = await aCustomer(session, { testClockId: clock.id });
  const [timed, present] = [
    await anOpenInvoice(session, { customerId: onClock.id }),
    await anOpenInvoice(session),
  ];
  const soon = new Date(Date.now() + 1_500);
  const { em } = fresh(session);
  await em.nativeUpdate(Invoice, { id: timed.id }, { dueDate: new Date('2026-01-15T10:00:00Z') });
  await em.nativeUpdate(Invoice, { id: present.id }, { dueDate: soon });
  const following = followingOf(session, hub);
  const follow = async (overdue: boolean, after?: number) => {
    const list: FollowedList<Invoice> = {
      entity: Invoice,
      first: 10,
      timed: { property: 'dueDate', column: 'due_date', rows: { status: 'open' } },
      input: async ({ now }) => ({
        condition: sqlCondition(
          (row) => `${row}.status = 'open' and (${row}.due_date < coalesce((select c.frozen_time
            from customer o join test_clock c on c.id = o.test_clock_id where o.id = ${row}.customer_id), ?)) = ?`,
          [now, overdue],
        ),
      }),
    };
    const feed = {
      types: ['invoice.created', 'invoice.updated', 'invoice.paid'] as const,
      idsOf: (_session: Session, events: readonly Event[]) => [events.map((one) => one.objectId)],
      clocks: true,
    };
    const changes = listChanges(
      following,
      list,
      await rowsChangedByFeed(following, feed, after),
      after,
    );
    return {
      next: async () => {
        const { value } = await changes.next();
        return [value?.kind, ...(value?.ids ?? [])];
      },
      leave: () => changes.return?.(),
    };
  };
  await sequenceEvents(fresh(session).em);
  const before = await lastSequence(fresh(session).em);
  const [overdue, pending] = [await follow(true), await follow(false)];
  expect(await overdue.next()).toEqual(['snapshot']);
  expect((await pending.next()).toSorted()).toEqual(['snapshot', timed.id, present.id].toSorted());
  // By the present.
  expect(await overdue.next()).toEqual(['entered', present.id]);
  expect(await pending.next()).toEqual(['left', present.id]);
  expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime() - 5);
  // By the clock.
  await advance(session, clock.id, '2026-01-20');
  expect(await overdue.next()).toEqual(['entered', timed.id]);
  expect(await pending.next()).toEqual(['left', timed.id]);
  // While the client was away.
  const resumed = await follow(true, before);
  const found = [await resumed.next(), await resumed.next()];
  expect(new Set(found.flat())).toEqual(new Set(['entered', timed.id, present.id]));
  for (const client of [overdue, pending, resumed]) await client.leave();
});

test('a customer token follows its own rows only, and the list ends with it', async ({
  session,
  open,
  graphql,
  gateway,
}) => {
  const [own, other] = [await aCustomer(session), await aCustomer(session)];
  const { data } = await graphql(
    'mutation($customer: ID!) { createCustomerToken(customer: $customer) { token customerToken { id } } }',
    { customer: own.id },
  );
  const { token: key, customerToken } = data.createCustomerToken;
  const client = await open('invoices', 'customerId', { key });
  expect(await client.next()).toMatchObject({ kind: 'snapshot', ids: [] });
  await anOpenInvoice(session, { customerId: other.id });
  const { id } = await anOpenInvoice(session, { customerId: own.id });
  expect(await client.next()).toMatchObject({ kind: 'entered', ids: [id] });
  const refused = await graphqlOf(gateway, key)('subscription { webhookDeliveries { kind } }');
  expect(refused.errors[0].extensions.code).toBe('FORBIDDEN');
  await graphql('mutation($id: ID!) { revokeCustomerToken(id: $id) { customerToken { id } } }', {
    id: customerToken.id,
  });
  await expect(client.until(() => false)).rejects.toThrow('revoked or has expired');
});

test('the rows of a snapshot count for the cost of a document, and its size is limited', async ({
  session,
  open,
}) => {
  await aCustomer(session);
  const page = (fields: string) => `(first: 100) { nodes { ${fields} } }`;
  const below = `subscriptionsPage${page(`invoices${page('id')}`)}`;
  await (await open('customers', below, { first: 1 })).next();
  const many = await open('customers', below, { first: 1_000 });
  await expect(many.next()).rejects.toThrow('cost');
  const tooMany = await open('customers', 'name', { first: 1_001 });
  await expect(tooMany.next()).rejects.toThrow('must be from 1 to 1000');
});
