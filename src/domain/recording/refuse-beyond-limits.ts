import { DomainError, type Issue } from '#domain/kernel/errors.ts';
import { decimalText, type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import type { Measure } from '#domain/metering/alerts/measure-alerts.ts';
import { limitKinds } from '#domain/model/metering/alert-kinds.ts';
import type { Call, Row } from './usage-call.ts';

/** How far usage is beyond a hard limit, in the units of its value. */
interface Excess {
  readonly measure: Measure;
  readonly by: Units;
  /** By how much the transaction has changed the value. */
  readonly requested: Units;
}

/**
 * Refuses usage that raises a value beyond a hard limit. Corrections are not refused. The issues name the last events
 * that have to go: without them the call is within the limit. Errors: CONFLICT.
 */
export function refuseBeyondLimits(
  measures: readonly Measure[],
  rows: readonly Row[],
  calls: readonly Call[],
) {
  const issues = measures
    .filter(({ alert }) => alert.hardLimit && limitKinds.includes(alert.kind))
    .flatMap((measure) => {
      const own = rows.filter((row) => isMeant(row, measure));
      const excess = own.length > 0 ? excessOf(measure) : undefined;
      return excess ? issuesOf(excess, own, calls) : [];
    });
  const [first] = issues;
  if (first)
    throw new DomainError('CONFLICT', `The usage ${first.message}`, {
      issues: [first, ...issues.slice(1)],
    });
}

const isMeant = ({ event, period }: Row, { alert, ledger, periodId }: Measure) =>
  event.firstRecordedAt == null &&
  event.subscriptionId === ledger.subscriptionId &&
  (alert.usageMeterId ?? event.usageMeterId) === event.usageMeterId &&
  (alert.kind === 'credits' || period.id === periodId);

function excessOf(measure: Measure): Excess | undefined {
  const { alert, ledger, periodId, value } = measure;
  const limit = unitsOf(alert.threshold);
  const uncovered = -sumOf(ledger.postings.map(({ overage }) => overage));
  if (value === null) return undefined;
  if (alert.kind === 'credits') {
    const requested = sumOf(ledger.postings.map(({ credits }) => -credits)) + uncovered;
    const by = limit - (value - uncovered);
    return by > 0n && requested > 0n ? { measure, by, requested } : undefined;
  }
  const by = value - limit;
  if (by <= 0n) return undefined;
  if (alert.kind === 'spend') {
    return uncovered > 0n ? { measure, by, requested: uncovered } : undefined;
  }
  const ofPeriod = ledger.postings.filter((posting) => (posting.periodId ?? '') === periodId);
  const requested = sumOf(ofPeriod.map(({ usage }) => usage));
  return requested > 0n ? { measure, by, requested } : undefined;
}

const sumOf = (units: readonly Units[]): Units => units.reduce((sum, one) => sum + one, 0n);

function issuesOf(
  { measure, by, requested }: Excess,
  rows: readonly Row[],
  calls: readonly Call[],
): Issue[] {
  const { alert, value } = measure;
  const message = messageOf(measure, requested, value ?? 0n);
  const named: Row[] = [];
  let left = by;
  for (const row of rows.toReversed()) {
    if (left <= 0n) break;
    const worth = worthOf(row, alert.kind, unitsOf(alert.threshold));
    if (worth === 0n) continue;
    named.push(row);
    left -= worth;
  }
  const last = rows.at(-1) as Row;
  return (named.length > 0 ? named : [last]).toReversed().map(({ call, index }) => ({
    code: 'LIMIT_EXCEEDED',
    path: [...(calls[call]?.pathOf(index) ?? []), 'amount'],
    message,
  }));
}

const once = unitsOf('1');

/** By how much a value is lower without an event, at most; 0 for one that does not exceed a limit on the largest. */
function worthOf({ event, resolved }: Row, kind: Measure['alert']['kind'], limit: Units): Units {
  const amount = unitsOf(event.amount);
  const { meter, rate } = resolved;
  if (kind === 'spend') return (amount * BigInt(rate.unitPrice)) / BigInt(rate.perUnit);
  switch (meter.aggregationType) {
    case 'count':
      return once;
    case 'max':
    case 'last':
      return kind === 'usage' && amount <= limit ? 0n : amount;
    default:
      return amount;
  }
}

function messageOf({ alert, ledger }: Measure, requested: Units, value: Units): string {
  const { id, kind, threshold } = alert;
  const of = `the hard limit ${id}`;
  if (kind === 'credits') {
    const left = ledger.balances.credits + sumOf(ledger.postings.map(({ credits }) => -credits));
    return `exceeds ${of}, which keeps ${threshold} usage credits: ${decimalText(left)} are left and ${decimalText(requested)} requested`;
  }
  if (kind === 'spend') {
    return `exceeds ${of} of ${threshold} minor units for a billing period: with it the usage costs ${decimalText(value)}`;
  }
  return `exceeds ${of} of ${threshold} units for a billing period: ${decimalText(value - requested)} are used and ${decimalText(requested)} requested`;
}
