import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import { analyzeGrown } from '#domain/kernel/analyze-grown.ts';
import { Concurrency } from '#domain/kernel/concurrency.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { sessionFor } from '#domain/kernel/for-each-due.ts';
import { inStepLoosely } from '#domain/kernel/in-batches.ts';
import { inLanes } from '#domain/kernel/in-lanes.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { WorkerShares } from '#domain/kernel/worker-shares.ts';
import type { HeardOutcome } from '#domain/money/methods/payment-patience.ts';
import {
  batchesOf,
  type DueOfCustomer,
  type DueWork,
  inDueBatches,
} from '#domain/platform/locks/due-batches.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { Batching } from '#engines/batching/batching.ts';
import { askProcessor } from './ask-processor.ts';
import { type BegunPayment, beginPayment } from './begin-payment.ts';
import { follow } from './charge-payment.ts';
import { isPostponed, postponeFailed } from './postpone-failed.ts';
import { type Following, settlePayment } from './settle-payment.ts';

/** The largest number of runs in a claim, and so in a batch. */
const pageSize = 50;

const leaseSeconds = 60;

/** A tenant whose claim takes longer by its tax service is left to the next sweep. */
const patienceMilliseconds = 10_000;

/** How many batches a process works on at a time: while one waits for the database, others compute. */
const workers = 3;

/** The largest number of outcomes that are settled together. */
const mostOutcomes = 50;

/**
 * Executes every due run of every tenant. A process leases a run for 1 minute; after a crash the run is due again
 * then. Runs on test clocks are excluded. A tenant with a tax service never occupies all workers.
 * A slow one is left to the next sweep, so that others do not wait for it. Returns how many there were.
 */
