import pg from 'pg';
import { expect } from 'vitest';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { aSubscription } from '../../support/factories.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it locks a table that all write').extend(
  'url',
  async ({ database: { orm }, hub }, { onCleanup }) => {
    const logger = createLogger('silent');
    const gateway = createGateway({
      orm,
      hub,
      logger,
      production: true,
      operationTimeLimitSeconds: 30,
    });
    const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    return server.url;
  },
);

/** The connections of the present database that wait for a lock to write an event. */
const dryRunWaits = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into cause%'`;

test.for(['graphql', 'rest'] as const)(
  'A dry run (%s) ends when its caller goes, so that the next one has the locks of its customer',
  async (way, { url, tenant, session, database }) => {
    const { id, customerId } = await aSubscription(session, {});
    const cancel = (signal?: AbortSignal) => {
      const query =
        'mutation($id: ID!) { cancelSubscription(id: $id, cancellation: { timing: immediately }) { subscription { status } } }';
      const body =
        way === 'graphql'
          ? { query, variables: { id } }
          : { cancellation: { timing: 'immediately' } };
      return fetch(
        new URL(way === 'graphql' ? '/graphql' : `/api/v1/subscriptions/${id}/cancel`, url),
        {
          method: 'POST',
          headers: {
            authorization: tenant.key,
            'content-type': 'application/json',
            prefer: 'dry-run',
          },
          body: JSON.stringify(body),
          ...(signal && { signal }),
        },
      );
    };
    const admin = new pg.Client({ connectionString: database.databaseUrl });
    await admin.connect();
    try {
      // The dry run has the locks of its customer when it waits to write an event.
      await admin.query('begin; lock table event in share mode');
      const leaving = new AbortController();
      const left = cancel(leaving.signal).catch((error: Error) => error.name);
      // The numbering of earlier events may wait, too.
      const waits = async () => {
        // A transaction keeps the activity that it has seen.
        await admin.query('select pg_stat_clear_snapshot()');
        return (await admin.query(dryRunWaits)).rowCount;
      };
      await expect.poll(waits).toBe(1);
      leaving.abort();
      expect(await left).toBe('AbortError');
      // A statement gives a lock up by itself after 15 s. The rollback follows the end of the wait.
      await expect.poll(waits, { timeout: 8_000 }).toBe(0);
      await admin.query("set local lock_timeout = '5s'");
      await admin.query('select 1 from customer where id = $1 for update', [customerId]);
      await admin.query('rollback');

      const next = await cancel();
      expect(await next.json()).toMatchObject(
        way === 'graphql'
          ? { data: { cancelSubscription: { subscription: { status: 'canceled' } } } }
          : { subscription: { status: 'canceled' } },
      );
    } finally {
      await admin.end();
    }
  },
);
