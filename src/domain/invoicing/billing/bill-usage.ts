import type { UnbilledPart, Worth } from '#domain/invoicing/crediting/unbilled-part.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import { billedPeriods, breakDownUsage } from '#domain/metering/credits/break-down-usage.ts';
import { writeLedgers } from '#domain/metering/credits/write-ledgers.ts';
import { type Ledger, post } from '#domain/metering/ledger/ledger.ts';
import { ledgerKeyOf, lockLedgers } from '#domain/metering/ledger/lock-ledgers.ts';
import type { Measured } from '#domain/model/catalog/exact-part.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import type { CostOfPart, MeasuredUsage } from '#domain/model/invoicing/usage-breakdown.ts';
import { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { UsageLine } from './usage-lines.ts';

/**
 * Marks usage as billed by an invoice and records the breakdown of each line. Later usage counts elsewhere, unless the
 * invoice bills a period that is running.
 */
export async function billUsage(
  session: Session,
  subscription: Subscription,
  invoice: Invoice,
  usage: readonly UsageLine[],
  { isRunning = false }: { readonly isRunning?: boolean } = {},
) {
  const { em, now } = session;
  const ended = subscription.isTerminal ? null : (subscription.currentBillingPeriodStart ?? now);
  if (!isRunning)
    await statement(
      em,
      'usage of periods billed',
      `update "billing_period" set usage_billed_at = $1 where subscription_id = $2 and usage_billed_at is null
       and paid_elsewhere_amount is null and ($3::timestamptz is null or start_date < $3::timestamptz)`,
      [now, subscription.id, ended],
    );
  if (usage.length === 0) return;
  await em.flush();
  const lines = await em.find(InvoiceLineItem, { invoice: invoice.id, type: 'usage' });
  await mark(session, lines, usage);
  const periods = await billedPeriods(
    session,
    lines.map(({ id }) => id),
  );
  const periodIds = new Set(periods.map(({ periodId }) => periodId));
  const ids = lines.map(({ balanceId }) => balanceId ?? '');
  const balances = await em.find(UsageMeterBalance, { id: { $in: ids } });
  const { id: subscriptionId, customerId, watched } = subscription;
  const ledgers = await lockLedgers(
    session,
    balances.map(({ usageMeterId }) => {
      return { subscriptionId, usageMeterId, customerId, periodIds, now, watched };
    }),
  );
  const all = lines.map((line) => {
    const balance = balances.find(({ id }) => id === line.balanceId) as UsageMeterBalance;
    const ledger = ledgers.get(ledgerKeyOf(subscriptionId, balance.usageMeterId)) as Ledger;
    const { parts } = usage.find(
      ({ balanceId, priceId }) => balanceId === line.balanceId && priceId === line.priceId,
    ) as UsageLine;
    return { line, balance, ledger, costs: costsOf(parts) };
  });
  await breakDownUsage(session, all, periods);
  for (const { line, ledger } of all) {
    const units = unitsOf(line.usageQuantity ?? '0');
    const source = { type: 'usage_billed', sourceId: line.id, priceId: line.priceId } as const;
    post(ledger, source, { overage: units, billed: -units });
  }
  await writeLedgers(session, [...ledgers.values()]);
}

/** The amounts of a line by period, with what was billed before and what is not on the line. */
function costsOf(parts: readonly UnbilledPart[]): ReadonlyMap<string, CostOfPart> {
  const costs = new Map<string, CostOfPart>();
  for (const [periodId, of] of Map.groupBy(parts, ({ periodId }) => periodId)) {
    const [{ before, change, cost }] = of as [UnbilledPart];
    const amount = of.reduce((sum, part) => sum + part.amount, 0n);
    const units = of.reduce((sum, part) => sum + part.units, 0n);
    costs.set(periodId, {
      amount: Number(amount),
      before: shown(before),
      rest: shown({ units: change.units - units, amount: change.amount - amount }),
      ...(cost && { measured: storedMeasure(cost.measured) }),
    });
  }
  return costs;
}

const storedMeasure = ({ usage, covered, events, cells }: Measured): MeasuredUsage => ({
  usage: decimalText(usage),
  covered: decimalText(covered),
  ...(events !== undefined && { events }),
  ...(cells?.size && {
    cells: Object.fromEntries([...cells].map(([cell, units]) => [cell, decimalText(units)])),
  }),
});

const shown = ({ units, amount }: Worth) => ({ usage: decimalText(units), amount: Number(amount) });

function amountsByPeriod(parts: readonly UnbilledPart[]): ReadonlyMap<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const { periodId, amount } of parts) {
    amounts.set(periodId, (amounts.get(periodId) ?? 0n) + amount);
  }
  return amounts;
}

