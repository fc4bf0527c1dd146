import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { describe, test } from 'vitest';
import { preparedUrl } from '../support/database.ts';
import { dataFolder, startService } from '../support/process.ts';
import { templateKey } from '../support/secrets.ts';
import { expectExactlyOnce } from '../support/servers/numbered-events.ts';

/** Calls that store their events and are answered before these are counted. */
const accepted = { prefer: 'respond-async' };

describe('a client that numbers its events and sends each until it is acknowledged', () => {
  test('SIGKILL of the process: each is there exactly once, and the balance is exact', async () => {
    const settings = { DATABASE_URL: await preparedUrl(), CRON: 'off' };
    const service = await startService(settings);
    await expectExactlyOnce(service, async () => {
      service.kill('SIGKILL');
      await service.ended();
      return startService(settings);
    });
  });

  test('SIGKILL of PostgreSQL: each is there exactly once, and the balance is exact', async () => {
    const DATA_DIR = await dataFolder();
    const settings = { BOOTSTRAP_SECRET_KEY: templateKey, DATA_DIR, CRON: 'off' };
    const service = await startService(settings);
    await expectExactlyOnce(service, async () => {
      process.kill(await serverPid(DATA_DIR), 'SIGKILL');
      await service.ended();
      return startService(settings);
    });
  });
});

describe('a client whose usage is accepted before it is counted', () => {
  test('SIGKILL of the process that accepts: each accepted event counts once', async () => {
    const settings = { DATABASE_URL: await preparedUrl(), CRON: 'off' };
    await startService({ ...settings, CRON: 'on' });
    const service = await startService(settings);
    const interrupt = async () => {
      service.kill('SIGKILL');
      await service.ended();
      return startService(settings);
    };
    await expectExactlyOnce(service, interrupt, accepted);
  });

  test('SIGKILL of the process that counts: each accepted event counts once', async () => {
    const settings = { DATABASE_URL: await preparedUrl(), CRON: 'on' };
    const service = await startService({ ...settings, CRON: 'off' });
    const interrupt = async () => {
      const writer = await startService(settings);
      await isCounting(settings.DATABASE_URL);
      writer.kill('SIGKILL');
      await writer.ended();
      return service;
    };
    await expectExactlyOnce(service, interrupt, accepted);
  });

  test('SIGKILL of PostgreSQL: each accepted event counts once', async () => {
    const DATA_DIR = await dataFolder();
    const settings = { BOOTSTRAP_SECRET_KEY: templateKey, DATA_DIR, CRON: 'on' };
    const service = await startService(settings);
    const interrupt = async () => {
      process.kill(await serverPid(DATA_DIR), 'SIGKILL');
      await service.ended();
      return startService(settings);
    };
    await expectExactlyOnce(service, interrupt, accepted);
  });
});

/** Waits until a process has a lease that is new: it counts now. */
async function isCounting(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const fresh = `select from usage_event_inbox_lease where until > now() + interval '14 seconds'`;
  while ((await client.query(fresh)).rowCount === 0) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await client.end();
}

const serverPid = async (dataDir: string) =>
  Number.parseInt(await fs.readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
