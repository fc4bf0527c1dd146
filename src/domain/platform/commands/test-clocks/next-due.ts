import { expire } from '#domain/capacity/expire-claims.ts';
import {
  announcePrepaidExpiry,
  expirePrepaid,
  isPrepaidExpiryDue,
  prepaidExpiryAnnouncedFrom,
} from '#domain/invoicing/crediting/expire-prepaid.ts';
import { analyzeGrown } from '#domain/kernel/analyze-grown.ts';
import type { Session } from '#domain/kernel/session.ts';
import { compareAtTime } from '#domain/metering/credits/compare-at-time.ts';
import { expireOf } from '#domain/metering/credits/expire-credits.ts';
import { openRefundStatuses } from '#domain/model/money/refund.ts';
import type { Announcement } from '#domain/model/subscriptions/announcement.ts';
import {
  announceExpiry,
  expiryAnnouncedFrom,
  isExpiryDue,
} from '#domain/money/collection/announce-expiry.ts';
import { billAtAmount } from '#domain/money/collection/bill-at-amount.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { executeDueRun } from '#domain/money/collection/execute-billing-run.ts';
import { executeRuns } from '#domain/money/collection/execute-due-runs.ts';
import { executePrepaidTopUp, isLow } from '#domain/money/collection/execute-prepaid-top-up.ts';
import { executeTopUp } from '#domain/money/collection/execute-top-up.ts';
import { deliverSandboxNotice } from '#domain/money/collection/sandbox-notices.ts';
import { followUpInvoice } from '#domain/money/outcomes/follow-up-invoice.ts';
import { executeRefund } from '#domain/money/refunds/execute-refund.ts';
import {
  type DueOfCustomer,
  type DueWork,
  inDueBatches,
} from '#domain/platform/locks/due-batches.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import {
  announceDate,
  announcedFrom,
  announcements,
} from '#domain/subscriptions/lifecycle/announce-date.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** The steps of one kind that are due at one instant for the customers of a clock. */
export interface Due {
  readonly at: Date;
  execute(session: Session): Promise<unknown>;
}

interface Kind {
  /**
   * The earliest steps of a clock ($1) that are due by an instant ($2): the id of the record, its instant, and its
   * customer where steps of several customers are executed together.
   */
  readonly sql: string;
  execute(session: Session, id: string, at: Date): Promise<unknown>;
  /** Executes the steps of several customers in batches. */
  readonly together?: (
    work: DueWork<DueOfCustomer>,
    rows: readonly DueOfCustomer[],
  ) => Promise<unknown>;
}

/** The step that announces a date of subscriptions. */
const announcing = (announcement: Announcement): Kind => {
  const announced = announcements[announcement];
  return {
    sql: `select s.id, ${announcedFrom(announced)} as at
      from subscription s join mail_settings m on m.organization_id = s.organization_id and m.livemode = s.livemode
      where s.test_clock_id = $1 and ${announced.isDue} and ${announcedFrom(announced)} <= $2
      order by 2, s.created_at, s.position limit 1`,
    execute: (session, id) => announceDate(session, id, announcement),
  };
};

/** The largest number of steps that are executed together. */
const most = 150;
/** The number of batches at a time: while one waits for the database, others compute. */
const workers = 3;

/**
 * The kinds of steps in their order at one instant: boundaries come before runs, runs before lookups of payments, and
 * those before reminders. Of several runs the one for the oldest period comes first, as in `oldestDebtFirst`.
 */
