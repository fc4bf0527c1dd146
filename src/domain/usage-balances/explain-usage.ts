import { BillingPeriod } from '../billing-periods/billing-period.ts';
import { costOf, decimalText, unitsOf } from '../decimal.ts';
import type { InvoiceLineItem } from '../invoice-line-items/invoice-line-item.ts';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';
import { digestEvents, type EventsDigest } from '../usage-events/digest-events.ts';
import { UsageMeter } from '../usage-meters/usage-meter.ts';
import { UsageMeterBalance } from './usage-meter-balance.ts';
import { UsageTotal } from './usage-total.ts';

/** What one billing period has to do with a usage line. Amounts are exact decimals. */
export interface ExplainedUsage {
  readonly billingPeriodId: string;
  /** Whether the line makes up here for what an earlier one billed too much, or too little. */
  readonly isCorrection: boolean;
  /** What was used, as the meter makes one number of the events; for a correction of those taken back. */
  readonly used: string;
  /** What of it credits covered; 0 for a correction. */
  readonly covered: string;
  /** What of it the line bills. */
  readonly billed: string;
  readonly events: EventsDigest;
}

interface Part {
  readonly periodId: string;
  readonly quantity: string;
  readonly isCorrection: boolean;
}

/**
 * How a usage line comes to its quantity, period by period, down to the events. Answers also where the events
 * do not come to what has been billed.
 */
export async function explainUsage(session: Session, line: InvoiceLineItem) {
  const { em } = session;
  const balance = await em.findOneOrFail(UsageMeterBalance, line.balanceId ?? '');
  const meter = await em.findOneOrFail(UsageMeter, balance.usageMeterId);
  const differences: string[] = [];
  const periods: ExplainedUsage[] = [];
  const steps: string[] = [];
  const priceId = line.priceId ?? '';
  for (const { periodId, quantity, isCorrection } of await partsOf(session, line)) {
    const { subscriptionId, usageMeterId } = balance;
    const of = { subscriptionId, usageMeterId, billingPeriodId: periodId, priceId };
    const events = await digestEvents(session, of, isCorrection ? 'taken back' : 'billed');
    const takenBack = await digestEvents(session, of, 'taken back');
    const total = await em.findOne(UsageTotal, {
      balance: balance.id,
      billingPeriodId: periodId,
      priceId,
    });
    const isSum = meter.aggregationType === 'sum';
    const present = unitsOf(total?.usage ?? '0');
    const used = isCorrection || isSum ? unitsOf(events.sum) : present;
    if (isSum && !isCorrection && present + unitsOf(takenBack.sum) !== used) {
      differences.push(`${line.id}: the events of ${periodId} come to ${events.sum}`);
    }
    const billed = unitsOf(quantity);
    const covered = isCorrection || billed > used ? 0n : used - billed;
    const numbers = { used: decimalText(used), covered: decimalText(covered), billed: quantity };
    periods.push({ billingPeriodId: periodId, isCorrection, ...numbers, events });
    const period = await em.findOne(BillingPeriod, periodId);
    const time = period
      ? `${period.startDate.toISOString()} to ${period.endDate.toISOString()}`
      : 'before the first billing period';
    steps.push(
      isCorrection
        ? `${time}: ${events.count} events taken back after they were billed: ${quantity}`
        : `${time}: ${events.count} events, ${numbers.used} used, ${numbers.covered} covered by credits: ${quantity}`,
    );
  }
  const { price, usageEventsPerUnit, amount } = line;
  const perUnit = usageEventsPerUnit ?? 1;
  const units = periods.reduce((sum, { billed }) => sum + unitsOf(billed), 0n);
  steps.push(`${decimalText(units)} ÷ ${perUnit} × ${price}, rounded half up = ${amount}`);
  if (decimalText(units) !== decimalText(unitsOf(line.usageQuantity ?? '0'))) {
    differences.push(`${line.id}: ${decimalText(units)} is owed and not ${line.usageQuantity}`);
  }
  if (Number(costOf(units, price, perUnit)) !== amount) {
    differences.push(`${line.id}: should amount to ${costOf(units, price, perUnit)}`);
  }
  return {
    periods,
    steps,
    differences,
    sources: [balance.id, ...periods.map((one) => one.billingPeriodId)],
  };
}

/** The periods that a line bills; one that another line has billed before is corrected. */
function partsOf({ em }: Session, { id }: InvoiceLineItem): Promise<Part[]> {
  return statement<Part>(
    em,
    'parts of a usage line',
    `select o.billing_period_id as "periodId", sum(o.quantity)::text as quantity,
       exists (select from owed_usage before join invoice_line_item line on line.id = before.invoice_line_item_id
         where before.balance_id = o.balance_id and before.billing_period_id = o.billing_period_id
           and before.price_id = o.price_id and line.id <> $1
           and (line.created_at, line.id) < (max(own.created_at), $1)) as "isCorrection"
     from owed_usage o join invoice_line_item own on own.id = o.invoice_line_item_id
     left join billing_period p on p.id = o.billing_period_id
     where o.invoice_line_item_id = $1
     group by o.balance_id, o.billing_period_id, o.price_id, p.start_date order by p.start_date`,
    [id],
  );
}
