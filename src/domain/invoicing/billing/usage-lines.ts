import {
  isBillable,
  type UnbilledPart,
  type UsageRate,
} from '#domain/invoicing/crediting/unbilled-part.ts';
import type { Session } from '#domain/kernel/session.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import { costOf, decimalText, dividedHalfUp, type Units } from '#domain/kernel/values/decimal.ts';
import { largestSubtotal } from '#domain/metering/ledger/largest-usage.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { Line } from './open-invoice.ts';
import { pricedLine } from './priced-line.ts';
import { type KnownDiscounts, withReturnedShares } from './returned-shares.ts';
import { unitsWorth } from './reverse-lines.ts';
import { type UnbilledUsage, unbilledUsage } from './unbilled-usage.ts';

/** A line of usage, with the parts that it bills. */
export interface UsageLine extends Line {
  readonly balanceId: string;
  readonly priceId: string;
  readonly usageQuantity: string;
  readonly amount: number;
  readonly parts: readonly UnbilledPart[];
}

/**
 * The usage lines that a locked subscription owes, one for each meter and price. For each period the amount is the
 * exact quotient of usage and `usageEventsPerUnit` times the price, rounded half up once. The amount that has been
 * billed for the period is deducted. Overbilled usage is a line below 0, limited to the other lines plus `otherCharges`
 * minor units of the rest of the invoice. The remainder moves to the next invoice and costs there exactly the
 * difference. A line that would make the invoice too large waits for the next one, too. `discountOn` tells the discount
 * on the rest of the invoice with the usage that is due: as much less can be credited. `unbilled` is that usage, where
 * the caller has read it.
 */
export async function usageLines(
  session: Session,
  subscription: Subscription,
  otherCharges: number,
  discountOn: (base: number) => number = () => 0,
  unbilled?: readonly UnbilledUsage[],
): Promise<UsageLine[]> {
  const all = unbilled ?? (await unbilledUsage(session, subscription));
  const billable = all
    .map(({ rate, parts }) => ({ rate, parts: parts.filter(isBillable) }))
    .map((usage) => ({ ...usage, amount: amountOfParts(usage.parts) }));
  let most = largestSubtotal - (Number.isFinite(otherCharges) ? otherCharges : 0);
  const countable = billable.filter(({ parts, amount, rate }) => {
    // The quantity of a free line has to be counted, too.
    const counted = Number(costOf(sumOfParts(parts), 1, rate.perUnit));
    const worth = Math.max(0, amount, counted);
    const fits = worth <= most;
    if (fits) most -= worth;
    return fits;
  });
  const fitting = fittingParts(countable, otherCharges, discountOn);
  const lines: UsageLine[] = [];
  const known: KnownDiscounts = new Map();
  for (const [index, { rate }] of countable.entries()) {
    const parts = await withReturnedShares(session, fitting[index] ?? [], known);
    // Due and set off usage may cancel each other: both are shown, and settled.
    if (parts.length > 0) lines.push(lineOf(rate, parts));
  }
  return lines;
}

interface Countable {
  readonly parts: readonly UnbilledPart[];
  readonly amount: number;
}

/** The parts of each line that fit on the invoice: all that are due, and the corrections that there is room for. */
function fittingParts(
  countable: readonly Countable[],
  otherCharges: number,
  discountOn: (base: number) => number,
): (readonly UnbilledPart[])[] {
  const due = countable.reduce((sum, { parts }) => sum + dueOfParts(parts), 0);
  const discount = discountOn(otherCharges + due);
  let room = otherCharges - discount;
  for (const { amount } of countable) room += Math.max(0, amount);
  if (room >= 0) {
    return countable.map(({ parts, amount }) => {
      const fitting = -amount <= room ? parts : partsUpTo(parts, room);
      if (amount < 0) room += amountOfParts(fitting);
      return fitting;
    });
  }
  // The discount exceeds what the corrections leave: each is limited.
  let left = otherCharges + due - discount;
  return countable.map(({ parts }) => {
    const fitting = partsUpTo(parts, left - dueOfParts(parts));
    left += amountOfParts(fitting) - dueOfParts(parts);
    return fitting;
  });
}

const dueOfParts = (parts: readonly UnbilledPart[]): number => amountOfParts(parts.filter(isDue));

/** Whether a part bills usage; others correct it. */
const isDue = ({ undone }: UnbilledPart) => undone === null;

/** The amount of the usage that lines bill, without corrections. */
export const dueOf = (lines: readonly UsageLine[]): number =>
  lines.reduce((sum, { parts }) => sum + dueOfParts(parts), 0);

const sumOfParts = (parts: readonly UnbilledPart[]): Units =>
  parts.reduce((sum, { units }) => sum + units, 0n);

const amountOfParts = (parts: readonly UnbilledPart[]): number =>
  Number(parts.reduce((sum, { amount }) => sum + amount, 0n));

/** The due units of some parts, with as many corrections as the other lines have room for, in their order. */
function partsUpTo(parts: readonly UnbilledPart[], room: number): UnbilledPart[] {
  const due = parts.filter(isDue);
  let left = BigInt(room + amountOfParts(due));
  const back = parts.flatMap((part): UnbilledPart[] => {
    if (isDue(part) || left === 0n) return [];
    if (-part.amount <= left) {
      left += part.amount;
      return [part];
    }
    const units = unitsWorth(-part.units, left, -part.amount);
    // An amount without units can always be divided.
    const amount = units === 0n && part.units < 0n ? 0n : left;
    left = 0n;
    return amount === 0n && units === 0n ? [] : [{ ...part, units: -units, amount: -amount }];
  });
  return [...due, ...back];
}

/** The line that bills or credits some parts. */
export function lineOf(rate: UsageRate, parts: readonly UnbilledPart[]): UsageLine {
  const { unitPrice, perUnit, meterName, currency, priceId, balanceId, pricing } = rate;
  const units = sumOfParts(parts);
  const names = { priceId, balanceId, usageEventsPerUnit: perUnit };
  if (pricing) return { ...pricedLine(pricing, meterName, parts), ...names };
  return {
    type: 'usage',
    description: `Usage: ${meterName} at ${moneyText(unitPrice, currency, 'symbol')} per ${perUnit}${units < 0n ? ', credited' : ''}`,
    quantity: Number(decimalText(dividedHalfUp(units, BigInt(perUnit)))),
    price: unitPrice,
    amount: amountOfParts(parts),
    priceId,
    balanceId,
    usageQuantity: decimalText(units),
    usageEventsPerUnit: perUnit,
    parts,
  };
}

/** Whether there is an amount to charge: free or credited lines alone make no invoice. */
export const areCharged = (lines: readonly Line[]): boolean =>
  lines.some(({ price, quantity, amount = 0 }) => amount > 0 || (price > 0 && quantity > 0));