/**
 * Records on owed usage which line bills it, and on corrections which line they undo. Several rows of
 * one part share one amount. If a line bills only a part of a period, the rest stays unbilled.
 */
function mark({ em }: Session, items: readonly InvoiceLineItem[], lines: readonly UsageLine[]) {
  const parts = lines.flatMap((line) => {
    const { balanceId, priceId } = line;
    const item = items.find((one) => one.balanceId === balanceId && one.priceId === priceId);
    const of = { balanceId, priceId, lineId: item?.id ?? null };
    const amounts = amountsByPeriod(line.parts);
    return line.parts.map((part) => {
      // A part of the cost stays unbilled, though all units are on the line: a row of 0 has it computed again.
      const isOpen = part.cost !== undefined && amounts.get(part.periodId) !== part.change.amount;
      return { ...part, ...of, isOpen };
    });
  });
  return statement(
    em,
    'mark owed usage',
    `with part as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::numeric[], $6::text[], $7::boolean[],
         $8::text[], $9::text[], $10::bigint[], $11::boolean[])
         as part (balance_id, price_id, period_id, line_id, quantity, undone_id, is_lost, id, rest_id, amount, is_open)),
     billed as (
       select balance_id, price_id, period_id, sum(quantity) as quantity, count(*) as parts, min(line_id) as line_id,
         min(undone_id) as undone_id, bool_or(is_lost) as is_lost, min(rest_id) as rest_id, sum(amount) as amount,
         bool_or(is_open) as is_open
       from part group by 1, 2, 3),
     unbilled as (
       select o.*, b.quantity = sum(o.quantity) over w and b.parts = 1 and not b.is_open as is_whole, b.line_id, b.undone_id,
         b.is_lost as loses,
         case when o.id = min(o.id) over w then b.amount else 0 end as worth
       from owed_usage o
       join billed b on b.balance_id = o.balance_id and b.price_id = o.price_id and b.period_id = o.billing_period_id
       where o.invoice_line_item_id is null
       window w as (partition by o.balance_id, o.price_id, o.billing_period_id)),
     marked as (
       update owed_usage o set invoice_line_item_id = u.line_id, undone_line_item_id = u.undone_id, is_lost = u.loses,
         amount = u.worth
       from unbilled u where u.id = o.id and u.is_whole),
     taken as (delete from owed_usage o using unbilled u where u.id = o.id and not u.is_whole),
     split as (
       select balance_id, price_id, billing_period_id, sum(quantity) as quantity, min(created_at) as created_at,
         min(organization_id) as organization_id
       from unbilled where not is_whole group by 1, 2, 3)
     insert into owed_usage (id, organization_id, created_at, balance_id, billing_period_id, price_id, quantity, invoice_line_item_id,
       undone_line_item_id, is_lost, amount)
     select part.id, s.organization_id, s.created_at, s.balance_id, s.billing_period_id, s.price_id, part.quantity, part.line_id,
       part.undone_id, part.is_lost, part.amount
     from split s join part on part.balance_id = s.balance_id and part.price_id = s.price_id
       and part.period_id = s.billing_period_id
     union all
     select b.rest_id, s.organization_id, s.created_at, s.balance_id, s.billing_period_id, s.price_id, s.quantity - b.quantity, null,
       null, false, null
     from split s join billed b on b.balance_id = s.balance_id and b.price_id = s.price_id
       and b.period_id = s.billing_period_id
     where s.quantity <> b.quantity or b.is_open`,
    [
      parts.map(({ balanceId }) => balanceId),
      parts.map(({ priceId }) => priceId),
      parts.map(({ periodId }) => periodId),
      parts.map(({ lineId }) => lineId),
      parts.map(({ units }) => decimalText(units)),
      parts.map(({ undone }) => undone?.lineId ?? null),
      parts.map(({ undone }) => undone?.standing === 'lost'),
      parts.map(() => newId('owed_usage')),
      parts.map(() => newId('owed_usage')),
      parts.map(({ amount }) => String(amount)),
      parts.map(({ isOpen }) => isOpen),
    ],
    { joins: true },
  );
}
