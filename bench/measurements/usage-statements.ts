import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { newId } from '#domain/kernel/ids.ts';
import { openSession } from '#domain/kernel/session.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { recordCalls } from '#domain/recording/record-calls.ts';
import { usageEventInput } from '#domain/recording/usage-event-input.ts';
import { connect } from '#server/database/database.ts';
import { bareInserts } from '../baselines/bare-usage.ts';
import { spreadOf } from '../running/figures.ts';
import { processorTimeOf } from '../running/processor-time.ts';
import { forNewRows, type SentStatement, statementsOf } from '../running/recorded-statements.ts';
import { startMeasuredService } from '../running/service.ts';
import { bulk, subscribed, usageEvent } from './usage.ts';

const turns = 3;
const seconds = 4;
/** How many calls the service usually records in one transaction, with 8 connections. */
const together = 4;
const transactionsAtOnce = 2;
/** Enough transactions of each size for a turn. */
const prepared = { 100: 60 * seconds, 1000: 15 * seconds } as const;
type Size = keyof typeof prepared;
const sizes = [100, 1_000] as const satisfies Size[];

interface Rate {
  readonly perSecond: number;
  /** The processor time of PostgreSQL for an event. */
  readonly microseconds: number;
}

/**
 * The most that any service could record with these statements: a program sends them with values that were made before,
 * and does nothing else. The statements are those of 4 bulk calls in one transaction, with new ids each time. The
 * baseline inserts rows only; the service records the same over REST. Repeated statements set a balance to the same
 * value, so its books do not balance afterwards.
 */
export async function usageStatements() {
  await using opened = new AsyncDisposableStack();
  const service = opened.use(await startMeasuredService());
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 8 });
  opened.defer(() => pool.end());
  const orm = await connect({ databaseUrl: service.databaseUrl, poolSize: 1 });
  opened.defer(() => orm.close());
  const ids = await subscribed(service, 100);
  const processorTime = await processorTimeOf(service.databaseUrl);
  for (const size of sizes) await bulk(service, ids, size, seconds);

  const bare: number[] = [];
  const rates = new Map<string, number[]>();
  const times = new Map<string, number[]>();
  for (let turn = 0; turn < turns; turn++) {
    const rows = await bareInserts(pool, seconds);
    bare.push(rows);
    for (const size of sizes) {
      const statements = await statementsOf(() => record(orm, ids, size));
      const { perSecond, microseconds } = await repeat(pool, statements, size, processorTime);
      const recorded = await bulk(service, ids, size, seconds);
      add(rates, `statements of calls of ${size}`, perSecond / rows);
      add(times, `statements of calls of ${size}`, microseconds);
      add(rates, `service, calls of ${size}`, recorded / rows);
    }
  }
  process.stdout.write(`bare unnest of 1,000   ${spreadOf(bare).median.toFixed(0)} events/s\n`);
  for (const [name, ratios] of rates) {
    const { median, least, most } = spreadOf(ratios);
    const time = times.get(name);
    const processor = time
      ? `   ${spreadOf(time).median.toFixed(0)} µs of PostgreSQL an event`
      : '';
    process.stdout.write(
      `${name.padEnd(32)} ratio ${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})${processor}\n`,
    );
  }
}

function add(all: Map<string, number[]>, name: string, value: number) {
  all.set(name, [...(all.get(name) ?? []), value]);
}

/** Records bulk calls in one transaction of this process. */
async function record(orm: MikroORM, ids: readonly string[], size: number) {
  const key = await orm.em
    .fork()
    .findOneOrFail(ApiKey, { active: true }, { filters: { tenant: false } });
  const { organizationId, livemode, pricingModelId } = key;
  const now = new Date();
  const scope = { organizationId, livemode, pricingModelId, keyType: 'secret', now } as const;
  const calls = Array.from({ length: together }, () => {
    const { causeId, actor, cause } = openSession(
      orm.em,
      { ...scope, causeId: newId('req') },
      key.id,
    );
    const events = Array.from({ length: size }, () => {
      const { amount, ...event } = JSON.parse(usageEvent(ids));
      return usageEventInput.parse({ ...event, amount: String(amount) });
    });
    return { events, pathOf: () => [], isBulk: true, causeId, actor, cause };
  });
  for (const outcome of await recordCalls(openSession(orm.em, scope, key.id), calls)) {
    if (outcome instanceof Error) throw outcome;
  }
}

/** Repeats the statements of a transaction for new rows. */
async function repeat(
  pool: pg.Pool,
  statements: readonly SentStatement[],
  size: Size,
  processorTime: () => number,
): Promise<Rate> {
  const waiting = Array.from({ length: prepared[size] }, () => forNewRows(statements));
  const [started, used] = [performance.now(), processorTime()];
  let events = 0;
  const work = async () => {
    const client = await pool.connect();
    while (performance.now() < started + seconds * 1_000) {
      const next = waiting.pop();
      if (!next) break;
      await client.query('begin');
      for (const { name, text, values } of next)
        await client.query({ ...(name && { name }), text, values: [...values] });
      await client.query('commit');
      events += together * size;
    }
    client.release();
  };
  await Promise.all(Array.from({ length: transactionsAtOnce }, work));
  return {
    perSecond: events / ((performance.now() - started) / 1_000),
    microseconds: ((processorTime() - used) / events) * 1e6,
  };
}