export async function executeDueRuns(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> {
  const sweep = { em, now, causeId, onFailure };
  // One claim at a time, so that no two batches have runs of one customer.
  const claims = new Concurrency(1);
  const busy = new Set<string>();
  const shares = new WorkerShares(workers - 1, patienceMilliseconds);
  const claim = () =>
    claims.take(async () => {
      await analyzeGrown(em);
      const due = await claimDueRuns(em, now, [...busy], shares.full());
      for (const { customerId } of due) busy.add(customerId);
      return { due, end: shares.begin(due.flatMap(({ asks }) => asks ?? [])) };
    });
  let count = 0;
  const workThrough = async () => {
    for (;;) {
      const { due, end } = await claim();
      if (due.length === 0) return;
      await executeRuns(em, (run) => sessionFor(sweep, run), due);
      end();
      for (const { customerId } of due) busy.delete(customerId);
      count += due.length;
    }
  };
  await inLanes(workers, workThrough);
  return count;
}

/**
 * Executes runs as `executeBillingRun` does, each step in batches: invoices with attempts, and outcomes. The processor is
 * asked between the transactions. Runs of one customer are executed in their order.
 */
export async function executeRuns(
  em: EntityManager,
  sessionOf: (run: DueOfCustomer) => Session,
  due: readonly DueOfCustomer[],
  onFailure = (error: unknown, run: DueOfCustomer) => report(sessionOf(run), run.id, error),
): Promise<void> {
  const batches = batchesOf(due).values();
  const workThrough = async () => {
    for (const batch of batches) await executeBatch(em, sessionOf, batch, onFailure);
  };
  await inLanes(workers, workThrough);
}

async function executeBatch(
  em: EntityManager,
  sessionOf: (run: DueOfCustomer) => Session,
  batch: readonly DueOfCustomer[],
  onFailure: DueWork<DueOfCustomer>['onFailure'],
) {
  for (const runs of roundsOf(batch)) {
    // All steps of a run have one cause.
    const sessions = new Map(runs.map((run) => [run, sessionOf(run)]));
    const open = (run: DueOfCustomer) => afresh(sessions.get(run) as Session);
    const step = { em, open, onFailure, workers: 1 };
    const failed = new Map<DueOfCustomer, unknown>();
    const onBegin = (error: unknown, run: DueOfCustomer) => {
      if (isPostponed(error)) failed.set(run, error);
      onFailure(error, run);
    };
    const begin = (runs: readonly DueOfCustomer[]) =>
      inDueBatches({ ...step, onFailure: onBegin }, runs, (session, { id }) =>
        beginPayment(session, id),
      );
    const { results: begun } = await begin(runs);
    const { results: others } = await begin(runs.filter((run) => begun.get(run) === 'prepared'));
    await inDueBatches(step, [...failed.keys()], (session, run) =>
      postponeFailed(session, run.id, failed.get(run)),
    );
    await chargeAll(step, new Map([...begun, ...others]));
  }
}

interface Asked {
  readonly run: DueOfCustomer;
  readonly paymentId: string;
  readonly outcome: HeardOutcome;
}

/** Asks the processor for payments, all at the same time, and settles the outcomes that have arrived in batches. */
async function chargeAll(
  step: DueWork<DueOfCustomer>,
  begun: ReadonlyMap<DueOfCustomer, BegunPayment | 'prepared' | undefined>,
) {
  const settling = new Batching<Asked, Following | undefined>((asked) => settle(step, asked), {
    workers: 1,
    most: mostOutcomes,
  });
  const settled: Promise<unknown>[] = [];
  const asking = [...begun].flatMap(([run, payment]) => {
    if (!payment || payment === 'prepared') return [];
    const work = async (session: Session) => {
      try {
        const outcome = await askProcessor(session, payment);
        if (!outcome) return;
        const following = settling.add({ run, paymentId: payment.paymentId, outcome });
        // Refunds and payments by a backup method follow, each by itself.
        const followed = following.then((following) => follow(step.open(run), following));
        settled.push(followed.catch((error) => step.onFailure(error, run)));
      } catch (error) {
        step.onFailure(error, run);
      }
    };
    return [{ open: () => step.open(run), work }];
  });
  await inStepLoosely(step.em, asking);
  await Promise.all(settled);
}

/** Settles outcomes in batches. Returns the next requests to the processor. */
async function settle(
  step: DueWork<DueOfCustomer>,
  asked: readonly Asked[],
): Promise<(Following | undefined)[]> {
  const byRun = new Map(asked.map((one) => [one.run, one]));
  const { results } = await inDueBatches(step, [...byRun.keys()], (session, run) => {
    const { paymentId, outcome } = byRun.get(run) as Asked;
    return settlePayment(session, paymentId, outcome);
  });
  return asked.map(({ run }) => results.get(run));
}

/** The first runs of all customers, then the second ones, and so on. */
function roundsOf(due: readonly DueOfCustomer[]): DueOfCustomer[][] {
  const rounds: DueOfCustomer[][] = [];
  for (const own of Map.groupBy(due, ({ customerId }) => customerId).values()) {
    for (const [place, run] of own.entries()) {
      rounds[place] ??= [];
      rounds[place].push(run);
    }
  }
  return rounds;
}

interface ClaimedRun extends DueOfCustomer {
  /** The settings of the tenant, where they have a tax service. */
  readonly asks: string | null;
}

/**
 * Leases the earliest due runs of any tenant, in their order, but for those of some customers and settings; other
 * processes skip runs that are being leased.
 */
function claimDueRuns(
  em: EntityManager,
  now: Date,
  without: readonly string[],
  withoutSettings: readonly string[],
): Promise<ClaimedRun[]> {
  return em.execute<ClaimedRun[]>(
    `with taken as (update billing_run set due_at = greatest(?::timestamptz, now()) + interval '${leaseSeconds} seconds'
     where id in (
       select id from billing_run where test_clock_id is null and due_at <= ? and customer_id <> all (?) and ${isServed()}
         and not exists (select from organization_settings o where o.id = any (?)
           and o.organization_id = billing_run.organization_id and o.livemode = billing_run.livemode)
       order by test_clock_id, due_at, id limit ${pageSize} for update skip locked)
     returning id, customer_id, organization_id, pricing_model_id, livemode, billing_period_id, scheduled_for, created_at)
     select taken.id, taken.customer_id as "customerId", taken.organization_id as "organizationId",
       taken.pricing_model_id as "pricingModelId", taken.livemode,
       (select o.id from organization_settings o where o.organization_id = taken.organization_id
         and o.livemode = taken.livemode and o.tax_engine = 'service') as asks
     from taken join billing_period p on p.id = taken.billing_period_id
     join subscription s on s.id = p.subscription_id
     order by taken.scheduled_for, p.start_date, s.created_at, s.is_free_plan desc, taken.created_at, taken.id`,
    [now, now, `{${without.join(',')}}`, `{${withoutSettings.join(',')}}`],
  );
}
