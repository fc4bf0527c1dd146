import type { Session } from '#domain/kernel/session.ts';
import { decimalText } from '#domain/kernel/values/decimal.ts';
import type { Ledger } from '#domain/metering/ledger/ledger.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * Makes the top-ups of written ledgers due whose credits have reached the threshold; one that has bought all packages of
 * its month is due in the next one. A top-up with enough credits is not due any more. While a purchase is pending
 * nothing changes.
 */
export async function compareTopUps({ em }: Session, ledgers: readonly Ledger[]) {
  await statement(
    em,
    'compare top-ups',
    `update top_up set due_at = case when ledger.credits > threshold then null
         when month = to_char(ledger.now at time zone 'UTC', 'YYYY-MM') and purchases_in_month >= most_per_month
           then (date_trunc('month', ledger.now at time zone 'UTC') + interval '1 month') at time zone 'UTC'
         else ledger.now end
     from unnest($1::text[], $2::text[], $3::numeric[], $4::timestamptz[])
       as ledger (subscription_id, usage_meter_id, credits, now)
     where top_up.subscription_id = ledger.subscription_id and top_up.usage_meter_id = ledger.usage_meter_id
       and active and pending_purchase_id is null and (due_at is null) = (ledger.credits <= threshold)`,
    [
      ledgers.map(({ subscriptionId }) => subscriptionId),
      ledgers.map(({ usageMeterId }) => usageMeterId),
      ledgers.map(({ balances }) => decimalText(balances.credits)),
      ledgers.map(({ now }) => new Date(now)),
    ],
  );
}
