import {
  costOf,
  decimalText,
  dividedHalfUp,
  partThatCosts,
  type Units,
  unitsOf,
} from '../decimal.ts';
import type { Line } from '../invoices/open-invoice.ts';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

interface Owed {
  readonly balanceId: string;
  readonly priceId: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly perUnit: string;
  readonly meterName: string;
  readonly currency: string;
}

/**
 * What a held subscription owes for usage, a line for each meter and price (reference §4.8): the exact quotient
 * of usage and `usageEventsPerUnit` times the price, rounded half up once. What was billed too much is a line
 * below 0, as far as the other lines, and `beside` minor units of the invoice beside them, are worth; what does not
 * fit is carried to the next invoice, and costs there to the minor unit what is left.
 */
export async function usageLines(
  { em }: Session,
  { id }: Subscription,
  beside: number,
): Promise<Line[]> {
  const owed = await statement<Owed>(
    em,
    'owed usage',
    `select o.balance_id as "balanceId", o.price_id as "priceId", sum(o.quantity)::text as quantity,
       p.unit_price as "unitPrice", p.usage_events_per_unit as "perUnit", p.currency, m.name as "meterName"
     from owed_usage o
     join usage_meter_balance b on b.id = o.balance_id
     join usage_meter m on m.id = b.usage_meter_id
     join price p on p.id = o.price_id
     where b.subscription_id = $1 and o.invoice_line_item_id is null
     group by o.balance_id, o.price_id, p.id, m.id
     having sum(o.quantity) <> 0 order by m.created_at, m.position, m.id, p.created_at, p.position, p.id`,
    [id],
  );
  let room = beside;
  for (const one of owed) room += Math.max(0, Number(worthOf(one)));
  return owed.flatMap((one): Line[] => {
    const units = unitsOf(one.quantity);
    const worth = -Number(worthOf(one));
    const part = worth <= room ? units : -partOf(one, room);
    if (units < 0n) room -= Math.min(worth, part === 0n ? 0 : room);
    return part === 0n ? [] : [lineOf(one, part)];
  });
}

const ratesOf = ({ unitPrice, perUnit }: Owed) => [Number(unitPrice), Number(perUnit)] as const;

const worthOf = (owed: Owed) => costOf(unitsOf(owed.quantity), ...ratesOf(owed));

/** What of a correction there is room for. */
const partOf = (owed: Owed, room: number): Units =>
  room > 0 ? partThatCosts(-unitsOf(owed.quantity), BigInt(room), ...ratesOf(owed)) : 0n;

function lineOf(owed: Owed, units: Units): Line {
  const [price, perUnit] = ratesOf(owed);
  return {
    type: 'usage',
    description: `Usage: ${owed.meterName} at ${humanPrice(price, owed.currency)} per ${perUnit}${units < 0n ? ', given back' : ''}`,
    quantity: Number(decimalText(dividedHalfUp(units, BigInt(perUnit)))),
    price,
    amount: Number(costOf(units, price, perUnit)),
    priceId: owed.priceId,
    balanceId: owed.balanceId,
    usageQuantity: decimalText(units),
    usageEventsPerUnit: perUnit,
  };
}

const humanPrice = (minorUnits: number, currency: string) => {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(minorUnits / 10 ** digits);
};

/** Whether there is something to be charged for: what costs nothing, or is given back, makes no invoice by itself. */
export const areCharged = (lines: readonly Line[]): boolean =>
  lines.some(({ price, quantity }) => price > 0 && quantity > 0);
