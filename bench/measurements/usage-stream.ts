import pg from 'pg';
import { natsServer, startNats } from '../../test/support/servers/nats.ts';
import { bareInserts } from '../baselines/bare-usage.ts';
import { startMeasuredService } from '../running/service.ts';
import { type Accepting, accept, report } from './accepted-usage.ts';
import { subscribed } from './usage.ts';

const seconds = 8;
const subscriptions = 100;

/**
 * Usage that JetStream accepts, beside the inbox of the database and in one run with its baseline: in hundreds, by one
 * process. The servers write each message to the disk, as the delivered configuration demands.
 */
export async function usageStream() {
  if (!natsServer) throw new Error('This benchmark needs a NATS server, which is not available');
  const bare = await ofInbox();
  for (const size of [1, 3]) await ofStream(size, bare);
}

async function ofInbox(): Promise<number> {
  await using service = await startMeasuredService(1);
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 8 });
  const bare = await bareInserts(pool, seconds).finally(() => pool.end());
  report('bare unnest of 1,000, 8 connections', bare, bare);
  report('the inbox, in hundreds', await inHundreds(service), bare);
  return bare;
}

async function ofStream(size: number, bare: number) {
  await using nats = await startNats({ size });
  const settings = { ...nats.settings, NATS_REPLICAS: String(size), TOLLGATE_CELL: 'bench' };
  await using service = await startMeasuredService(1, settings);
  const name = size === 1 ? 'one NATS server' : `${size} NATS servers`;
  report(`${name}, in hundreds`, await inHundreds(service), bare);
}

async function inHundreds(service: Accepting): Promise<number> {
  const ids = await subscribed(service, subscriptions);
  await accept(service, ids, 100, 3);
  return accept(service, ids, 100, seconds);
}
