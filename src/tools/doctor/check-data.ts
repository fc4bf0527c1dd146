import type { EntityManager } from '@mikro-orm/postgresql';
import { countDifferences } from '#domain/money/commands/processors/count-differences.ts';
import { readDatabaseGauges } from '#server/metrics/database-gauges.ts';
import { requireSecretsKeys } from '#server/secrets/stored-secrets.ts';
import { error, type Finding, ok, warning } from './finding.ts';

interface Bound {
  readonly name: string;
  /** More than this is a warning; `src/deploy/alerts.yml` has the same number. */
  readonly most: number;
  readonly found: (value: number) => string;
  /** Instead of `found` where nothing is wrong. */
  readonly fine: string;
  readonly advice: string;
  readonly level?: 'error';
}

const seconds = (value: number) =>
  value < 120 ? `${Math.round(value)} s` : `${Math.round(value / 60)} minutes`;

/** So many failures of a job within an hour are an error; `src/deploy/alerts.yml` has the same number. */
export const manyJobFailures = 3;

export const bounds: readonly Bound[] = [
  {
    name: 'tollgate_event_lag_seconds',
    most: 60,
    found: (value) => `The oldest event without a place in its feed is ${seconds(value)} old`,
    fine: 'Each event has its place in its feed',
    advice: 'end the oldest transaction of the server (pg_stat_activity), which the feed waits for',
  },
  {
    name: 'tollgate_billing_runs_due_seconds',
    most: 900,
    found: (value) => `The oldest due billing run has been due for ${seconds(value)}`,
    fine: 'No billing run waits',
    advice: 'run a process with CRON=on, or npm run cron; its log names what fails',
  },
  {
    name: 'tollgate_boundaries_due',
    most: 1_000,
    found: (value) => `${value} ends of billing periods are due`,
    fine: 'No end of a billing period waits',
    advice: 'run a process with CRON=on, or npm run cron',
  },
  {
    name: 'tollgate_usage_inbox_seconds',
    most: 60,
    found: (value) => `The oldest accepted usage has waited to be counted for ${seconds(value)}`,
    fine: 'Accepted usage is counted',
    advice:
      'run a process with CRON=on, or npm run cron; the log of the job count-usage names causes',
  },
  {
    name: 'tollgate_price_move_still_seconds',
    most: 900,
    found: (value) => `A price move has moved no subscription for ${seconds(value)}`,
    fine: 'No price move stands still',
    advice: 'priceMoves has the reason in problem; the log of the job move-subscribers has more',
  },
  {
    name: 'tollgate_price_move_failures',
    most: 0,
    found: (value) => `Price moves could not move ${value} subscriptions`,
    fine: 'No price move has failures',
    advice: 'priceMoves lists them with reasons in failures; a second move tries them again',
  },
  {
    name: 'tollgate_alert_rule_still_seconds',
    most: 3_600,
    found: (value) => `An alert rule is not applied to all customers since ${seconds(value)}`,
    fine: 'Alert rules are applied',
    advice: 'run a process with CRON=on, or npm run cron',
  },
  {
    name: 'tollgate_alert_rule_failures',
    most: 0,
    found: (value) => `Alert rules could not be applied to ${value} customers`,
    fine: 'No alert rule has failures',
    advice: 'the log of the job apply-alert-rules has the reasons; it tries them again',
  },
  {
    name: 'tollgate_webhook_deliveries_pending',
    most: 10_000,
    found: (value) => `${value} webhook deliveries wait`,
    fine: 'Webhook deliveries are sent',
    advice: 'look at the endpoints that do not answer, on the page Webhooks',
  },
  {
    name: 'tollgate_webhook_deliveries_dead',
    most: 0,
    found: (value) => `${value} webhook deliveries have failed for good`,
    fine: 'No webhook delivery has failed for good',
    advice: 'repair the endpoint, and retry them on the page Webhooks',
  },
  {
    name: 'tollgate_book_differences',
    most: 0,
    found: (value) => `The books of ${value} customers do not agree`,
    fine: 'The books of all customers agree',
    advice: 'tollgate books names them; do not charge them before the cause is known',
    level: 'error',
  },
];

/** Checks the rows: keys of secrets, jobs, backlogs and books. The schema must be that of this version. */
export async function checkData(em: EntityManager): Promise<Finding[]> {
  const values = await readDatabaseGauges(em);
  const findings = bounds.map(({ name, most, found, fine, advice, level }) => {
    const [row] = values.get(name) ?? [];
    const value = row?.value ?? 0;
    if (value <= most) return ok(value === 0 ? fine : found(value));
    return level === 'error' ? error(found(value), advice) : warning(found(value), advice);
  });
  const failed = (values.get('tollgate_job_failures') ?? []).filter(
    ({ value }) => (value ?? 0) > 0,
  );
  const jobs = values.get('tollgate_job_last_success_timestamp_seconds') ?? [];
  findings.push(
    ...(await secrets(em)),
    await keys(em),
    ...jobsOf(jobs.length, failed),
    ...(await charges(em)),
  );
  return findings;
}

function jobsOf(count: number, failed: readonly { job?: unknown; value: unknown }[]): Finding[] {
  if (count === 0) {
    return [
      warning(
        'No scheduled job has run within 25 hours',
        'run a process with CRON=on, or npm run cron: nothing is billed without it',
      ),
    ];
  }
  if (failed.length === 0)
    return [ok(`${count} scheduled jobs run, and none has failed within an hour`)];
  return failed.map(({ job, value }) => {
    const times = value === 1 ? 'once' : `${value} times`;
    const found = `The job ${job} has failed ${times} within an hour`;
    const advice = 'the page Jobs of the settings, and the log, have the reason';
    return Number(value) < manyJobFailures
      ? warning(found, `it is tried again; ${advice}`)
      : error(found, advice);
  });
}

async function secrets(em: EntityManager): Promise<Finding[]> {
  try {
    await requireSecretsKeys(em);
    return [ok('SECRETS_KEY opens the stored secrets')];
  } catch (problem) {
    return [error((problem as Error).message, 'without it webhooks and processors do not work')];
  }
}

async function keys(em: EntityManager): Promise<Finding> {
  const [row] = await em.execute<{ keys: number; organizations: number }[]>(
    `select count(*) filter (where active and type = 'secret' and (expires_at is null or expires_at > now()))::int as keys,
       (select count(*)::int from organization) as organizations from api_key`,
  );
  const { keys = 0, organizations = 0 } = row ?? {};
  return keys === 0
    ? warning('There is no secret key', 'tollgate keys create prints one')
    : ok(`${organizations} organizations with ${keys} secret keys`);
}

async function charges(em: EntityManager): Promise<Finding[]> {
  const counts = await countDifferences(em);
  const open = counts.filter(({ count }) => count > 0);
  return open.map(({ kind, livemode, count }) =>
    error(
      `${count} charges differ from the books in ${livemode ? 'live' : 'test'} mode (${kind})`,
      'the guide "Stripe" describes each kind',
    ),
  );
}
