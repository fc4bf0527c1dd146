import { BillingPeriod } from '../billing-periods/billing-period.ts';
import { unitsOf } from '../decimal.ts';
import { newId } from '../ids.ts';
import { InvoiceLineItem } from '../invoice-line-items/invoice-line-item.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { type Book, post } from '../usage-balances/book.ts';
import { billedPeriods, breakDownUsage } from '../usage-balances/break-down-usage.ts';
import { bookKeyOf, holdBooks } from '../usage-balances/hold-books.ts';
import { UsageMeterBalance } from '../usage-balances/usage-meter-balance.ts';
import { writeBooks } from '../usage-balances/write-books.ts';

/**
 * Writes down that usage stands on an invoice, and what each line is made of: from now on it is billed, and later
 * usage counts elsewhere.
 */
export async function billUsage(session: Session, subscription: Subscription, invoice: Invoice) {
  const { em, now } = session;
  await em.flush();
  const lines = await em.find(InvoiceLineItem, { invoice: invoice.id, type: 'usage' });
  const ended = subscription.isTerminal
    ? {}
    : { startDate: { $lt: subscription.currentBillingPeriodStart ?? now } };
  const billed = { subscription: subscription.id, usageBilledAt: null, ...ended };
  await em.nativeUpdate(BillingPeriod, billed, { usageBilledAt: now });
  if (lines.length === 0) return;
  await mark(session, lines);
  const periods = await billedPeriods(
    session,
    lines.map(({ id }) => id),
  );
  const periodIds = new Set(periods.map(({ periodId }) => periodId));
  const ids = lines.map(({ balanceId }) => balanceId ?? '');
  const balances = await em.find(UsageMeterBalance, { id: { $in: ids } });
  const { id: subscriptionId, customerId } = subscription;
  const books = await holdBooks(
    session,
    balances.map(({ usageMeterId }) => {
      return { subscriptionId, usageMeterId, customerId, periodIds, now };
    }),
  );
  const all = lines.map((line) => {
    const balance = balances.find(({ id }) => id === line.balanceId) as UsageMeterBalance;
    const book = books.get(bookKeyOf(subscriptionId, balance.usageMeterId)) as Book;
    return { line, balance, book };
  });
  await breakDownUsage(session, all, periods);
  for (const { line, book } of all) {
    const units = unitsOf(line.usageQuantity ?? '0');
    const source = { type: 'usage_billed', sourceId: line.id, priceId: line.priceId } as const;
    post(book, source, { overage: units, billed: -units });
  }
  await writeBooks(session, [...books.values()]);
}

/**
 * Notes on what is owed which line bills it. A line that gives back only a part takes the oldest of what was billed
 * too much, and leaves the rest to the next one.
 */
function mark({ em }: Session, lines: readonly InvoiceLineItem[]) {
  return statement(
    em,
    'mark owed usage',
    `with line as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::text[])
         as line (id, balance_id, price_id, quantity, rest_id)),
     owed as (
       select o.*, line.id as line_id, line.quantity as wanted, line.rest_id,
         sum(o.quantity) over (partition by o.balance_id, o.price_id, o.billing_period_id) as of_period
       from owed_usage o join line on o.balance_id = line.balance_id and o.price_id = line.price_id
       where o.invoice_line_item_id is null),
     placed as (
       select owed.*, coalesce(sum(quantity) over (partition by line_id
         order by quantity < 0, of_period < 0, created_at, id
         rows between unbounded preceding and 1 preceding), 0) as before
       from owed),
     taken as (
       select placed.*,
         case when quantity > 0 then quantity else greatest(quantity, least(0, wanted - before)) end as part
       from placed),
     rest as (
       insert into owed_usage (id, created_at, balance_id, billing_period_id, price_id, quantity)
       select rest_id, created_at, balance_id, billing_period_id, price_id, quantity - part
       from taken where part <> 0 and part <> quantity)
     update owed_usage o set invoice_line_item_id = taken.line_id, quantity = taken.part
     from taken where o.id = taken.id and taken.part <> 0`,
    [
      lines.map(({ id }) => id),
      lines.map(({ balanceId }) => balanceId),
      lines.map(({ priceId }) => priceId),
      lines.map(({ usageQuantity }) => usageQuantity),
      lines.map(() => newId('owed_usage')),
    ],
  );
}
