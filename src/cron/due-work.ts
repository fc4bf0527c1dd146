import { isServed } from '#domain/kernel/absent-organizations.ts';
import { isLow } from '#domain/money/collection/execute-prepaid-top-up.ts';
import type { Job } from './job.ts';

const some = (rows: string) => `exists (select from ${rows})`;

/**
 * Whether a job has work, as conditions in SQL. They may be true without work, and an organization on its way counts. A
 * job without a condition runs at each of its times.
 */
const conditions: Readonly<Record<string, string>> = {
  'send-mails': `${some(`mail where status = 'pending'`)} or ${some('unsequenced_feeds()')}`,
  'count-usage': some('usage_event_inbox'),
  'transition-billing-periods': some(
    'subscription where test_clock_id is null and transition_due_at <= now()',
  ),
  'execute-billing-runs': some('billing_run where test_clock_id is null and due_at <= now()'),
  'move-subscribers': some(`price_move where status = 'running'`),
  'check-payments': some('payment where test_clock_id is null and check_due_at <= now()'),
  'check-setups': some(`payment_method_setup where status = 'open' and expires_at <= now()`),
  'check-checkouts': some(
    `checkout_session due left join payment_method_setup p on p.id = due.setup_id
     where (due.status = 'open' and (due.expires <= now() or p.status = 'completed'))
       or (due.status = 'pending' and due.updated_at <= now() - interval '1 minute')`,
  ),
  'detach-payment-methods': some('payment_method where detach_due_at <= now()'),
  'deliver-sandbox-notices': some('sandbox_notice where delivered_at is null and due_at <= now()'),
  'follow-up-invoices': some(
    `invoice where test_clock_id is null and status = 'open' and follow_up_due_at <= now()`,
  ),
  'resume-refunds': some(
    `refund where test_clock_id is null and status in ('pending', 'requires_action')
       and (check_due_at is null or check_due_at <= now())`,
  ),
  'process-processor-events': some(
    `processor_event where status = 'pending' and due_at <= now() and ${isServed()}`,
  ),
  'expire-claims': `${some(
    'resource_claim where test_clock_id is null and released_at is null and expired_at <= now()',
  )} or ${some(`reservation where test_clock_id is null and status = 'held' and expires_at <= now()`)}`,
  'advance-test-clocks': some(`test_clock where status = 'advancing'`),
  'expire-usage-credits': some(
    `usage_credit c join subscription s on s.id = c.subscription_id
     where c.remaining > 0 and c.expires_at <= now() and coalesce(c.rollover_periods, 0) = 0 and s.test_clock_id is null`,
  ),
  'expire-prepaid-credits': some('prepaid_credit where remaining > 0 and expires_at <= now()'),
  'bill-at-amounts': some('usage_watch where bill_due_at <= now()'),
  'execute-top-ups': some('top_up where due_at <= now()'),
  'execute-prepaid-top-ups': some(
    `prepaid_top_up due join customer c on c.id = due.customer_id
     where ${isLow('due')} and coalesce(due.waits_until, now()) <= now() and c.test_clock_id is null`,
  ),
  'apply-planned-mrr': some('subscription where mrr_changes_at is not null'),
  'keep-usage-parts': some(
    `usage_hour where not counted and hour < now() - interval '65 minutes' and changed_at < now() - interval '1 minute'`,
  ),
  'compare-alerts': some('usage_watch where due_at <= now()'),
  'apply-alert-rules': some('alert_rule where settles_at is not null'),
  ...delivering(['deliver-webhooks', 'retry-webhooks']),
};

/** Only endpoints with deliveries are looked at, if any has one. */
function delivering(jobs: readonly string[]) {
  const pending = `webhook_delivery d where d.status = 'pending' and d.next_attempt_at is not null`;
  const due = `webhook w cross join lateral (
    select from webhook_delivery d where d.webhook_id = w.id and d.status = 'pending' and d.next_attempt_at <= now()
    limit 1) d where w.active`;
  return Object.fromEntries(jobs.map((job) => [job, `${some(pending)} and ${some(due)}`]));
}

/** A job without work is named after this time: so its last success shows that jobs are run, whatever a condition misses. */
const longestMinutes = 3;

export const hasCondition = ({ name }: Pick<Job, 'name'>): boolean => name in conditions;

/** A job that is to run, and whether it has work. */
export interface DueJob {
  readonly name: string;
  readonly hasWork: boolean;
}

/** The statement that returns which of some jobs with conditions are to run; without work, those first that wait longest. */
export const dueJobs = (names: readonly string[]): string => `
  with latest as materialized (
    select job, max(created_at) as at from cron_run where created_at > now() - interval '1 hour'
    group by job)
  select name, has_work as "hasWork"
  from (values ${names.map((name) => `('${name}', ${conditions[name]})`).join(', ')}) as asked (name, has_work)
    left join latest on latest.job = asked.name
  where has_work or coalesce(latest.at, '-infinity') < now() - interval '${longestMinutes} minutes'
  order by latest.at nulls first, name`;
