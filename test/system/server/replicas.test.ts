import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'graphql';
import { test as base, describe, expect, onTestFinished } from 'vitest';
import { connect } from '#server/database/database.ts';
import { openEventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { openReplicas } from '#server/replicas/replicas.ts';
import { createGateway } from '#server/yoga.ts';
import { connect as clientOf } from '../../../dashboard/client/src/connect.ts';
import { aSubscription, aUsageMeter } from '../../support/factories.ts';
import { until } from '../../support/fleet/member.ts';
import { aPair } from '../../support/servers/standby.ts';
import { aTenant } from '../../support/tenant.ts';
import { apiOf, graphqlOf } from '../../support/test.ts';

const logger = createLogger('silent');
const list = '{ customers(first: 100) { nodes { name } } }';
const create = `mutation($name: String!) { createCustomer(customer: { name: $name, email: "a@example.com",
  externalId: $name }) { customer { id } } }`;

const test = base
  .extend('pair', { scope: 'file' }, async ({}, { onCleanup }) => {
    const pair = await aPair();
    onCleanup(() => pair[Symbol.asyncDispose]());
    return pair;
  })
  .extend('orm', { scope: 'file' }, async ({ pair }, { onCleanup }) => {
    const orm = await connect({
      databaseUrl: pair.primaryUrl,
      poolSize: 10,
      statementTimeoutSeconds: 30,
    });
    onCleanup(() => orm.close(true));
    return orm;
  })
  // Two processes: the second one knows nothing of the writes of the first.
  .extend('gateways', { scope: 'file' }, async ({ pair, orm }, { onCleanup }) => {
    const opened = new AsyncDisposableStack();
    onCleanup(() => opened.disposeAsync());
    const hub = opened.use(await openEventHub(orm, pair.primaryUrl, logger));
    const open = async () => {
      const replicas = opened.use(
        await openReplicas(orm, {
          urls: [pair.replicaUrl],
          poolSize: 10,
          statementTimeoutSeconds: 30,
          longestLagSeconds: 5,
          logger,
        }),
      );
      await until('the replica to serve reads', async () => replicas.states()[0]?.usable);
      const parts = {
        orm,
        hub,
        logger,
        replicas,
        production: false,
        operationTimeLimitSeconds: 30,
      };
      return { replicas, gateway: createGateway(parts) };
    };
    return [await open(), await open()] as const;
  });

describe('reads of lists at a replica', () => {
  test('go there', { tags: ['smoke'] }, async ({ gateways, orm, pair }) => {
    const [{ gateway }] = gateways;
    const { key } = await aTenant(orm.em);
    const graphql = graphqlOf(gateway, key);
    const { data, errors } = await graphql(list);
    expect(errors).toBeUndefined();
    expect(data.customers.nodes).toEqual([]);
    const queries = (await pair.atReplica(
      `select query from pg_stat_activity where application_name = 'tollgate' order by query_start desc`,
    )) as { query: string }[];
    expect(queries.map(({ query }) => query).join('\n')).toMatch(/"customer"/);
  });

  test('with the position of a write see it at every process, also where the replica has stopped to replay', async ({
    gateways,
    orm,
    pair,
  }) => {
    const [first, second] = gateways;
    const { key } = await aTenant(orm.em);
    await pair.atReplica('select pg_wal_replay_pause()');
    try {
      const api = apiOf(first.gateway, key);
      const customer = { name: 'Ada', email: 'ada@example.com', externalId: 'ada' };
      const created = await api('POST', '/customers', { customer });
      const position = created.headers.get('tollgate-position') ?? '';
      expect(position).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
      // The process that wrote knows it by itself; another one is told by the header, and is stale without.
      expect((await api('GET', '/customers')).body.data).toHaveLength(1);
      const other = apiOf(second.gateway, key);
      expect((await other('GET', '/customers')).body.data).toHaveLength(0);
      expect((await other('GET', '/customers/ada')).status).toBe(200);
      const headers = { 'tollgate-position': position };
      const seen = await other('GET', '/customers', undefined, { headers });
      expect(seen.body.data).toHaveLength(1);
      expect(seen.headers.get('tollgate-position')).toMatch(/^[0-9A-F]+\//);
    } finally {
      await pair.atReplica('select pg_wal_replay_resume()');
    }
  });

  test('of usage count what was accepted before, which only the primary can do', async ({
    gateways,
    orm,
    pair,
  }) => {
    const [first, second] = gateways;
    const { key, session } = await aTenant(orm.em);
    const { id: subscriptionId } = await aSubscription(session, { doNotCharge: true });
    const { slug: usageMeterSlug } = await aUsageMeter(session);
    const usageEvents = [{ subscriptionId, usageMeterSlug, amount: 1, transactionId: 't1' }];
    const headers = { prefer: 'respond-async' };
    const api = apiOf(first.gateway, key);
    const accepted = await api('POST', '/usage-events/bulk', { usageEvents }, { headers });
    expect(accepted.status).toBe(202);
    const position = accepted.headers.get('tollgate-position') ?? '';
    const options = { headers: { 'tollgate-position': position } };
    const other = apiOf(second.gateway, key);
    // Once the replica has the accepted usage, the read begins there.
    await until('the replica to replay it', async () => {
      const parts = await pair.atReplica('select from usage_event_inbox');
      return parts.length > 0;
    });
    const { status, body } = await other('GET', '/usage-events', undefined, options);
    expect([status, body.total]).toEqual([200, 1]);
  });

  test('of the client package see its own writes, whichever process answers', async ({
    gateways,
    orm,
    pair,
  }) => {
    const { key } = await aTenant(orm.em);
    let turn = 0;
    const balancer = http.createServer((request, response) =>
      gateways[turn++ % 2]?.gateway(request, response),
    );
    balancer.listen(0, '127.0.0.1');
    await once(balancer, 'listening');
    onTestFinished(() => void balancer.close());
    const { port } = balancer.address() as AddressInfo;
    const connection = clientOf({ url: `http://127.0.0.1:${port}/`, token: key });
    onTestFinished(() => connection.close());
    await pair.atReplica('select pg_wal_replay_pause()');
    onTestFinished(async () => void (await pair.atReplica('select pg_wal_replay_resume()')));
    await connection.execute(parse(create) as never, { name: 'own' });
    const { data } = await connection.execute(parse(list) as never, {});
    expect(turn).toBe(2);
    expect(data).toEqual({ customers: { nodes: [{ name: 'own' }] } });
  });

  test('are never stale with positions under a stream of writes', async ({ gateways, orm }) => {
    const { key } = await aTenant(orm.em);
    const [first, second] = gateways.map(({ gateway }) => graphqlOf(gateway, key));
    if (!first || !second) throw new Error('There are two processes');
    for (let count = 0; count < 60; count++) {
      const [writer, reader] = count % 2 ? [first, second] : [second, first];
      const written = await writer(create, { name: `customer-${count}` });
      const headers = { 'tollgate-position': written.extensions.position };
      const { data, extensions } = await reader(list, {}, { headers });
      expect(data.customers.nodes).toContainEqual({ name: `customer-${count}` });
      expect(extensions.position).toBeDefined();
    }
  });

  test('pass over a replica that is too far behind, and one that is frozen while they read', async ({
    gateways,
    orm,
    pair,
  }) => {
    const [first, second] = gateways;
    const { key } = await aTenant(orm.em);
    await pair.atReplica('select pg_wal_replay_pause()');
    await graphqlOf(first.gateway, key)(create, { name: 'late' });
    await until('the replica to be too old', async () => !second.replicas.states()[0]?.usable);
    const late = await graphqlOf(second.gateway, key)(list);
    expect(late.data.customers.nodes).toHaveLength(1);
    await pair.atReplica('select pg_wal_replay_resume()');
    await until('the replica to serve again', async () => second.replicas.states()[0]?.usable);

    await pair.freeze();
    try {
      const began = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => graphqlOf(second.gateway, key)(list)),
      );
      for (const { data, errors } of answers) {
        expect(errors).toBeUndefined();
        expect(data.customers.nodes).toHaveLength(1);
      }
      expect(performance.now() - began).toBeLessThan(30_000);
    } finally {
      await pair.thaw();
    }
    await until('the replica to serve again', async () => second.replicas.states()[0]?.usable);
  });

  test('refuse a position that no answer has had', async ({ gateways, orm }) => {
    const { key } = await aTenant(orm.em);
    const headers = { 'tollgate-position': 'newest' };
    const { status, body } = await apiOf(gateways[0].gateway, key)('GET', '/customers', undefined, {
      headers,
    });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^Tollgate-Position must be the value of an earlier answer/);
  });
});
