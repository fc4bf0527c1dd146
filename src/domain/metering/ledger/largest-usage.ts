import type { Session } from '#domain/kernel/session.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { statement } from '#engines/lockstep/statement.ts';
import type { Rate, Total } from './ledger.ts';

/** The largest subtotal of an invoice, in minor units: tax may add at most the same amount again. */
export const largestSubtotal = Math.floor(Number.MAX_SAFE_INTEGER / 2);

/**
 * The largest amount of unbilled usage of a subscription. The rest of the subtotal is left for the plan on the same
 * invoice.
 */
export const largestUsage = Math.floor(largestSubtotal / 2);

/** Totals below this worth are skipped: only thousands of them could exceed the limit together. */
const suspicious = BigInt(10 ** 11);

const oneUnit = unitsOf('1');

/** Whether usage at a price is so expensive that all usage of its subscription has to be summed. */
export const isSuspicious = (
  { usage, events }: Pick<Total, 'usage' | 'events'>,
  { unitPrice, perUnit, pricing }: Rate,
): boolean => {
  const scale = BigInt(perUnit) * oneUnit;
  const fees = BigInt(events) * BigInt(pricing?.fixedFee ?? 0) * scale;
  return usage * BigInt(Math.max(1, unitPrice)) + fees > suspicious * scale;
};

/**
 * The subscriptions among these with more unbilled usage than an invoice has room for. The check ignores credits and
 * counts free usage as 1 for each `usageEventsPerUnit`, since a line counts these.
 */
export async function uncountable(
  { em }: Session,
  subscriptionIds: readonly string[],
): Promise<Set<string>> {
  if (subscriptionIds.length === 0) return new Set();
  const rows = await statement<{ id: string }>(
    em,
    'uncountable usage',
    `select b.subscription_id as id
     from usage_meter_balance b join subscription s on s.id = b.subscription_id,
       lateral (
         select t.price_id, t.usage, t.events from usage_total t
         left join billing_period running on running.id = t.billing_period_id
         where t.balance_id = b.id
           and (running.start_date = s.current_billing_period_start
             or (running.id is null and t.billing_period_id <> 'ended'))
           and not exists (select from owed_usage o
             where o.balance_id = b.id and o.billing_period_id = t.billing_period_id)
         union all
         select o.price_id, sum(o.quantity), coalesce((select t.events from usage_total t
           where t.balance_id = b.id and t.billing_period_id = o.billing_period_id and t.price_id = o.price_id), 0)
         from owed_usage o
         where o.balance_id = b.id and o.invoice_line_item_id is null
         group by o.price_id, o.billing_period_id having sum(o.quantity) > 0) part
       join price p on p.id = part.price_id
     where b.subscription_id = any($1::text[]) and not s.do_not_charge
     group by 1 having sum(${mostOf}) > $2::numeric`,
    [subscriptionIds, largestUsage],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The most that a part can cost: an upper bound by the model of its price. */
const mostOf = `least(coalesce(p.maximum_amount, 'infinity'::numeric), case p.model
  when 'per_unit' then part.usage * greatest(p.unit_price, 1) / p.usage_events_per_unit
  when 'matrix' then part.usage * greatest(p.unit_price, 1) / p.usage_events_per_unit
  when 'package' then (part.usage / (p.usage_events_per_unit * p.package_size) + 1) * p.unit_price
  when 'percentage' then part.usage * p.percentage / 100 / p.usage_events_per_unit + part.events * coalesce(p.fixed_fee, 0)
  when 'flat' then p.unit_price
  when 'stairstep' then p.unit_price
  else part.usage / p.usage_events_per_unit
    * (select max((tier ->> 'unitPrice')::numeric) from jsonb_array_elements(p.tiers) tier)
    + (select sum((tier ->> 'flatFee')::numeric) from jsonb_array_elements(p.tiers) tier) end)`;

/** The error message for an event that exceeds the limit. */
export const uncountableUsage = `makes the unbilled usage of the subscription amount to more than ${largestUsage}, which is the most that can be billed`;
