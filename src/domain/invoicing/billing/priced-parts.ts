import type {
  UnbilledPart,
  Undone,
  UsageRate,
  Worth,
} from '#domain/invoicing/crediting/unbilled-part.ts';
import type { Units } from '#domain/kernel/values/decimal.ts';
import { lowest } from '#domain/metering/ledger/ledger.ts';
import { costOfUsage } from '#domain/model/catalog/cost.ts';
import type { Measured } from '#domain/model/catalog/exact-part.ts';
import { payableStatuses } from '#domain/model/invoicing/invoice.ts';
import { type BilledLine, type BilledLines, highest, keptPart, keyOf } from './reverse-lines.ts';

/** Unbilled changes of a period at a price with a model, and the present totals of the period. */
interface PricedGroup {
  readonly periodId: string;
  /** The sum of the changes; 0 where only the cost of the usage has changed. */
  readonly units: Units;
  readonly rate: UsageRate;
  readonly measured: Measured;
}

/**
 * The unbilled parts of a period at a price with a model: its present cost less the amounts that lines have billed. More
 * usage may cost less, and less usage more. So added units and a higher cost are one part. Removed units and a lower cost
 * undo the latest lines first.
 */
export function pricedParts(
  { periodId, units, rate, measured }: PricedGroup,
  lines: BilledLines,
): UnbilledPart[] {
  const billed = lines.get(keyOf({ ...rate, periodId })) ?? [];
  const before: Worth = {
    units: billed.reduce((sum, { left }) => sum + left, 0n),
    amount: billed.reduce((sum, { worth }) => sum + worth, 0n),
  };
  const cost = { ...costOfUsage(rate, measured), measured };
  const amount = BigInt(cost.amount) - before.amount;
  const group = { periodId, before, change: { units, amount }, cost };
  const due = { units: highest(units, 0n), amount: highest(amount, 0n) };
  const back = { units: highest(-units, 0n), amount: highest(-amount, 0n) };
  return [
    ...(isNothing(due) ? [] : [{ ...group, ...due, undone: null }]),
    ...undoneParts(billed, back).map((part) => ({ ...group, ...part })),
  ];
}

const isNothing = ({ units, amount }: Worth) => units === 0n && amount === 0n;

/** How the removed units and the lower cost of a group undo its lines. */
function undoneParts(latestFirst: readonly BilledLine[], back: Worth) {
  const parts: (Worth & { readonly undone: Undone })[] = [];
  let { units, amount } = back;
  for (const line of latestFirst) {
    const whole = {
      units: lowest(units, line.left),
      amount: lowest(amount, highest(line.worth, 0n)),
    };
    if (isNothing(whole) || !line.of) continue;
    units -= whole.units;
    amount -= whole.amount;
    const { invoice } = line.of;
    const add = (part: Worth, standing: Undone['standing']) => {
      if (isNothing(part)) return;
      const undone = { lineId: line.lineId, invoice, standing };
      parts.push({ units: -part.units, amount: -part.amount, undone });
    };
    if ((payableStatuses as readonly string[]).includes(invoice.status)) {
      add(whole, 'awaited');
      continue;
    }
    const kept = keptPart(line.of, whole);
    add(kept, 'kept');
    add({ units: whole.units - kept.units, amount: whole.amount - kept.amount }, 'lost');
  }
  if (units > 0n || amount > 0n) throw new Error(`${units} for ${amount} were never billed`);
  return parts;
}
