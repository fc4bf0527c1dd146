import { moneyText } from '#domain/kernel/currencies.ts';
import {
  costOf,
  decimalText,
  dividedHalfUp,
  partThatCosts,
  type Units,
} from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { largestSubtotal } from '#domain/rules/ledger/largest-usage.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import type { Line } from './open-invoice.ts';
import { isBillable, type UnbilledPart, type UsageRate } from './unbilled-part.ts';
import { unbilledUsage } from './unbilled-usage.ts';

/** A line of usage, with the parts that it bills. */
export interface UsageLine extends Line {
  readonly balanceId: string;
  readonly priceId: string;
  readonly usageQuantity: string;
  readonly parts: readonly UnbilledPart[];
}

/**
 * The usage lines that a locked subscription owes, one for each meter and price. The amount is the exact quotient of
 * usage and `usageEventsPerUnit` times the price, rounded half up once. Overbilled usage is a line below 0, limited
 * to the other lines plus `otherCharges` minor units of the rest of the invoice. The remainder moves to the next invoice
 * and costs there exactly the difference. A line that would make the invoice too large waits for the next one, too.
 */
export async function usageLines(
  session: Session,
  subscription: Subscription,
  otherCharges: number,
): Promise<UsageLine[]> {
  const all = await unbilledUsage(session, subscription);
  const billable = all
    .map(({ rate, parts }) => ({ rate, parts: parts.filter(isBillable) }))
    .map((usage) => ({ ...usage, units: sumOfParts(usage.parts) }));
  let most = largestSubtotal - (Number.isFinite(otherCharges) ? otherCharges : 0);
  const countable = billable.filter(({ units, rate }) => {
    // The quantity of a free line has to be counted, too.
    const worth = Math.max(0, worthOf(units, { ...rate, unitPrice: Math.max(1, rate.unitPrice) }));
    const fits = worth <= most;
    if (fits) most -= worth;
    return fits;
  });
  let room = otherCharges;
  for (const { units, rate } of countable) room += Math.max(0, worthOf(units, rate));
  return countable.flatMap(({ rate, parts, units }): UsageLine[] => {
    const worth = -worthOf(units, rate);
    const part = worth <= room ? units : -partOf(-units, rate, room);
    if (units < 0n) room -= Math.min(worth, part === 0n ? 0 : room);
    // Due and set off usage may cancel each other: both are shown, and settled.
    if (units === 0n && parts.length > 0) return [lineOf(rate, 0n, parts)];
    return part === 0n ? [] : [lineOf(rate, part, partsUpTo(parts, part))];
  });
}

export const sumOfParts = (parts: readonly UnbilledPart[]): Units =>
  parts.reduce((sum, { units }) => sum + units, 0n);

const worthOf = (units: Units, { unitPrice, perUnit }: UsageRate) =>
  Number(costOf(units, unitPrice, perUnit));

/** The units of a correction that fit into the room. */
const partOf = (units: Units, { unitPrice, perUnit }: UsageRate, room: number): Units =>
  room > 0 ? partThatCosts(units, BigInt(room), unitPrice, perUnit) : 0n;

/** The due units of some parts, with as many corrections as lead to `wanted` together, in their order. */
function partsUpTo(parts: readonly UnbilledPart[], wanted: Units): UnbilledPart[] {
  const due = parts.filter(({ units }) => units > 0n);
  let left = wanted - sumOfParts(due);
  const back = parts.flatMap((part): UnbilledPart[] => {
    if (part.units > 0n || left === 0n) return [];
    const units = part.units > left ? part.units : left;
    left -= units;
    return [{ ...part, units }];
  });
  return [...due, ...back];
}

/** The line that bills or credits some parts. */
export function lineOf(
  { unitPrice, perUnit, meterName, currency, priceId, balanceId }: UsageRate,
  units: Units,
  parts: readonly UnbilledPart[],
): UsageLine {
  return {
    type: 'usage',
    description: `Usage: ${meterName} at ${moneyText(unitPrice, currency, 'symbol')} per ${perUnit}${units < 0n ? ', credited' : ''}`,
    quantity: Number(decimalText(dividedHalfUp(units, BigInt(perUnit)))),
    price: unitPrice,
    amount: Number(costOf(units, unitPrice, perUnit)),
    priceId,
    balanceId,
    usageQuantity: decimalText(units),
    usageEventsPerUnit: perUnit,
    parts,
  };
}

/** Whether there is an amount to charge: free or credited lines alone make no invoice. */
export const areCharged = (lines: readonly Line[]): boolean =>
  lines.some(({ price, quantity }) => price > 0 && quantity > 0);
