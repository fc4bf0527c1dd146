import type { Session } from '#domain/kernel/session.ts';
import type { Ledger } from '#domain/metering/ledger/ledger.ts';
import { spendIn } from '#domain/metering/ledger/period-spend.ts';
import { statement } from '#engines/lockstep/statement.ts';

interface Row {
  readonly id: string;
  readonly billAt: string;
  readonly periodId: string;
  readonly billed: string;
}

/**
 * Makes the unbilled usage of written ledgers due that has reached the amount at which their subscription bills it. It
 * stays due until it is billed, or less again.
 */
export async function compareBillAt(session: Session, ledgers: readonly Ledger[]) {
  const rows = await unbilledRows(session, [...new Set(ledgers.map((one) => one.subscriptionId))]);
  if (rows.length === 0) return;
  const spends = await spendIn(
    session,
    rows.map(({ id, periodId }) => [id, periodId]),
  );
  const reached = rows.map(({ id, billAt, billed }) => {
    const own = spends.filter(({ subscriptionId }) => subscriptionId === id);
    const spent = own.reduce((sum, { amount }) => sum + amount, 0n);
    return spent - BigInt(billed) >= BigInt(billAt);
  });
  const nowOf = new Map(ledgers.map(({ subscriptionId, now }) => [subscriptionId, now]));
  await statement(
    session.em,
    'compare amounts to bill at',
    `update usage_watch set bill_due_at = case when reached then now end
     from unnest($1::text[], $2::boolean[], $3::timestamptz[]) as compared (id, reached, now)
     where subscription_id = compared.id and (bill_due_at is not null) <> reached`,
    [rows.map(({ id }) => id), reached, rows.map(({ id }) => new Date(nowOf.get(id) ?? 0))],
  );
}

/** The running periods of subscriptions that bill usage at an amount, and the usage of them that is billed. */
export const unbilledRows = (
  { em, pricingModelId }: Session,
  ids: readonly string[],
): Promise<Row[]> =>
  statement<Row>(
    em,
    'periods that bill at an amount',
    `select s.id, s.bill_at::text as "billAt", p.id as "periodId", (
       select coalesce(sum(o.amount), 0)::text from usage_meter_balance b join owed_usage o on o.balance_id = b.id
       where b.subscription_id = s.id and o.billing_period_id = p.id and o.invoice_line_item_id is not null) as billed
     from subscription s
     join billing_period p on p.subscription_id = s.id and p.start_date = s.current_billing_period_start
     where s.id = any($1::text[]) and s.pricing_model_id = $2 and s.bill_at is not null and not s.do_not_charge
       and s.status in ('active', 'past_due', 'cancellation_scheduled')
       and not p.trial_period and p.paid_elsewhere_amount is null`,
    [ids, pricingModelId],
  );
