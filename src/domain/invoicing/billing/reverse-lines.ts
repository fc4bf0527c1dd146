import { amountKept } from '#domain/invoicing/crediting/amount-paid.ts';
import { overbilledUsageOn } from '#domain/invoicing/crediting/overbilled-usage.ts';
import { taxRuleOn } from '#domain/invoicing/crediting/tax-rule.ts';
import type {
  UnbilledPart,
  Undone,
  UsageRate,
  Worth,
} from '#domain/invoicing/crediting/unbilled-part.ts';
import type { Session } from '#domain/kernel/session.ts';
import { costOf, proportion, type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import { lowest } from '#domain/metering/ledger/ledger.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import { Invoice, payableStatuses } from '#domain/model/invoicing/invoice.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { creditedCommitmentsOf, creditedUsageOf, usageDiscountOf } from './returned-shares.ts';

/** A period at one price, with the sum of its unbilled changes. */
interface Group {
  readonly balanceId: string;
  readonly priceId: string;
  readonly periodId: string;
  readonly quantity: string;
  /** Whether its price has a model, so that any change of it may undo a line. */
  readonly isPriced?: boolean;
}

interface Row extends Omit<Group, 'quantity' | 'isPriced'> {
  readonly lineId: string;
  readonly invoiceId: string;
  readonly left: string;
  readonly worth: string;
}

/** A line that has billed usage of a group. */
export interface BilledLine {
  readonly lineId: string;
  /** The invoice; null where no correction needs it. */
  readonly of: BilledInvoice | null;
  /** The usage of the group that it has billed and no correction has undone. */
  left: Units;
  /** The part of its amount for this usage that is not credited, in minor units. */
  worth: bigint;
}

export interface BilledInvoice {
  readonly invoice: Invoice;
  /** How much more of it corrections may credit, in minor units before tax; null for all. */
  room: bigint | null;
}

/** The lines that have billed the usage of each group, the latest first. */
export type BilledLines = ReadonlyMap<string, readonly BilledLine[]>;

export const keyOf = ({ balanceId, priceId, periodId }: Omit<Group, 'quantity' | 'isPriced'>) =>
  `${balanceId} ${priceId} ${periodId}`;

export async function billedLines(
  session: Session,
  groups: readonly Group[],
): Promise<BilledLines> {
  if (groups.length === 0) return new Map();
  const corrected = new Set(
    groups
      .filter(({ quantity, isPriced }) => isPriced || unitsOf(quantity) < 0n)
      .map((group) => keyOf(group)),
  );
  const rows = await statement<Row>(
    session.em,
    'billed lines',
    `select o.balance_id as "balanceId", o.price_id as "priceId", o.billing_period_id as "periodId",
       line.id as "lineId", i.id as "invoiceId", sum(o.quantity)::text as left, sum(o.amount)::text as worth
     from unnest($1::text[], $2::text[], $3::text[]) as wanted (balance_id, price_id, period_id)
     join owed_usage o on o.balance_id = wanted.balance_id and o.price_id = wanted.price_id
       and o.billing_period_id = wanted.period_id and o.invoice_line_item_id is not null
     join invoice_line_item line on line.id = coalesce(o.undone_line_item_id, o.invoice_line_item_id)
     join invoice i on i.id = line.invoice_id
     group by o.balance_id, o.price_id, o.billing_period_id, line.id, i.id
     order by length(i.invoice_number) desc, i.invoice_number desc, line.position desc`,
    [
      groups.map(({ balanceId }) => balanceId),
      groups.map(({ priceId }) => priceId),
      groups.map(({ periodId }) => periodId),
    ],
  );
  const undone = rows.filter((row) => corrected.has(keyOf(row)));
  const ids = [...new Set(undone.map(({ invoiceId }) => invoiceId))];
  const invoices = ids.length > 0 ? await session.em.find(Invoice, { id: { $in: ids } }) : [];
  const byId = new Map<string, BilledInvoice>();
  for (const invoice of invoices) {
    byId.set(invoice.id, { invoice, room: await roomOf(session, invoice) });
  }
  const lines = rows.map((row) => ({
    ...row,
    of: byId.get(row.invoiceId) ?? null,
    left: unitsOf(row.left),
    worth: BigInt(row.worth),
  }));
  const byGroup = Map.groupBy(lines, keyOf);
  for (const group of byGroup.values()) matchUnnamed(group);
  return byGroup;
}

/** Corrections of earlier versions name no line: they undo the latest lines before them. */
function matchUnnamed(latestFirst: BilledLine[]) {
  let units = 0n;
  let worth = 0n;
  for (const line of latestFirst) {
    if (line.left < 0n) {
      units -= line.left;
      worth -= line.worth;
      line.left = 0n;
      line.worth = 0n;
    }
    const undone = lowest(units, line.left);
    const credited = lowest(worth, highest(line.worth, 0n));
    line.left -= undone;
    line.worth -= credited;
    units -= undone;
    worth -= credited;
  }
}

/** The customer got everything back for invoices in these statuses. */
const dead: readonly string[] = ['void', 'uncollectible'];

/** The listed amount of usage on an invoice that may still be credited: the kept payments without earlier credits. */
async function roomOf(session: Session, invoice: Invoice): Promise<bigint | null> {
  const { left, of } = await creditableOf(session, invoice);
  if (left === null || !of || of.discount === 0 || left === 0n) return left;
  if (of.discount === of.base) return null;
  // Corrections are counted by their listed amounts, of which the customer has paid a part.
  return (left * BigInt(of.base)) / BigInt(of.base - of.discount);
}

/** The amount of an invoice that may still be credited, in minor units before tax; null for all, with its discount. */
export async function creditableOf(session: Session, invoice: Invoice) {
  const kept = await amountKept(session, invoice);
  if (invoice.status === 'paid' && kept >= invoice.total) return { left: null, of: null };
  if (dead.includes(invoice.status)) return { left: 0n, of: null };
  const of = await usageDiscountOf(session, invoice);
  const given =
    (of?.credited ?? (await creditedUsageOf(session, invoice))) +
    (await creditedCommitmentsOf(session, invoice));
  const paid = beforeTax(kept, invoice) + (await overbilledUsageOn(session, invoice));
  const returned = of && of.base > 0 ? proportion(of.discount, of.credited, of.base) : 0;
  return { left: atLeastNothing(BigInt(paid - given + returned)), of };
}

const atLeastNothing = (room: bigint) => highest(room, 0n);

/** The largest amount that is worth no more than `total` with the tax of an invoice. */
function beforeTax(total: number, invoice: Invoice): number {
  const rule = taxRuleOn(invoice);
  const most = rule && !rule.inclusive ? proportion(total, invoice.subtotal, invoice.total) : total;
  // Each tax is rounded by itself.
  let amount = Math.min(total, most + 2 + (rule?.groups?.length ?? 0));
  while (amount > 0 && amountsOf(amount, rule).total > total) amount -= 1;
  return amount;
}

/**
 * The unbilled part of a group, or for a correction the lines that it undoes, the latest first, with the kept part of
 * each. Their amounts together are the difference between the present cost of the usage and what has been billed and
 * credited for it. So no rounding adds up, however often usage is corrected.
 */
export function partsOf(
  {
    periodId,
    units,
    rate,
  }: { readonly periodId: string; readonly units: Units; readonly rate: UsageRate },
  lines: BilledLines,
): UnbilledPart[] {
  const billed = lines.get(keyOf({ ...rate, periodId })) ?? [];
  const before: Worth = {
    units: billed.reduce((sum, { left }) => sum + left, 0n),
    amount: billed.reduce((sum, { worth }) => sum + worth, 0n),
  };
  const difference = costOf(before.units + units, rate.unitPrice, rate.perUnit) - before.amount;
  const amount = units > 0n ? highest(difference, 0n) : lowest(difference, 0n);
  const group = { periodId, before, change: { units, amount } };
  if (units > 0n) return [{ ...group, units, amount, undone: null }];
  const parts: UnbilledPart[] = [];
  const add = (line: BilledLine, { units, amount }: Worth, standing: Undone['standing']) => {
    if (units === 0n || !line.of) return;
    const undone: Undone = { lineId: line.lineId, invoice: line.of.invoice, standing };
    parts.push({ ...group, units: -units, amount: -amount, undone });
  };
  let wanted = -units;
  let credit = -amount;
  for (const line of billed) {
    const taken = lowest(wanted, line.left);
    if (taken === 0n || !line.of) continue;
    wanted -= taken;
    // The last line gets the remainder, so that all of them together are the difference.
    const amount = wanted === 0n ? credit : lowest(credit, highest(line.worth, 0n));
    credit -= amount;
    const whole = { units: taken, amount };
    if ((payableStatuses as readonly string[]).includes(line.of.invoice.status)) {
      add(line, whole, 'awaited');
      continue;
    }
    const kept = keptPart(line.of, whole);
    add(line, kept, 'kept');
    add(line, { units: taken - kept.units, amount: amount - kept.amount }, 'lost');
  }
  if (wanted > 0n)
    throw new Error(`${wanted} of ${keyOf({ ...rate, periodId })} were never billed`);
  return parts;
}

export const highest = (a: bigint, b: bigint) => (a > b ? a : b);

/** The part of a correction that fits into the room of an invoice; reduces the room. */
export function keptPart(of: BilledInvoice, { units, amount }: Worth): Worth {
  if (of.room === null) return { units, amount };
  // Nothing is paid for such an invoice, also where the units are so few that they cost nothing.
  if (dead.includes(of.invoice.status)) return { units: 0n, amount: 0n };
  if (amount <= of.room) {
    of.room -= amount;
    return { units, amount };
  }
  const part = unitsWorth(units, of.room, amount);
  // An amount without units can always be divided.
  const kept = part === 0n && units > 0n ? 0n : of.room;
  of.room -= kept;
  return { units: part, amount: kept };
}

/** The share of some units that a part of their amount is worth; 0 where they cannot be divided. */
export function unitsWorth(units: Units, part: bigint, whole: bigint): Units {
  if (part <= 0n || units < 2n) return 0n;
  return highest(1n, lowest(units - 1n, (units * part) / whole));
}
