import type { Session } from '#domain/kernel/session.ts';
import { costOf, decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import { billedPeriods, eventsOf } from '#domain/metering/credits/break-down-usage.ts';
import { areUnreadable } from '#domain/metering/history/unreadable-months.ts';
import { digestEvents } from '#domain/metering/ledger/digest-events.ts';
import type { PricedTerms } from '#domain/model/catalog/exact-part.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import type { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import type { EventsDigest, UsagePart } from '#domain/model/invoicing/usage-breakdown.ts';
import { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { explainPriced } from './explain-priced.ts';

/**
 * Explains the quantity of a usage line, period by period, down to the events. Compares the breakdown that was
 * recorded at billing with the events of that time, from the database or from files. The line that corrects a
 * voided event explains it.
 */
export async function explainUsage(session: Session, line: InvoiceLineItem, money: Money) {
  const { em } = session;
  const balance = await em.findOneOrFail(UsageMeterBalance, line.balanceId ?? '');
  const periods: UsagePart[] = [];
  const differences: string[] = [];
  const steps: string[] = [];
  for (const part of line.usageBreakdown ?? []) {
    const { count, recordedFrom, recordedUntil } = part.events;
    steps.push(`${await timeOf(session, part)}: ${madeOf(part)}`);
    if (recordedFrom && (await areUnreadable(session, recordedFrom, recordedUntil))) {
      steps.push(`the ${count} events are archived; these are the stored figures`);
      periods.push(part);
    } else {
      const of = eventsOf(line, balance, { ...part, periodId: part.billingPeriodId });
      const present = await digestEvents(session, { ...of, recordedUntil });
      differences.push(...(await differencesOf(session, line, balance, part, present)));
      // The events are those of the line: so is their other digest, which it has not stored.
      const { sha256, sumOfSha256 } = present;
      const events = { sha256, sumOfSha256, ...part.events };
      periods.push(areEqual(part.events, present) ? { ...part, events } : part);
    }
  }
  const { usageQuantity } = line;
  const units = unitsOf(usageQuantity ?? '0');
  if (periods.length === 0) steps.push('its composition was not stored');
  const billed = (await billedPeriods(session, [line.id])).reduce(
    (sum, { quantity }) => sum + unitsOf(quantity),
    0n,
  );
  const written = periods.reduce((sum, part) => sum + unitsOf(part.billed), 0n);
  if (billed !== units || (periods.length > 0 && written !== units)) {
    differences.push(`${line.id}: ${decimalText(billed)} is owed, not ${usageQuantity}`);
  }
  const terms = (await line.catalogPrice?.loadOrFail())?.terms ?? null;
  const cost = explainCost(line, terms, money);
  steps.push(...cost.steps);
  differences.push(...cost.differences);
  return {
    periods,
    steps,
    differences,
    sources: [balance.id, ...periods.map((one) => one.billingPeriodId)],
  };
}

type Money = (amount: number) => string;

/** The amount of a line: each period costs the difference to what was billed for it before. */
function explainCost(line: InvoiceLineItem, terms: PricedTerms | null, money: Money) {
  const { id, price, amount, usageQuantity, usageEventsPerUnit, usageBreakdown } = line;
  const perUnit = usageEventsPerUnit ?? 1;
  const costs = (usageBreakdown ?? []).flatMap(({ billed, cost }) =>
    cost ? [{ billed, cost }] : [],
  );
  if (costs.length === 0) {
    // Lines of earlier versions were rounded once for all periods.
    const cost = Number(costOf(unitsOf(usageQuantity ?? '0'), price, perUnit));
    const step = `${usageQuantity} ÷ ${perUnit} × ${money(price)}, rounded half up = ${money(amount)}`;
    const differences = cost === amount ? [] : [`${id}: should amount to ${money(cost)}`];
    return { steps: [step], differences };
  }
  const steps: string[] = [];
  const differences: string[] = [];
  for (const { billed, cost } of costs) {
    const { before, rest, measured } = cost;
    if (measured && terms) {
      const explained = explainPriced(terms, cost, measured, money);
      steps.push(...explained.steps);
      differences.push(...explained.differences.map((difference) => `${id}: ${difference}`));
      continue;
    }
    const all = unitsOf(before.usage) + unitsOf(billed) + unitsOf(rest.usage);
    const now = Number(costOf(all, price, perUnit));
    const change = now - before.amount;
    const due = unitsOf(billed) > 0n ? Math.max(0, change) : Math.min(0, change);
    const formula = `${decimalText(all)} ÷ ${perUnit} × ${money(price)}, rounded half up = ${money(now)}`;
    steps.push(formula);
    if (all !== unitsOf(billed)) {
      steps.push(
        `less ${money(before.amount)} for ${before.usage}, billed before: ${money(due)}`,
        ...(unitsOf(rest.usage) === 0n
          ? []
          : [`of which ${rest.usage} with ${money(rest.amount)} is not on this invoice`]),
      );
    }
    if (cost.amount + rest.amount !== due) {
      differences.push(
        `${id}: should amount to ${money(due - rest.amount)}, not ${money(cost.amount)}`,
      );
    }
  }
  const sum = costs.reduce((sum, { cost }) => sum + cost.amount, 0);
  if (costs.length > 1) {
    steps.push(`${costs.map(({ cost }) => money(cost.amount)).join(' + ')} = ${money(sum)}`);
  }
  if (sum !== amount) differences.push(`${id}: should amount to ${money(sum)}`);
  return { steps, differences };
}

async function timeOf({ em }: Session, { billingPeriodId }: UsagePart) {
  const period = await em.findOne(BillingPeriod, billingPeriodId);
  return period
    ? `${period.startDate.toISOString()} to ${period.endDate.toISOString()}`
    : 'before the first billing period';
}

function madeOf({ isCorrection, used, covered, billed, cost, events }: UsagePart): string {
  const { count } = events;
  const before =
    cost && unitsOf(cost.before.usage) !== 0n ? `, ${cost.before.usage} billed before` : '';
  if (!isCorrection)
    return `${count} events, ${used} used, ${covered} covered by credits${before}: ${billed}`;
  return count > 0
    ? `${count} events voided or replaced after billing: ${billed}`
    : `carried over from an earlier invoice: ${billed}`;
}

/** Whether events are those of a line, by the digest that it has stored. */
const areEqual = (stored: EventsDigest, present: Required<EventsDigest>) =>
  stored.count === present.count &&
  stored.sum === present.sum &&
  (stored.sumOfSha256 === undefined
    ? stored.sha256 === present.sha256
    : stored.sumOfSha256 === present.sumOfSha256);

/** The differences between the present events of a line and its recorded breakdown. */
async function differencesOf(
  session: Session,
  line: InvoiceLineItem,
  balance: UsageMeterBalance,
  { billingPeriodId, isCorrection, used, covered, billed, cost, events }: UsagePart,
  now: Required<EventsDigest>,
): Promise<string[]> {
  const period = billingPeriodId || 'the time before the first billing period';
  const differences: string[] = [];
  if (!areEqual(events, now)) {
    differences.push(
      `${line.id}: the events of ${period} were ${events.count} with a sum of ${events.sum}, and are ${now.count} with ${now.sum}`,
    );
  }
  if (isCorrection) return differences;
  const { aggregationType } = await session.em.findOneOrFail(UsageMeter, balance.usageMeterId);
  const made = { sum: now.sum, count: String(now.count) }[aggregationType as string];
  if (made !== undefined && made !== used) {
    differences.push(`${line.id}: the events of ${period} amount to ${made}, not ${used}`);
  }
  const others = unitsOf(cost?.before.usage ?? '0') + unitsOf(cost?.rest.usage ?? '0');
  if (unitsOf(used) - unitsOf(covered) !== unitsOf(billed) + others) {
    differences.push(`${line.id}: ${used} less ${covered} of ${period} is not ${billed}`);
  }
  return differences;
}
