import type { Session } from '#domain/kernel/session.ts';
import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import {
  digestEvents,
  type EventsOfLine,
  leaveOut,
} from '#domain/metering/ledger/digest-events.ts';
import { keyOf, type Ledger, type Total } from '#domain/metering/ledger/ledger.ts';
import { ratesOf } from '#domain/metering/ledger/record-owed-of-closed.ts';
import { freeOf } from '#domain/metering/ledger/record-owed-usage.ts';
import { eventsDigest } from '#domain/metering/ledger/running-digest.ts';
import type { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import type { CostOfPart, UsagePart } from '#domain/model/invoicing/usage-breakdown.ts';
import type { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** A period that a line bills or corrects. */
export interface BilledPeriod {
  readonly lineId: string;
  readonly periodId: string;
  readonly quantity: string;
  readonly isCorrection: boolean;
}

/**
 * The periods of lines that have just been billed. One that an earlier line has billed is corrected, unless its usage was
 * billed while it was running: each line of such a period refers to all usage until then.
 */
export const billedPeriods = (
  { em }: Session,
  lineIds: readonly string[],
): Promise<BilledPeriod[]> =>
  statement<BilledPeriod>(
    em,
    'periods of usage lines',
    `select o.invoice_line_item_id as "lineId", o.billing_period_id as "periodId", sum(o.quantity)::text as quantity,
       exists (select from owed_usage other where other.balance_id = o.balance_id
         and other.billing_period_id = o.billing_period_id and other.price_id = o.price_id
         and other.invoice_line_item_id <> o.invoice_line_item_id)
       and not exists (select from owed_usage other join invoice_line_item line on line.id = other.invoice_line_item_id
         join invoice i on i.id = line.invoice_id and i.purpose = 'threshold'
         where other.balance_id = o.balance_id and other.billing_period_id = o.billing_period_id
           and other.price_id = o.price_id) as "isCorrection"
     from owed_usage o left join billing_period p on p.id = o.billing_period_id
     where o.invoice_line_item_id = any($1::text[])
     group by o.invoice_line_item_id, o.balance_id, o.billing_period_id, o.price_id, p.start_date
     order by p.start_date nulls first`,
    [lineIds],
  );

/** A usage line with its locked ledger. */
export interface BilledLine {
  readonly line: InvoiceLineItem;
  readonly balance: UsageMeterBalance;
  /** The ledger with the totals of the periods of the line. */
  readonly ledger: Ledger;
  /** The amounts of its periods, by their ids. */
  readonly costs: ReadonlyMap<string, CostOfPart>;
}

/** Records the breakdown of lines that have just been billed. Later changes of their events belong to later lines. */
export async function breakDownUsage(
  session: Session,
  lines: readonly BilledLine[],
  periods: readonly BilledPeriod[],
) {
  const rates = await ratesOf(
    session,
    lines.flatMap(({ ledger }) => [...ledger.totals.values()].map(({ priceId }) => priceId)),
  );
  for (const { line, balance, ledger, costs } of lines) {
    const parts: UsagePart[] = [];
    for (const period of periods.filter(({ lineId }) => lineId === line.id)) {
      const { periodId, isCorrection } = period;
      const of = eventsOf(line, balance, period);
      await leaveOut(session, of);
      const total = ledger.totals.get(keyOf(periodId, of.priceId));
      const events = await digestOf(session, of, total);
      const covered = (total && freeOf(ledger, periodId, rates).get(total)) ?? 0n;
      parts.push({
        billingPeriodId: periodId,
        isCorrection,
        used: isCorrection ? events.sum : decimalText(total?.usage ?? 0n),
        covered: isCorrection ? '0' : decimalText(covered),
        billed: decimalText(unitsOf(period.quantity)),
        cost: costs.get(periodId) ?? null,
        events,
      });
    }
    await statement(
      session.em,
      'breakdown of a line',
      `update "invoice_line_item" set usage_breakdown = $1::jsonb where id = $2 and pricing_model_id = $3`,
      [JSON.stringify(parts), line.id, session.pricingModelId],
    );
  }
}

/**
 * The digest of the events that a line bills or corrects, of which the voided ones are left out. Those that count have a
 * running digest, so the time does not depend on their number.
 */
async function digestOf(session: Session, of: EventsOfLine, total: Total | undefined) {
  if (of.which === 'billed' && total?.digest) return eventsDigest(total.digest);
  const { sha256: _, ...digest } = await digestEvents(session, of);
  return digest;
}

/** The events of a line in one of its periods. */
export const eventsOf = (
  { id, priceId }: InvoiceLineItem,
  { subscriptionId, usageMeterId }: UsageMeterBalance,
  { periodId, isCorrection }: Pick<BilledPeriod, 'periodId' | 'isCorrection'>,
): EventsOfLine => ({
  subscriptionId,
  usageMeterId,
  billingPeriodId: periodId,
  priceId: priceId ?? '',
  lineId: id,
  which: isCorrection ? 'corrected' : 'billed',
});
