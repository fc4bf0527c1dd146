import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Gauge, type Registry } from 'prom-client';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import { eventLag } from '#domain/platform/feed/event-lag.ts';

/** A row of labels with the value of a gauge. */
type Measured = { value: number | null } & Record<string, string | number | null>;

interface DatabaseGauge {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly sql: string;
}

/** More are not counted, so that a backlog does not make the page slow. */
const mostCounted = 100_000;

const counted = (rows: string) =>
  `select count(*)::int as value from (select ${rows} limit ${mostCounted}) as counted`;

/** The age of the oldest of some rows in seconds; 0 without any. */
const ageOf = (column: string, rows: string) =>
  `select coalesce(greatest(extract(epoch from now() - min(${column})), 0), 0)::float8 as value from ${rows}`;

const dueRuns = 'billing_run where test_clock_id is null and due_at <= now()';
const dueBoundaries = 'subscription where test_clock_id is null and transition_due_at <= now()';
/** A move that its cell does not serve waits on purpose. */
const runningMoves = `price_move where status = 'running' and ${isServed('organization_id')}`;
const unappliedRules = `alert_rule where applied_at is null and ${isServed('organization_id')}`;
const jobsOfDay = `from cron_run where created_at > now() - interval '25 hours' group by job`;

/** The gauges of the whole installation: each process states the same values. */
const gauges: readonly DatabaseGauge[] = [
  {
    name: 'tollgate_event_lag_seconds',
    help: 'Age of the oldest event that has no place in its feed yet',
    sql: `select lag as value from (${eventLag}) as measured`,
  },
  {
    name: 'tollgate_usage_inbox_events',
    help: 'Accepted usage events that are not counted yet',
    sql: `select coalesce(sum(count), 0)::int as value
      from (select count from usage_event_inbox limit ${mostCounted}) as waiting`,
  },
  {
    name: 'tollgate_usage_inbox_seconds',
    help: 'Age of the oldest accepted usage that is not counted yet',
    sql: ageOf(
      'accepted_at',
      `(select accepted_at from usage_event_inbox limit ${mostCounted}) waiting`,
    ),
  },
  {
    name: 'tollgate_webhook_deliveries_pending',
    help: `Webhook deliveries that are not done, at most ${mostCounted}`,
    sql: counted(`from webhook_delivery where status = 'pending'`),
  },
  {
    name: 'tollgate_webhook_deliveries_dead',
    help: `Webhook deliveries that have failed for good and can be retried by hand, at most ${mostCounted}`,
    sql: counted(`from webhook_delivery where status = 'failed'`),
  },
  {
    name: 'tollgate_mails_pending',
    help: `Mails that are not sent yet, at most ${mostCounted}`,
    sql: counted(`from mail where status = 'pending'`),
  },
  {
    name: 'tollgate_mails_dead',
    help: `Mails that have failed for good or may not have arrived, at most ${mostCounted}`,
    sql: counted(`from mail where status in ('failed', 'uncertain')`),
  },
  {
    name: 'tollgate_billing_runs_due',
    help: `Billing runs that are due in real time, at most ${mostCounted}`,
    sql: counted(`from ${dueRuns}`),
  },
  {
    name: 'tollgate_billing_runs_due_seconds',
    help: 'For how long the oldest due billing run has been due',
    sql: ageOf('due_at', dueRuns),
  },
  {
    name: 'tollgate_boundaries_due',
    help: `Ends of billing periods that are due in real time, at most ${mostCounted}`,
    sql: counted(`from ${dueBoundaries}`),
  },
  {
    name: 'tollgate_job_last_success_timestamp_seconds',
    help: 'When a job last succeeded, within 25 hours',
    labels: ['job'],
    sql: `select job, extract(epoch from max(finished_at) filter (where error is null))::float8 as value ${jobsOfDay}`,
  },
  {
    name: 'tollgate_job_failures',
    help: 'Failed runs of a job in the last hour',
    labels: ['job'],
    sql: `select job, (count(*) filter (where error is not null and created_at > now() - interval '1 hour'))::int as value ${jobsOfDay}`,
  },
  {
    name: 'tollgate_price_move_still_seconds',
    help: 'For how long the running price move that stands still for longest has not progressed',
    sql: ageOf('coalesce(progressed_at, created_at)', runningMoves),
  },
  {
    name: 'tollgate_price_move_failures',
    help: 'Subscriptions that price moves could not move: those that run, and that ended within a day',
    sql: `select coalesce(sum(failed_count), 0)::int as value from price_move
      where coalesce(finished_at, now()) > now() - interval '1 day' and ${isServed('organization_id')}`,
  },
  {
    name: 'tollgate_alert_rule_still_seconds',
    help: 'For how long the alert rule that waits longest is not applied to all customers',
    sql: ageOf('updated_at', unappliedRules),
  },
  {
    name: 'tollgate_alert_rule_failures',
    help: 'Customers to whom alert rules could not be applied in the last pass',
    sql: `select coalesce(sum(failed_customers), 0)::int as value from alert_rule where ${isServed('organization_id')}`,
  },
  {
    name: 'tollgate_organization_moves',
    help: 'Organizations on their way to or from another cell, and those that have moved and whose rows are here',
    labels: ['state'],
    sql: `select state, count(m.organization_id)::int as value
      from unnest(array['copying', 'frozen', 'moved', 'arriving']) state left join organization_move m using (state)
      group by state`,
  },
  {
    name: 'tollgate_organization_move_seconds',
    help: 'For how long the oldest unfinished move has been under way',
    sql: ageOf('started_at', `organization_move where state in ('copying', 'frozen', 'arriving')`),
  },
  {
    name: 'tollgate_organization_frozen_seconds',
    help: 'How long the organization that moved last was not served',
    sql: `select coalesce((select frozen_milliseconds / 1000.0 from organization_move where state = 'moved'
      order by changed_at desc limit 1), 0)::float8 as value`,
  },
  {
    name: 'tollgate_usage_forward_calls',
    help: 'Calls with usage of organizations of other cells that are not forwarded yet',
    sql: 'select count(*)::int as value from usage_forward',
  },
  {
    name: 'tollgate_book_differences',
    help: 'Customers whose books do not agree, by the last check',
    sql: 'select count(*)::int as value from book_difference where resolved_at is null',
  },
  {
    name: 'tollgate_history_files',
    help: 'Files of old usage events, by the result of their last check',
    labels: ['state'],
    sql: `select case when problem is null then 'intact' else 'damaged' end as state, count(*)::int as value
      from usage_history_file group by 1`,
  },
  {
    name: 'tollgate_history_bytes',
    help: 'Size of all files of old usage events',
    sql: 'select coalesce(sum(bytes), 0)::float8 as value from usage_history_file',
  },
  {
    name: 'tollgate_history_check_seconds',
    help: 'For how long the file of old usage events that waits longest has not been checked',
    sql: ageOf('coalesce(checked_at, created_at)', 'usage_history_file'),
  },
];

/** The values of all gauges of the installation by their names. */
export async function readDatabaseGauges(em: EntityManager): Promise<Map<string, Measured[]>> {
  const values = new Map<string, Measured[]>();
  for (const { name, sql } of gauges) values.set(name, await em.execute<Measured[]>(sql));
  return values;
}

/** Adds the gauges of the installation, which are read when they are asked for. */
export function addDatabaseGauges(registry: Registry, orm: MikroORM) {
  for (const { name, help, labels = [], sql } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        const rows = await orm.em.fork().execute<Measured[]>(sql);
        this.reset();
        for (const { value, ...of } of rows) {
          if (value !== null) this.set(of as Record<string, string>, value);
        }
      },
    });
  }
}
