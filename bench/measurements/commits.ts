import type { MikroORM } from '@mikro-orm/postgresql';
import { newId } from '#domain/kernel/ids.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { connect } from '#server/database/database.ts';
import { freePort, startProgram } from '../running/processes.ts';
import { secretsKey } from '../running/secrets-key.ts';
import { startReplicated } from '../running/standby.ts';
import { type Caller, load, subscribed, usageEvent } from './usage.ts';

const clients = [1, 16, 64] as const;
const rounds = 3;
const secondsEach = 5;
const columns = `(id, type, object_type, object_id, object_version, data, livemode, organization_id, pricing_model_id,
  occurred_at) values ($1, 'customer.updated', 'Customer', $2, 1, '{"name":"Bench"}', $3, $4, $5, now())`;
/** The table of the feed, and one with the same columns and indexes but without triggers. */
const tables = { events: 'event', bare: 'bare_event' } as const;
type Side = keyof typeof tables;

const key = 'sk_test_fake_key_for_the_benchmark_only';

/**
 * Transactions that insert one event each, behind a synchronous standby with a round trip of 2 ms. The baseline
 * inserts into a table without triggers. The service runs in a process of its own and follows the feed meanwhile. Then
 * usage events of one organization over REST, one in a call: calls that arrive meanwhile share a commit.
 */
export async function commits() {
  await using opened = new AsyncDisposableStack();
  const databaseUrl = await startReplicated(opened);
  const port = String(await freePort());
  opened.use(
    await startProgram(
      'src/main.ts',
      [],
      {
        DATABASE_URL: databaseUrl,
        PORT: port,
        BOOTSTRAP_SECRET_KEY: key,
        SECRETS_KEY: secretsKey,
        LOG_LEVEL: 'warn',
        CRON: 'off',
        RATE_LIMIT_SECRET: '1000000',
      },
      `http://127.0.0.1:${port}/ready`,
    ),
  );
  const orm = await connect({ databaseUrl, poolSize: clients[2] });
  opened.defer(() => orm.close());
  await orm.em.execute('create table bare_event (like event including all)');
  const tenant = await orm.em
    .fork()
    .findOneOrFail(ApiKey, { active: true }, { filters: { tenant: false } });
  const rates: Record<Side, number[][]> = { events: [], bare: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const side of ['events', 'bare'] as const) {
      const measured: number[] = [];
      for (const count of clients) measured.push(await rate(orm, tenant, tables[side], count));
      // The first round warms up.
      if (round > 0) rates[side].push(measured);
    }
  }
  report(rates);
  await usageCalls({ url: `http://127.0.0.1:${port}`, key });
}

async function usageCalls(service: Caller) {
  const ids = await subscribed(service, 100);
  const call = () => `{"usageEvent":${usageEvent(ids)}}`;
  const measured: number[][] = [];
  for (let round = 0; round <= rounds; round++) {
    const each: number[] = [];
    for (const count of clients) {
      each.push(await load(service, '/usage-events', count, secondsEach, 1, call));
    }
    if (round > 0) measured.push(each);
  }
  const line = clients.map(
    (count, place) => `${count} clients: ${spread(measured.map((each) => each[place] ?? 0))}`,
  );
  const growth = measured.map(([one = 1, , many = 0]) => many / one);
  process.stdout.write(`usage calls: ${line.join(', ')}; 64 clients ÷ 1: ${spread(growth, 1)}\n`);
}

/** Transactions a second. */
async function rate(orm: MikroORM, tenant: ApiKey, table: string, count: number) {
  const until = performance.now() + secondsEach * 1_000;
  let made = 0;
  const work = async () => {
    const em = orm.em.fork();
    const { livemode, organizationId, pricingModelId } = tenant;
    while (performance.now() < until) {
      const id = newId('evt');
      await statement(em, `insert ${table}`, `insert into ${table} ${columns}`, [
        id,
        id,
        livemode,
        organizationId,
        pricingModelId,
      ]);
      made += 1;
    }
  };
  await Promise.all(Array.from({ length: count }, work));
  return made / secondsEach;
}

function report(rates: Record<Side, number[][]>) {
  process.stdout.write('Commits a second behind a synchronous standby, of 3 rounds\n');
  for (const side of ['events', 'bare'] as const) {
    const line = clients.map(
      (count, place) => `${count} clients: ${spread(rates[side].map((each) => each[place] ?? 0))}`,
    );
    const growth = rates[side].map(([one = 1, , many = 0]) => many / one);
    process.stdout.write(`${side}: ${line.join(', ')}; 64 clients ÷ 1: ${spread(growth, 1)}\n`);
  }
  const ratios = rates.events.map((each, round) => (each[2] ?? 0) / (rates.bare[round]?.[2] ?? 1));
  process.stdout.write(`64 clients, events ÷ bare: ${spread(ratios, 2)}\n`);
}

function spread(values: readonly number[], digits = 0) {
  const [first = 0, middle = 0, last = 0] = values.toSorted((a, b) => a - b).map((value) => value);
  return `${middle.toFixed(digits)} (${first.toFixed(digits)}–${last.toFixed(digits)})`;
}
