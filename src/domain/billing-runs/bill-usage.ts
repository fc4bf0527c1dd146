import { BillingPeriod } from '../billing-periods/billing-period.ts';
import { costOf, decimalText, dividedHalfUp, unitsOf } from '../decimal.ts';
import { InvoiceLineItem } from '../invoice-line-items/invoice-line-item.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { Line } from '../invoices/open-invoice.ts';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { type Book, post } from '../usage-balances/book.ts';
import { bookKeyOf, holdBooks } from '../usage-balances/hold-books.ts';
import { UsageMeterBalance } from '../usage-balances/usage-meter-balance.ts';
import { writeBooks } from '../usage-balances/write-books.ts';

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
 * of usage and `usageEventsPerUnit` times the price, rounded half up once. What was made up for more than there
 * is to pay for stays for the next invoice.
 */
export async function usageLines({ em }: Session, { id }: Subscription): Promise<Line[]> {
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
     having sum(o.quantity) > 0 order by m.created_at, m.id, p.id`,
    [id],
  );
  return owed.map((owed): Line => {
    const units = unitsOf(owed.quantity);
    const [price, perUnit] = [Number(owed.unitPrice), Number(owed.perUnit)];
    return {
      type: 'usage',
      description: `Usage: ${owed.meterName} at ${humanPrice(price, owed.currency)} per ${perUnit}`,
      quantity: Number(decimalText(dividedHalfUp(units, BigInt(perUnit)))),
      price,
      amount: Number(costOf(units, price, perUnit)),
      priceId: owed.priceId,
      balanceId: owed.balanceId,
      usageQuantity: decimalText(units),
      usageEventsPerUnit: perUnit,
    };
  });
}

const humanPrice = (minorUnits: number, currency: string) => {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(minorUnits / 10 ** digits);
};

/** Writes down that usage stands on an invoice: from now on it is billed, and later usage counts elsewhere. */
export async function billUsage(session: Session, subscription: Subscription, invoice: Invoice) {
  const { em, now } = session;
  await em.flush();
  const lines = await em.find(InvoiceLineItem, { invoice: invoice.id, type: 'usage' });
  const ended = subscription.isTerminal
    ? {}
    : { startDate: { $lt: subscription.currentBillingPeriodStart ?? now } };
  const periods = { subscription: subscription.id, usageBilledAt: null, ...ended };
  await em.nativeUpdate(BillingPeriod, periods, { usageBilledAt: now });
  if (lines.length === 0) return;
  await mark(session, lines);
  const ids = lines.map(({ balanceId }) => balanceId ?? '');
  const balances = await em.find(UsageMeterBalance, { id: { $in: ids } });
  const { id: subscriptionId, customerId } = subscription;
  const books = await holdBooks(
    session,
    balances.map(({ usageMeterId }) => {
      return { subscriptionId, usageMeterId, customerId, periodIds: new Set<string>(), now };
    }),
  );
  for (const line of lines) {
    const balance = balances.find(({ id }) => id === line.balanceId);
    const book = books.get(bookKeyOf(subscriptionId, balance?.usageMeterId ?? '')) as Book;
    const units = unitsOf(line.usageQuantity ?? '0');
    const source = { type: 'usage_billed', sourceId: line.id, priceId: line.priceId } as const;
    post(book, source, { overage: units, billed: -units });
  }
  await writeBooks(session, [...books.values()]);
}

function mark({ em }: Session, lines: readonly InvoiceLineItem[]) {
  return statement(
    em,
    'mark owed usage',
    `update owed_usage o set invoice_line_item_id = line.id
     from unnest($1::text[], $2::text[], $3::text[]) as line (id, balance_id, price_id)
     where o.balance_id = line.balance_id and o.price_id = line.price_id and o.invoice_line_item_id is null`,
    [
      lines.map(({ id }) => id),
      lines.map(({ balanceId }) => balanceId),
      lines.map(({ priceId }) => priceId),
    ],
  );
}
