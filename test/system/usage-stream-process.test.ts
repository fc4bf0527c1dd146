import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#config';
import { partitionOf } from '#domain/recording/inbox/usage-stream.ts';
import { connect as connectToDatabase, prepareDatabase } from '#server/database/database.ts';
import { embeddedUrls } from '#server/database/database-roles.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { readMessages } from '#server/usage-stream/read-messages.ts';
import { checkUsageStream } from '../../src/tools/doctor/check-usage-stream.ts';
import { preparedUrl } from '../support/database.ts';
import { dataFolder, type Settings, startService } from '../support/process.ts';
import { templateKey, testSecretsKey } from '../support/secrets.ts';
import { type Nats, natsServer, startNats } from '../support/servers/nats.ts';
import { expectExactlyOnce } from '../support/servers/numbered-events.ts';
import { startProxy } from '../support/servers/proxy.ts';

/** Calls that the stream accepts before they are counted. */
const accepted = { prefer: 'respond-async' };

const without = natsServer ? '' : ' (skipped: there is no NATS server here)';

describe.skipIf(!natsServer)(`usage that three NATS servers accept${without}`, () => {
  let nats: Nats;
  let cells = 0;
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats[Symbol.asyncDispose]());

  /** The settings of a cell of its own. */
  function aCell(DATABASE_URL: string) {
    cells += 1;
    return { ...nats.settings, TOLLGATE_CELL: `cell-${cells}`, DATABASE_URL, CRON: 'off' };
  }

  test('SIGKILL of the process that accepts: each counts once, and each read is exact', async () => {
    const settings = aCell(await preparedUrl());
    const [reader, gateway] = await startBoth(settings);
    const interrupt = async () => {
      gateway.kill('SIGKILL');
      await gateway.ended();
      return startService(settings);
    };
    await expectExactlyOnce(gateway, interrupt, accepted, reader);
  });

  test('SIGKILL of the process that moves it: each counts once, and each read is exact', async () => {
    const settings = aCell(await preparedUrl());
    const [mover, gateway] = await startBoth(settings);
    const interrupt = async () => {
      const next = await startService({ ...settings, CRON: 'on' });
      mover.kill('SIGKILL');
      await mover.ended();
      expect(next.stdout()).toContain('JetStream accepts usage');
      return gateway;
    };
    await expectExactlyOnce(gateway, interrupt, accepted, gateway);
  });

  test('SIGKILL of the NATS server that leads: each counts once, and each read is exact', async () => {
    const settings = aCell(await preparedUrl());
    const service = await startService({ ...settings, CRON: 'on' });
    const interrupt = async () => {
      const partition = await partitionIn(settings.DATABASE_URL);
      const leader = await nats.leaderOf(`usage-${settings.TOLLGATE_CELL}-${partition}`);
      await nats.servers[leader]?.kill();
      onTestFinished(async () => {
        nats.servers[leader]?.start();
        await nats.whole();
      });
      return service;
    };
    await expectExactlyOnce(service, interrupt, accepted, service);
  });

  test('SIGKILL of the NATS server of a connection, with its consumer: the reader ends', async () => {
    const name = 'one-copy';
    const urls = (nats.settings.NATS_URLS as string).split(',');
    const user = { user: 'tollgate', pass: 'change-me', maxReconnectAttempts: -1 };
    const open = async (number: number) => {
      const { host } = new URL(urls[number] as string);
      const connection = await connect({ ...user, servers: host });
      onTestFinished(() => connection.close());
      return jetstream(connection);
    };
    await nats.whole();
    const any = await open(0);
    const manager = await any.jetstreamManager();
    await manager.streams.add({ name, subjects: [name], num_replicas: 1 });
    await any.publish(name, new Uint8Array(1));
    const leader = await nats.leaderOf(name);
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const reader = readMessages(await open(leader), name, 0, stop.signal);
    expect(await reader.next()).toMatchObject({ done: false });
    onTestFinished(async () => {
      nats.servers[leader]?.start();
      await nats.whole();
    });
    await nats.servers[leader]?.kill();
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  test('one NATS server is away: a process starts and accepts usage, and the doctor names the server', async () => {
    const settings = aCell(await preparedUrl());
    await startService({ ...settings, CRON: 'on' });
    await nats.whole();
    const leader = await nats.leaderOf(`usage-${settings.TOLLGATE_CELL}-0`);
    const away = (leader + 1) % 3;
    onTestFinished(async () => {
      nats.servers[away]?.start();
      await nats.whole();
    });
    await nats.servers[away]?.kill();
    const late = await startService(settings);
    await expect
      .poll(async () => (await (await fetch(`${late.url}/ready`)).json()).usageStream)
      .toEqual({ usable: true });
    const orm = await connectToDatabase({ databaseUrl: settings.DATABASE_URL, poolSize: 2 });
    onTestFinished(() => orm.close(true));
    const check = async () => {
      const findings = await checkUsageStream(readConfig(settings).nats, orm.em.fork());
      return findings.map(({ level, found }) => `${level} ${found}`);
    };
    await expect
      .poll(check)
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(
            new RegExp(`^warning The NATS server nats-${away + 1} does not follow [1-4] streams`),
          ),
          expect.stringMatching(/^warning sync_interval: always is not checked: .* cannot be read/),
        ]),
      );
  });

  test('SIGKILL of PostgreSQL: usage is accepted meanwhile, and each counts once', async () => {
    const dataDir = await dataFolder();
    const open = () => startEmbeddedPostgres({ dataDir });
    const first = await open();
    const { ownerUrl, serviceUrl } = await embeddedUrls(first.databaseUrl);
    await prepareDatabase(ownerUrl, { serviceUrl, credential: templateKey, now: new Date() });
    const proxy = await startProxy(serviceUrl);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const settings = { ...aCell(proxy.databaseUrl), SECRETS_KEY: testSecretsKey };
    const service = await startService({ ...settings, CRON: 'on' });
    const interrupt = async () => {
      process.kill(await serverPid(dataDir), 'SIGKILL');
      await first[Symbol.asyncDispose]();
      const before = acceptedBy(service.stdout());
      await expect.poll(() => acceptedBy(service.stdout())).toBeGreaterThan(before + 20);
      const second = await open();
      onTestFinished(() => second[Symbol.asyncDispose]());
      proxy.leadTo(second.databaseUrl);
      return service;
    };
    await expectExactlyOnce(service, interrupt, accepted);
  });
});

/** A process that moves usage, and one that accepts it. */
const startBoth = (settings: Settings) =>
  Promise.all([startService({ ...settings, CRON: 'on' }), startService(settings)]);

/** How many calls the log of a process states as accepted. */
const acceptedBy = (stdout: string) => stdout.split('"status":202').length - 1;

const serverPid = async (dataDir: string) =>
  Number.parseInt(await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

/** The partition of the pricing model of the template's key. */
async function partitionIn(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(
    'select pricing_model_id as "pricingModelId" from usage_stream_model',
  );
  await client.end();
  return partitionOf(rows[0]);
}
