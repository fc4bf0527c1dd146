import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, Observable } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { print } from 'graphql';
import { createClient } from 'graphql-sse';
import { expect } from 'vitest';
import { archiveCustomer } from '#domain/platform/commands/customers/archive-customer.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { aCustomer, fresh } from '../../support/factories.ts';
import { generatePage, type Page } from './codegen.ts';
import { applied, type Cached } from './live-list.ts';
import { test as base, socketOf } from './service.ts';

const test = base.extend('page', { scope: 'file' }, ({ folder }) => generatePage(folder));

/** Apollo Client has no link for SSE, so this one wraps graphql-sse. */
function sseLink(url: string, headers: Record<string, string>) {
  const client = createClient({ url: `${url}/graphql`, headers, retryAttempts: 0 });
  const link = new ApolloLink(
    ({ query, variables, operationName }) =>
      new Observable((sink) =>
        client.subscribe(
          { query: print(query), variables, operationName: operationName ?? '' },
          {
            next: (result: unknown) => sink.next(result as never),
            complete: () => sink.complete(),
            error: (error: unknown) => sink.error(error),
          },
        ),
      ),
  );
  return { link, dispose: () => client.dispose() };
}

function clientOf(url: string, key: string, transport: 'SSE' | 'WebSocket') {
  const headers = { authorization: `Bearer ${key}` };
  const socket = socketOf(url, key);
  const sse = sseLink(url, headers);
  const live = transport === 'SSE' ? sse.link : new GraphQLWsLink(socket);
  const http = new HttpLink({ uri: `${url}/graphql`, headers });
  const client = new ApolloClient({
    cache: new InMemoryCache({
      typePolicies: {
        Query: { fields: { customers: relayStylePagination(['where', 'orderBy']) } },
        LiveUpdates: { subscriptionType: true },
      },
    }),
    link: ApolloLink.split(({ operationType }) => operationType === 'subscription', live, http),
  });
  const dispose = async () => {
    client.stop();
    sse.dispose();
    await socket.dispose();
  };
  return { client, dispose };
}

const namesIn = (client: ApolloClient, { Customers }: Page) =>
  client
    .readQuery({ query: Customers, variables: { first: 2 } })
    ?.customers.edges.map(({ node }: { node: { name: string } }) => node.name);

test.for(['SSE', 'WebSocket'] as const)(
  'Apollo Client: pages, an optimistic and repeatable mutation, and live updates over %s',
  async (transport, { url, tenant, session, page }) => {
    const { id, externalId } = await aCustomer(session);
    await aCustomer(session);
    await aCustomer(session);
    const { client, dispose } = clientOf(url, tenant.key, transport);

    const list = client.watchQuery({ query: page.Customers, variables: { first: 2 } });
    const watching = list.subscribe(() => {});
    await expect.poll(() => namesIn(client, page)).toHaveLength(2);
    const { endCursor } = namesIn(client, page) && list.getCurrentResult().data.customers.pageInfo;
    await list.fetchMore({ variables: { after: endCursor } });
    expect(namesIn(client, page)).toHaveLength(3);

    const rename = (name: string, key?: string) =>
      client.mutate({
        mutation: page.RenameCustomer,
        variables: { externalId, customer: { name } },
        context: { headers: key ? { 'idempotency-key': key } : {} },
        optimisticResponse: {
          __typename: 'Mutation',
          updateCustomer: {
            __typename: 'UpdateCustomerPayload',
            customer: { __typename: 'Customer', id, name, createdAt: 0 },
          },
        },
      });
    const renaming = rename('Grace', `apollo-${transport}`);
    expect(list.getCurrentResult().data.customers.edges[0].node.name).toBe('Grace');
    const { error, data, extensions } = await renaming;
    expect(error).toBeUndefined();
    expect(data.updateCustomer.customer.createdAt).toBeGreaterThan(0);
    expect(extensions?.idempotentReplayed).toBeUndefined();
    const repeated = await rename('Grace', `apollo-${transport}`);
    expect(repeated.extensions?.idempotentReplayed).toBe(true);

    const live: unknown[] = [];
    const following = client
      .subscribe({ query: page.CustomerChanged, variables: { id } })
      .subscribe(({ error, data }) => void live.push(error ?? data));
    const other = clientOf(url, tenant.key, transport);
    let count = 0;
    await expect
      .poll(async () => {
        await other.client.mutate({
          mutation: page.RenameCustomer,
          variables: { externalId, customer: { name: `Live ${++count}` } },
        });
        return live.length;
      })
      .toBeGreaterThan(0);
    expect(live[0]).toMatchObject({
      customerChanged: { id, name: expect.stringContaining('Live') },
    });
    await expect.poll(() => namesIn(client, page).join()).toContain('Live');
    following.unsubscribe();
    watching.unsubscribe();
    await other.dispose();
    await dispose();
  },
);

test.for(['SSE', 'WebSocket'] as const)(
  'Apollo Client: a live list keeps a cached list over %s',
  async (transport, { url, tenant, session, page }) => {
    const [one, two] = [await aCustomer(session), await aCustomer(session)];
    const { client, dispose } = clientOf(url, tenant.key, transport);
    const shown = () =>
      client
        .readQuery<Cached>({ query: page.Customers, variables: { first: 2 } })
        ?.customers.edges.map(({ node }) => [node.id, node.name]);
    await client.query({ query: page.Customers, variables: { first: 2 } });
    const kinds: string[] = [];
    const following = client.subscribe({ query: page.LiveCustomers }).subscribe(({ data }) => {
      kinds.push(data.customers.kind);
      client.cache.updateQuery<Cached>(
        { query: page.Customers, variables: { first: 2 } },
        (cached) => cached && applied(cached, data.customers),
      );
    });
    await expect.poll(() => kinds).toEqual(['snapshot']);
    const three = await aCustomer(session);
    await expect.poll(shown).toHaveLength(3);
    await archiveCustomer(fresh(session), { externalId: one.externalId });
    await expect.poll(shown).toHaveLength(2);
    await updateCustomer(fresh(session), {
      externalId: two.externalId,
      customer: { name: 'Grace' },
    });
    await expect.poll(shown).toEqual([
      [two.id, 'Grace'],
      [three.id, 'Ada'],
    ]);
    expect(kinds).toEqual(['snapshot', 'entered', 'left', 'changed']);
    following.unsubscribe();
    await dispose();
  },
);

test('Apollo Client sends the text of a document whose hash the service does not know', async ({
  url,
  tenant,
  page,
}) => {
  const http = new HttpLink({
    uri: `${url}/graphql`,
    headers: { authorization: `Bearer ${tenant.key}` },
  });
  const persisted = new PersistedQueryLink({ generateHash: () => 'unknown' });
  const client = new ApolloClient({ cache: new InMemoryCache(), link: persisted.concat(http) });
  const { data } = await client.query({ query: page.Customers, variables: { first: 1 } });
  expect(data.customers.totalCount).toBe(0);
  client.stop();
});
