import {
  Client,
  fetchExchange,
  makeOperation,
  mapExchange,
  type Operation,
  subscriptionExchange,
} from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { introspectionFromSchema, type OperationDefinitionNode } from 'graphql';
import { expect } from 'vitest';
import { readConfig } from '#config';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { schema } from '#schema/index.ts';
import { readTrustedDocuments } from '#server/operations/read-trusted-documents.ts';
import { aCustomer, fresh } from '../../support/factories.ts';
import { generatePage, type Page } from './codegen.ts';
import { applied, type Cached, type Change } from './live-list.ts';
import { test as base, serve, socketOf } from './service.ts';

/** A service that executes the generated documents and no others. */
const test = base
  .extend('page', { scope: 'file' }, ({ folder }) => generatePage(folder))
  .extend('trusting', { scope: 'file' }, async ({ database, hub, page }, { onCleanup }) => {
    const settings = { TRUSTED_DOCUMENTS: page.manifest, TRUSTED_DOCUMENTS_ONLY: 'all' };
    const trusted = await readTrustedDocuments(readConfig(settings), (line) => {
      throw new Error(line);
    });
    const server = await serve(database.orm, hub, { trustedDocuments: trusted });
    onCleanup(() => server[Symbol.asyncDispose]());
    return `${server.url}`;
  });

type Transport = 'SSE' | 'WebSocket';

/** A client with Graphcache that sends the id of a document in place of its text. */
function clientOf(url: string, key: string, page: Page, transport: Transport) {
  const socket = socketOf(url, key);
  const persisted = (operation: Operation) => {
    const [definition] = operation.query.definitions.filter(
      (one): one is OperationDefinitionNode => one.kind === 'OperationDefinition',
    );
    const name = definition?.name?.value as 'Customers';
    const persistedQuery = { version: 1 as const, sha256Hash: page[name].__meta__.hash };
    return makeOperation(operation.kind, { ...operation, extensions: { persistedQuery } });
  };
  const answers = { count: 0 };
  const client = new Client({
    url: `${url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${key}` } },
    fetch: async (...request) => {
      const response = await fetch(...request);
      answers.count += 1;
      return response;
    },
    fetchSubscriptions: transport === 'SSE',
    exchanges: [
      cacheExchange({
        schema: introspectionFromSchema(schema, { descriptions: false }) as never,
        resolvers: { Query: { customers: relayPagination() } },
        updates: {
          LiveUpdates: {
            customers: ({ customers }, _args, cache) => {
              cache.updateQuery<Cached>(
                { query: page.Customers, variables: { first: 2 } },
                (cached) => cached && applied(cached, customers as unknown as Change),
              );
            },
          },
        },
        optimistic: {
          updateCustomer: ({ customer }, cache) => {
            const { id, name } = customer as { id: string; name: string };
            const createdAt = cache.resolve({ __typename: 'Customer', id }, 'createdAt');
            const changed = { __typename: 'Customer', id, name, createdAt };
            return { __typename: 'UpdateCustomerPayload', customer: changed } as never;
          },
        },
      }),
      mapExchange({ onOperation: persisted }),
      ...(transport === 'WebSocket' ? [overSocket(socket)] : []),
      fetchExchange,
    ],
  });
  return { client, answers, dispose: () => socket.dispose() };
}

/** The protocol requires a text, which is empty next to an id. */
const overSocket = (socket: ReturnType<typeof socketOf>) =>
  subscriptionExchange({
    forwardSubscription: (request) => ({
      subscribe: (sink) => ({
        unsubscribe: socket.subscribe(
          { ...request, query: request.query ?? '' } as never,
          sink as never,
        ),
      }),
    }),
  });

const names = (data: { customers: { edges: { node: { name: string } }[] } } | undefined) =>
  data?.customers.edges.map(({ node }) => node.name);

test('the client preset of codegen types each scalar, and event types as an exhaustive union', ({
  page: { source },
}) => {
  expect(source).toContain('createdAt: number');
  expect(source).toContain('data: unknown');
  expect(source).toMatch(/sequence: number,\s*type: string/);
  expect(source).toContain('typeName: EventTypeName');
  expect(source).toContain("| 'customer_updated'");
  expect(source).not.toMatch(/: any\b/);
});

