import { randomUUID } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { recordUsageEvents } from '#domain/recording/present/record-usage-events.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { connect } from '#server/database/database.ts';
import { addMeteredCustomer, type Metered, sessionAt } from '../data/metered-customer.ts';
import { storePeriod } from '../data/stored-period.ts';
import type { Reports } from '../load/usage-reporter.ts';
import { checkNightly } from '../running/nightly-checks.ts';
import { useSecrets } from '../running/own-secrets.ts';
import { startWorker } from '../running/processes.ts';
import { startMeasuredService } from '../running/service.ts';
import { load } from './usage.ts';

const dayMilliseconds = 86_400_000;
const [given] = process.argv.slice(3).filter((text) => /^\d+$/.test(text));
const events = Number(given ?? 5_000_000);
const distinct = Math.min(events, 1_000_000);
const few = 1_000;
const seconds = 5;
const bulk = 1_000;
const connections = 8;

/**
 * The end of a period with millions of usage events: its boundary and its billing run, by the scheduled jobs, while
 * another process reports usage of the same subscription over REST all the time. The same with few events, and with
 * a meter that counts distinct properties. Also the rate of bulk reports with few and with many events of the period.
 */
export async function closing() {
  await using opened = new AsyncDisposableStack();
  useSecrets();
  const service = opened.use(await startMeasuredService());
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 4 });
  opened.defer(() => pool.end());
  const orm = await connect({ databaseUrl: service.databaseUrl, poolSize: 20 });
  opened.defer(() => orm.close(true));
  const start = new Date(Date.now() - 27 * dayMilliseconds);
  const add = async (name: string, isDistinct: boolean) => {
    const of = await addMeteredCustomer(
      orm,
      name,
      isDistinct ? 'count_distinct_properties' : 'sum',
      start,
    );
    await recordFirst(orm, of);
    return of;
  };
  for (const isDistinct of [false, true]) {
    const kind = isDistinct ? 'distinct' : 'sum';
    const small = await add(`${kind}-few`, isDistinct);
    await storePeriod(pool, small, few, isDistinct);
    const large = await add(`${kind}-many`, isDistinct);
    const many = isDistinct ? distinct : events;
    // A short first round, in which the process warms up.
    await report(small, 2);
    const fewRate = await report(small);
    const began = Date.now();
    await storePeriod(pool, large, many, isDistinct);
    write(`(${many} events stored in ${((Date.now() - began) / 1_000).toFixed(0)} s)`);
    const manyRate = await report(large);
    write(
      `${kind}, bulk of ${bulk}  few stored ${fewRate.toFixed(0)} events/s   ` +
        `${many} stored ${manyRate.toFixed(0)} events/s   ${(manyRate / fewRate).toFixed(2)} of it`,
    );
    // Closed several times, the first ones to warm up.
    for (const round of [1, 2, 3, 4]) {
      await close(round < 4 ? '' : `${kind}, ${few} events`, small);
    }
    await close(`${kind}, ${many} events`, large);
    await explain(`${kind}, ${many} events`, large);
  }
  await checkNightly(service.databaseUrl);

  /** The events a second that a subscription reports, each with properties of its own. */
  function report({ subscriptionId, meterSlug }: Metered, time = seconds) {
    const event = () =>
      `{"subscriptionId":"${subscriptionId}","usageMeterSlug":"${meterSlug}","amount":1,"transactionId":"${randomUUID()}","properties":{"user":"${randomUUID()}"}}`;
    const body = () => `{"usageEvents":[${Array.from({ length: bulk }, event).join(',')}]}`;
    return load(service, '/usage-events/bulk', connections, time, bulk, body);
  }

  /** Compares the last invoice of a subscription with its events. */
  async function explain(title: string, { subscriptionId: subscription }: Metered) {
    const session = await sessionAt(orm, new Date());
    const latest = { orderBy: { createdAt: 'desc' } } as const;
    const invoice = await session.em.findOneOrFail(Invoice, { subscription }, latest);
    const began = performance.now();
    const { differences } = await explainInvoice(session, invoice.id);
    if (differences.length > 0) throw new Error(differences.join());
    write(`${title}, explained  ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  }

  async function close(title: string, of: Metered) {
    await using opened = new AsyncDisposableStack();
    const { url, key } = service;
    const args = [url, key, of.subscriptionId, of.meterSlug];
    const reporter = opened.use(startWorker('bench/load/usage-reporter.ts', args));
    await pause(1_000);
    await reporter.ask('');
    await pause(3_000);
    const quiet = await reporter.ask<Reports>('');
    const due = await endPeriodIn(pool, of, 2_000);
    await pause(due.getTime() - Date.now());
    await reporter.ask('');
    const began = performance.now();
    const crossed = await transitionDueSubscriptions(orm.em.fork(), new Date(), 'bench');
    const boundary = performance.now() - began;
    const billed = performance.now();
    await executeDueRuns(orm.em, new Date(), 'bench', failed);
    const run = performance.now() - billed;
    // A report that still waits has its answer by then.
    await pause(500);
    const during = await reporter.ask<Reports>('');
    await requireBilled(pool, of, crossed);
    if (!title) return;
    write(
      `${title.padEnd(26)} boundary ${boundary.toFixed(0)} ms   billing run ${run.toFixed(0)} ms   ` +
        `longest of ${during.count} reports ${during.longest.toFixed(0)} ms   ` +
        `before, of ${quiet.count} ${quiet.longest.toFixed(0)} ms, median ${quiet.median.toFixed(1)} ms`,
    );
  }
}

/** The first event of a subscription, which creates its ledger. */
async function recordFirst(orm: MikroORM, { subscriptionId, meterSlug, start }: Metered) {
  const event = { subscriptionId, usageMeterSlug: meterSlug, amount: '1', transactionId: 'first' };
  const properties = { user: 'first' };
  await recordUsageEvents(await sessionAt(orm, start), {
    usageEvents: [{ ...event, properties }],
  } as never);
}

/** Moves the end of the running period of a subscription to an instant soon. */
async function endPeriodIn(pool: pg.Pool, { subscriptionId }: Metered, milliseconds: number) {
  const due = new Date(Date.now() + milliseconds);
  await pool.query(
    `with moved as (
       update subscription set current_billing_period_end = $2, transition_due_at = $2, billing_cycle_anchor_date = $2
       where id = $1 returning id, current_billing_period_start)
     update billing_period p set end_date = $2 from moved
     where p.subscription_id = moved.id and p.start_date = moved.current_billing_period_start`,
    [subscriptionId, due],
  );
  return due;
}

async function requireBilled(pool: pg.Pool, { subscriptionId }: Metered, crossed: number) {
  const { rows } = await pool.query(
    `select r.status, l.usage_breakdown is not null as "hasUsage" from billing_run r
       join invoice i on i.billing_run_id = r.id left join invoice_line_item l on l.invoice_id = i.id and l.type = 'usage'
     where r.subscription_id = $1 order by r.created_at desc limit 1`,
    [subscriptionId],
  );
  if (rows[0]?.status !== 'succeeded' || !rows[0]?.hasUsage) {
    throw new Error(`${crossed} boundaries were crossed, and the run is ${JSON.stringify(rows)}`);
  }
}

const failed = (error: unknown) => {
  throw error;
};

const pause = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));

const write = (line: string) => process.stdout.write(`${line}\n`);