const kinds: readonly Kind[] = [
  {
    sql: `select id, transition_due_at as at, customer_id as "customerId"
      from subscription where test_clock_id = $1 and transition_due_at <= $2
      order by transition_due_at, created_at, is_free_plan desc, position, id limit ${most}`,
    execute: (session, id) => transitionSubscription(session, id),
    together: (work, rows) =>
      inDueBatches(work, rows, (session, { id }) => transitionSubscription(session, id)),
  },
  {
    sql: `select r.id, r.due_at as at, r.customer_id as "customerId" from billing_run r join billing_period p on p.id = r.billing_period_id
      join subscription s on s.id = r.subscription_id where r.test_clock_id = $1 and r.due_at <= $2
      order by r.due_at, p.start_date, s.created_at, s.is_free_plan desc, s.position, r.created_at, r.attempt_number,
        r.position, r.id limit ${most}`,
    execute: (session, id) => executeDueRun(session, id),
    together: ({ em, open, onFailure }, rows) => executeRuns(em, open, rows, onFailure),
  },
  {
    sql: `select id, check_due_at as at from payment where test_clock_id = $1 and check_due_at <= $2
      order by check_due_at, charge_date, created_at, position, id limit 1`,
    execute: (session, id) => chargePayment(session, { paymentId: id, resumed: true }),
  },
  {
    sql: `select n.id::text, n.due_at as at from sandbox_notice n join payment p on p.idempotency_key = n.charge_key
      where p.test_clock_id = $1 and n.delivered_at is null and n.due_at <= $2 order by n.due_at, n.id limit 1`,
    execute: (session, id) => deliverSandboxNotice(session, Number(id)),
  },
  {
    sql: `select id, check_due_at as at from refund where test_clock_id = $1 and check_due_at <= $2
      and status in (${openRefundStatuses.map((status) => `'${status}'`).join(', ')})
      order by check_due_at, created_at, position, id limit 1`,
    execute: (session, id) => executeRefund(session, id),
  },
  {
    sql: `select id, follow_up_due_at as at from invoice where test_clock_id = $1 and follow_up_due_at <= $2
      and status = 'open' order by follow_up_due_at, created_at, position, id limit 1`,
    execute: (session, id) => followUpInvoice(session, id),
  },
  {
    sql: `select subscription_id as id, expired_at as at from resource_claim where test_clock_id = $1
      and released_at is null and expired_at <= $2 order by expired_at limit 1`,
    execute: (session, id, at) => expire({ ...session, now: at }, id),
  },
  {
    sql: `select subscription_id as id, expires_at as at from reservation where test_clock_id = $1
      and status = 'held' and expires_at <= $2 order by expires_at limit 1`,
    execute: (session, id, at) => expire({ ...session, now: at }, id),
  },
  {
    sql: `select s.id, c.expires_at as at from subscription s join usage_credit c on c.subscription_id = s.id
      where s.test_clock_id = $1 and c.remaining > 0 and c.expires_at <= $2 and coalesce(c.rollover_periods, 0) = 0
      order by c.expires_at, s.created_at, s.position, c.position limit 1`,
    execute: (session, id) => expireOf(session, id),
  },
  {
    sql: `select c.id, p.expires_at as at from prepaid_credit p join customer c on c.id = p.customer_id
      where c.test_clock_id = $1 and p.remaining > 0 and p.expires_at <= $2
      order by p.expires_at, c.created_at, c.position limit 1`,
    execute: (session, id) => expirePrepaid(session, id),
  },
  {
    sql: `select s.id, w.due_at as at from subscription s join usage_watch w on w.subscription_id = s.id
      where s.test_clock_id = $1 and w.due_at <= $2
      order by w.due_at, s.created_at, s.position limit 1`,
    execute: (session, id) => compareAtTime(session, id),
  },
  {
    sql: `select s.id, w.bill_due_at as at from subscription s join usage_watch w on w.subscription_id = s.id
      where s.test_clock_id = $1 and w.bill_due_at <= $2
      order by w.bill_due_at, s.created_at, s.position limit 1`,
    execute: (session, id) => billAtAmount(session, id),
  },
  {
    sql: `select t.id, t.due_at as at from top_up t join subscription s on s.id = t.subscription_id
      where s.test_clock_id = $1 and t.due_at <= $2 order by t.due_at, t.created_at, t.position limit 1`,
    execute: (session, id) => executeTopUp(session, id),
  },
  {
    sql: `select t.id, greatest(k.frozen_time, t.waits_until) as at from prepaid_top_up t
      join customer c on c.id = t.customer_id join test_clock k on k.id = c.test_clock_id
      where c.test_clock_id = $1 and ${isLow('t')} and greatest(k.frozen_time, t.waits_until) <= $2
      order by 2, t.created_at, t.position limit 1`,
    execute: (session, id) => executePrepaidTopUp(session, id),
  },
  announcing('trial_ending'),
  announcing('renewal_upcoming'),
  {
    sql: `select p.id, ${expiryAnnouncedFrom('p')} as at from payment_method p join customer c on c.id = p.customer_id
      join mail_settings m on m.organization_id = p.organization_id and m.livemode = p.livemode
      where c.test_clock_id = $1 and ${isExpiryDue('p')} and ${expiryAnnouncedFrom('p')} <= $2
      order by 2, p.created_at, p.position limit 1`,
    execute: (session, id) => announceExpiry(session, id),
  },
  {
    sql: `select p.id, ${prepaidExpiryAnnouncedFrom('p')} as at from prepaid_credit p join customer c on c.id = p.customer_id
      join mail_settings m on m.organization_id = p.organization_id and m.livemode = p.livemode
      where c.test_clock_id = $1 and ${isPrepaidExpiryDue('p')} and ${prepaidExpiryAnnouncedFrom('p')} <= $2
      order by 2, p.created_at, p.position limit 1`,
    execute: (session, id) => announcePrepaidExpiry(session, id),
  },
];

