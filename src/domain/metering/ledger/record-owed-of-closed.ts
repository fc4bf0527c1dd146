import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { Ledger, Period, Rate } from './ledger.ts';
import { type RateRow, rateColumns, rateOf } from './rate-columns.ts';
import { recordOwedUsage } from './record-owed-usage.ts';

/** Records the owed usage of closed periods after their usage has changed. */
export async function recordOwedOfClosed(
  session: Session,
  changed: readonly { readonly ledger: Ledger; readonly period: Period }[],
) {
  const closed = changed.filter(({ period }) => period.closed);
  if (closed.length === 0) return;
  const priceIds = closed.flatMap(({ ledger }) =>
    [...ledger.totals.values()].map(({ priceId }) => priceId),
  );
  const rates = await ratesOf(session, priceIds);
  for (const { ledger, period } of closed) recordOwedUsage(ledger, period.id, rates);
}

/** The rates of prices of the session's pricing model, by their ids. */
export async function ratesOf(
  { em, pricingModelId }: Session,
  priceIds: readonly string[],
): Promise<Map<string, Rate>> {
  const rows = await statement<RateRow & { id: string }>(
    em,
    'usage rates',
    `select id, ${rateColumns('price')} from price
     where pricing_model_id = $1 and id = any($2::text[])`,
    [pricingModelId, [...new Set(priceIds)]],
  );
  return new Map(rows.map(({ id, ...row }) => [id, rateOf(row)]));
}
