import pg from 'pg';
import { expect } from 'vitest';
import { createApiKey } from '#domain/platform/commands/api-keys/create-api-key.ts';
import { revokeApiKey } from '#domain/platform/commands/api-keys/revoke-api-key.ts';
import { dryRun } from '#domain/platform/feed/dry-run.ts';
import { connect } from '#server/database/database.ts';
import type { CheckedPool } from '#server/database/pool.ts';
import { readPayload } from '#server/database/wake-ups.ts';
import { openEventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { aResource, fresh } from '../../../support/factories.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test as base } from '../../../support/test.ts';

/** The notifications that other processes receive. */
const test = base.extend('notifications', async ({ database }, { onCleanup }) => {
  const client = new pg.Client(database.databaseUrl);
  await client.connect();
  onCleanup(() => client.end());
  const received: string[] = [];
  client.on('notification', ({ payload = '' }) => received.push(readPayload(payload).sender));
  await client.query('listen tollgate_event');
  return received;
});

test('commits wake other processes together, and what is rolled back wakes none', async ({
  database: { databaseUrl },
  notifications,
}) => {
  const orm = await connect({ databaseUrl, poolSize: 4 });
  try {
    const { session } = await aTenant(orm.em);
    const { wakeUps } = (await orm.em.getConnection().getNativeClient()) as CheckedPool;
    const settled = async () => {
      await wakeUps.flush();
      const mark = crypto.randomUUID();
      await orm.em.execute(`select pg_notify('tollgate_event', ?)`, [mark]);
      await expect.poll(() => notifications).toContain(mark);
      return notifications.indexOf(mark);
    };
    const before = await settled();
    expect(before).toBeGreaterThan(0);
    await dryRun(fresh(session), (planned) => aResource(planned, { slug: 'planned' }));
    const failed = fresh(session).em.transactional(async (em) => {
      await aResource({ ...fresh(session), em }, { slug: 'failed' });
      throw new Error('Not to be kept');
    });
    await expect(failed).rejects.toThrow('Not to be kept');
    const undone = await settled();
    expect(undone - before).toBe(1);

    const written = 60;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: written }, (_, n) => aResource(fresh(session), { slug: `r-${n}` })),
    );
    const most = Math.ceil((performance.now() - began) / 10) + 2;
    const sent = (await settled()) - undone - 1;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(Math.min(most, written));
  } finally {
    await orm.close();
  }
});

test('a program that ends at once wakes other processes first', async ({
  database: { databaseUrl },
  notifications,
}) => {
  const orm = await connect({ databaseUrl, poolSize: 2 });
  await aTenant(orm.em);
  await orm.close();
  await expect.poll(() => notifications.length).toBeGreaterThan(0);
});

test('those that are woken do not run within the transaction that wakes them', async ({
  database: { databaseUrl },
}) => {
  const orm = await connect({ databaseUrl, poolSize: 1 });
  try {
    const { wakeUps } = (await orm.em.getConnection().getNativeClient()) as CheckedPool;
    const within: boolean[] = [];
    wakeUps.onCommit(() => within.push(orm.em.isInTransaction()));
    await aTenant(orm.em);
    expect(new Set(within)).toEqual(new Set([false]));
  } finally {
    await orm.close();
  }
});

test('another process learns of a revoked key', async ({ database: { databaseUrl }, session }) => {
  const other = await connect({ databaseUrl, poolSize: 2 });
  try {
    await using hub = await openEventHub(other, databaseUrl, createLogger('silent'));
    const dismissed = new Promise<string>((resolve) => {
      hub.onEach('api_key.updated', ({ objectId }) => resolve(objectId));
    });
    const { apiKey } = await createApiKey(fresh(session), {
      apiKey: { name: 'A', type: 'secret' },
    });
    await revokeApiKey(fresh(session), { id: apiKey.id });
    expect(await dismissed).toBe(apiKey.id);
  } finally {
    await other.close();
  }
});