test.for(['SSE', 'WebSocket'] as const)(
  'urql with Graphcache and trusted documents: pages, an optimistic and repeatable mutation, and live updates over %s',
  async (transport, { trusting, tenant, session, page }) => {
    const { id, externalId } = await aCustomer(session);
    await aCustomer(session);
    await aCustomer(session);
    const { client, answers, dispose } = clientOf(trusting, tenant.key, page, transport);

    const shown: { count: number; names: string[] | undefined }[] = [];
    const first = await client.query(page.Customers, { first: 2 }).toPromise();
    expect(first.error).toBeUndefined();
    const { endCursor } = first.data.customers.pageInfo;
    const both = await client.query(page.Customers, { first: 2, after: endCursor }).toPromise();
    expect(names(both.data)).toHaveLength(3);
    const list = client.query(page.Customers, { first: 2 }, { requestPolicy: 'cache-first' });
    const watching = list.subscribe(
      ({ data }) => void shown.push({ count: answers.count, names: names(data) }),
    );

    const headers = {
      authorization: `Bearer ${tenant.key}`,
      'idempotency-key': `urql-${transport}`,
    };
    const rename = () =>
      client
        .mutation(
          page.RenameCustomer,
          { externalId, customer: { id, name: 'Grace' } },
          { fetchOptions: { headers } },
        )
        .toPromise();
    const answered = answers.count;
    const renaming = rename();
    const { error, extensions } = await renaming;
    expect(error).toBeUndefined();
    // The optimistic result has changed the list before any answer.
    const early = shown.filter(({ count }) => count === answered);
    expect(early.at(-1)?.names).toContain('Grace');
    expect(extensions?.idempotentReplayed).toBeUndefined();
    expect((await rename()).extensions?.idempotentReplayed).toBe(true);

    const live: unknown[] = [];
    const following = client
      .subscription(page.CustomerChanged, { id })
      .subscribe((result) => void live.push(result.error ?? result.data));
    let count = 0;
    await expect
      .poll(async () => {
        const other = clientOf(trusting, tenant.key, page, transport);
        const customer = { id, name: `Live ${++count}` };
        await other.client.mutation(page.RenameCustomer, { externalId, customer }).toPromise();
        return live.length;
      })
      .toBeGreaterThan(0);
    expect(live[0]).toMatchObject({
      customerChanged: { id, name: expect.stringContaining('Live') },
    });
    // The event has changed the object that the list shows, without a request.
    await expect.poll(() => shown.at(-1)?.names?.join()).toContain('Live');
    following.unsubscribe();
    watching.unsubscribe();
    await dispose();
  },
);

test.for(['SSE', 'WebSocket'] as const)(
  'urql with Graphcache: a live list keeps a cached list over %s',
  async (transport, { trusting, tenant, session, page }) => {
    const [one, two] = [await aCustomer(session), await aCustomer(session)];
    const { client, dispose } = clientOf(trusting, tenant.key, page, transport);
    let shown: [string, string][] = [];
    const watching = client.query<Cached>(page.Customers, { first: 2 }).subscribe(({ data }) => {
      shown = data?.customers.edges.map(({ node }) => [node.id, node.name]) ?? [];
    });
    await expect.poll(() => shown).toHaveLength(2);
    const kinds: string[] = [];
    const following = client
      .subscription(page.LiveCustomers, {})
      .subscribe(({ data, error }) => void kinds.push(error?.message ?? data.customers.kind));
    await expect.poll(() => kinds).toEqual(['snapshot']);
    const three = await aCustomer(session);
    await expect.poll(() => shown).toHaveLength(3);
    await archiveCustomer(fresh(session), { externalId: one.externalId });
    await expect.poll(() => shown).toHaveLength(2);
    await updateCustomer(fresh(session), {
      externalId: two.externalId,
      customer: { name: 'Grace' },
    });
    await expect
      .poll(() => shown)
      .toEqual([
        [two.id, 'Grace'],
        [three.id, 'Ada'],
      ]);
    expect(kinds).toEqual(['snapshot', 'entered', 'left', 'changed']);
    following.unsubscribe();
    watching.unsubscribe();
    await dispose();
  },
);