const earliest = `with due as (
  ${kinds
    .map(
      ({ sql, together }, kind) =>
        `select ${kind} as kind, due.id, due.at, ${together ? '"customerId"' : 'null'} as "customerId", row_number() over () as place
         from (${sql}) due`,
    )
    .join(' union all ')})
  select kind, id, (extract(epoch from at) * 1000)::float8 as at, "customerId" from due
  where (at, kind) = (select at, kind from due order by at, kind limit 1) order by place`;

interface Step {
  readonly kind: number;
  readonly id: string;
  readonly at: number;
  readonly customerId: string | null;
}

/**
 * The earliest steps that are due on a clock by an instant, in one round trip: those of the first kind at the first
 * instant, one for each customer. Several of one customer follow one after the other.
 */
export async function nextDue(
  { em }: Session,
  testClockId: string,
  by: Date,
): Promise<Due | undefined> {
  const steps = await statement<Step>(em, 'next steps of a clock', earliest, [testClockId, by]);
  const [next] = steps;
  if (!next) return undefined;
  const at = new Date(next.at);
  const { together, execute } = kinds[next.kind] as Kind;
  const rows = [...new Map(steps.toReversed().map((one) => [one.customerId, one])).values()];
  return {
    at,
    // A dry run has one transaction for all.
    execute: (session) =>
      together && rows.length > 1 && !session.em.isInTransaction()
        ? executeTogether(session, together, rows.toReversed())
        : execute(session, next.id, at),
  };
}

/** Executes steps of several customers. Errors: the first one, after the other steps are done. */
async function executeTogether(
  session: Session,
  together: NonNullable<Kind['together']>,
  steps: readonly Step[],
) {
  const { em, organizationId, pricingModelId, livemode } = session;
  const errors: unknown[] = [];
  await analyzeGrown(em);
  const work = {
    em,
    open: () => afresh(session),
    onFailure: (error: unknown) => void errors.push(error),
    workers,
  };
  const tenant = { organizationId, pricingModelId, livemode };
  const rows = steps.map(({ id, customerId }) => ({ id, customerId: customerId ?? '', ...tenant }));
  await together(work, rows);
  if (errors.length > 0) throw errors[0];
}
