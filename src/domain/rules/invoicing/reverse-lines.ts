import { Invoice, payableStatuses } from '#domain/invoices/invoice.ts';
import { amountsOf } from '#domain/invoices/tax.ts';
import { costOf, partThatCosts, type Units, unitsOf } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import { lowest } from '#domain/rules/ledger/ledger.ts';
import { amountKept } from './amount-paid.ts';
import { overbilledUsageOn } from './overbilled-usage.ts';
import { taxRuleOn } from './tax-rule.ts';
import type { UnbilledPart, Undone, UsageRate } from './unbilled-part.ts';

interface Group {
  readonly balanceId: string;
  readonly priceId: string;
  readonly periodId: string;
}

interface Row extends Group {
  readonly lineId: string;
  readonly invoiceId: string;
  readonly left: string;
}

interface Line {
  readonly lineId: string;
  readonly of: BilledInvoice;
  /** The usage of the group that it has billed and no correction has undone. */
  left: Units;
}

interface BilledInvoice {
  readonly invoice: Invoice;
  /** How much more of it corrections may credit, in minor units before tax; null for all. */
  room: bigint | null;
}

/** The lines that have billed the corrected usage, the latest first. */
export type BilledLines = ReadonlyMap<string, readonly Line[]>;

const keyOf = ({ balanceId, priceId, periodId }: Group) => `${balanceId} ${priceId} ${periodId}`;

export async function billedLines(
  session: Session,
  groups: readonly Group[],
): Promise<BilledLines> {
  if (groups.length === 0) return new Map();
  const rows = await statement<Row>(
    session.em,
    'billed lines',
    `select o.balance_id as "balanceId", o.price_id as "priceId", o.billing_period_id as "periodId",
       line.id as "lineId", i.id as "invoiceId", sum(o.quantity)::text as left
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
  const ids = [...new Set(rows.map(({ invoiceId }) => invoiceId))];
  const invoices = await session.em.find(Invoice, { id: { $in: ids } });
  const byId = new Map<string, BilledInvoice>();
  for (const invoice of invoices) {
    byId.set(invoice.id, { invoice, room: await roomOf(session, invoice) });
  }
  const lines = rows.map((row) => ({
    ...row,
    of: byId.get(row.invoiceId) as BilledInvoice,
    left: unitsOf(row.left),
  }));
  const byGroup = Map.groupBy(lines, keyOf);
  for (const group of byGroup.values()) settleUnnamed(group);
  return byGroup;
}

/** Corrections of earlier versions name no line: they undo the latest lines before them. */
function settleUnnamed(latestFirst: Line[]) {
  let unnamed = 0n;
  for (const line of latestFirst) {
    if (line.left < 0n) {
      unnamed -= line.left;
      line.left = 0n;
    }
    const undone = lowest(unnamed, line.left);
    line.left -= undone;
    unnamed -= undone;
  }
}

/** The customer got everything back for invoices in these statuses. */
const dead: readonly string[] = ['void', 'uncollectible'];

/** The amount of an invoice that may still be credited: the kept payments without earlier credits. */
async function roomOf(session: Session, invoice: Invoice): Promise<bigint | null> {
  const kept = await amountKept(session, invoice);
  if (invoice.status === 'paid' && kept >= invoice.total) return null;
  if (dead.includes(invoice.status)) return 0n;
  const rows = await statement<{ units: string; unitPrice: string; perUnit: string }>(
    session.em,
    'credited usage of an invoice',
    `select (-o.quantity)::text as units, p.unit_price as "unitPrice", p.usage_events_per_unit as "perUnit"
     from owed_usage o join price p on p.id = o.price_id
     join invoice_line_item line on line.id = o.undone_line_item_id
     where line.invoice_id = $1 and o.invoice_line_item_id is not null and not o.is_lost`,
    [invoice.id],
  );
  const given = rows.reduce(
    (sum, { units, unitPrice, perUnit }) =>
      sum + costOf(unitsOf(units), Number(unitPrice), Number(perUnit)),
    0n,
  );
  const room =
    BigInt(beforeTax(kept, invoice) + (await overbilledUsageOn(session, invoice))) - given;
  return room > 0n ? room : 0n;
}

/** The largest amount that is worth no more than `total` with the tax of an invoice. */
function beforeTax(total: number, invoice: Invoice): number {
  const rule = taxRuleOn(invoice);
  const rate = rule && !rule.inclusive ? Number(rule.ratePercentage) : 0;
  let amount = Math.min(total, Math.ceil((total * 100) / (100 + rate)) + 1);
  while (amount > 0 && amountsOf(amount, rule).total > total) amount -= 1;
  return amount;
}

/** The lines that a correction undoes, the latest first, with the kept part of each. */
export function correctionsOf(
  {
    periodId,
    units,
    rate,
  }: { readonly periodId: string; readonly units: Units; readonly rate: UsageRate },
  lines: BilledLines,
): UnbilledPart[] {
  const parts: UnbilledPart[] = [];
  let wanted = units;
  for (const line of lines.get(keyOf({ ...rate, periodId })) ?? []) {
    const taken = lowest(wanted, line.left);
    if (taken === 0n) continue;
    wanted -= taken;
    line.left -= taken;
    const { lineId, of } = line;
    const add = (units: Units, standing: Undone['standing']) => {
      if (units > 0n)
        parts.push({ periodId, units: -units, undone: { lineId, invoice: of.invoice, standing } });
    };
    const kept = keptPart(of, taken, rate);
    if ((payableStatuses as readonly string[]).includes(of.invoice.status)) add(taken, 'awaited');
    else {
      add(kept, 'kept');
      add(taken - kept, 'lost');
    }
  }
  if (wanted > 0n)
    throw new Error(`${wanted} of ${keyOf({ ...rate, periodId })} were never billed`);
  return parts;
}

/** The part of some units that fits into the room of an invoice; reduces the room. */
function keptPart(of: BilledInvoice, units: Units, { unitPrice, perUnit }: UsageRate): Units {
  if (of.room === null) return units;
  // Nothing is paid for such an invoice, also where the units are so few that they cost nothing.
  if (dead.includes(of.invoice.status)) return 0n;
  const cost = costOf(units, unitPrice, perUnit);
  if (cost <= of.room) {
    of.room -= cost;
    return units;
  }
  const part = of.room > 0n ? partThatCosts(units, of.room, unitPrice, perUnit) : 0n;
  if (part > 0n) of.room = 0n;
  return part;
}
