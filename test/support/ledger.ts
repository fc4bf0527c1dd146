import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { digestsThatAgree } from './tables/digests.ts';

/** Violations of the ledger's invariants, each as the query that finds it among the rows of a tenant. */
const violations: Readonly<Record<string, string>> = {
  'a transaction that does not sum to zero': `
    select id from ledger_transaction where pricing_model_id = $tenant
      and usage + credits + overage + granted + expired + billed <> 0`,
  'a balance that is not the sum of its ledger': `
    select b.id, to_jsonb(b) as balance, to_jsonb(l) as ledger from usage_meter_balance b, lateral (
      select coalesce(sum(usage), 0) as usage, coalesce(sum(credits), 0) as credits,
        coalesce(sum(overage), 0) as overage, coalesce(sum(granted), 0) as granted,
        coalesce(sum(expired), 0) as expired, coalesce(sum(billed), 0) as billed
      from ledger_transaction where balance_id = b.id) l
    where b.pricing_model_id = $tenant and (b.usage, b.credits, b.overage, b.granted, b.expired, b.billed)
      <> (l.usage, l.credits, l.overage, l.granted, l.expired, l.billed)`,
  'credits that are not what the ledger states of them': `
    select b.id, b.credits, b.granted, b.expired, c.* from usage_meter_balance b, lateral (
      select coalesce(sum(remaining), 0) as left, coalesce(sum(amount), 0) as given,
        coalesce(sum(expired), 0) as gone
      from usage_credit where balance_id = b.id) c
    where b.pricing_model_id = $tenant and (b.credits, -b.granted, b.expired) <> (c.left, c.given, c.gone)`,
  'a credit whose parts are not the whole': `
    select c.id, c.amount, c.remaining, c.expired, a.applied from usage_credit c, lateral (
      select coalesce(sum(amount), 0) as applied from usage_credit_application where credit_id = c.id) a
    where c.pricing_model_id = $tenant and c.amount <> c.remaining + c.expired + a.applied`,
  'a rollover that is not what the period of its grant left': `
    select c.id, c.amount, c.rolled_over, c.not_rolled_over, a.applied from usage_credit c, lateral (
      select coalesce(sum(amount), 0) as applied from usage_credit_application
      where credit_id = c.id and billing_period_id in (c.billing_period_id, '')) a
    where c.pricing_model_id = $tenant and c.rolled_into is not null
      and (c.amount <> a.applied + c.rolled_over + c.not_rolled_over
        or c.not_rolled_over > 0 and c.rolled_over < c.rollover_limit)`,
  'usage that is not what the periods add up to': `
    select b.id, b.usage, t.*, h.hours from usage_meter_balance b, lateral (
      select coalesce(sum(usage), 0) as periods from usage_total where balance_id = b.id) t, lateral (
      select coalesce(sum(usage), 0) as hours from usage_hour where balance_id = b.id) h
    where b.pricing_model_id = $tenant and (b.usage <> t.periods or b.usage <> h.hours)`,
  'a total that is not what its meter makes of the events': `
    with counting as (
      select b.id as balance_id, case when e.after_end then 'ended' else coalesce(e.billing_period_id, '') end as period, e.*, m.aggregation_type
      from usage_event e join usage_meter m on m.id = e.usage_meter_id
      join usage_meter_balance b on b.subscription_id = e.subscription_id and b.usage_meter_id = m.id
      where e.pricing_model_id = $tenant and e.voided_at is null),
    expected as (
      select balance_id, period, price_id, count(*) as events, case min(aggregation_type)
        when 'sum' then sum(amount)
        when 'count' then count(*)
        when 'max' then max(amount) end as usage
      from counting group by 1, 2, 3),
    totals as (
      select t.* from usage_total t join usage_meter_balance b on b.id = t.balance_id
      where b.pricing_model_id = $tenant)
    select t.*, e.* from totals t full join expected e on e.balance_id = t.balance_id
      and e.period = t.billing_period_id and e.price_id = t.price_id
    where coalesce(e.events, 0) <> coalesce(t.events, 0)
      or (e.usage is not null and e.usage <> t.usage) or (e.events is null and t.usage <> 0)`,
  'more covered by credits than was used': `
    select b.id, a.billing_period_id, a.covered, t.usage from usage_meter_balance b
    join lateral (
      select a.billing_period_id, sum(a.amount) as covered from usage_credit_application a
      join usage_credit c on c.id = a.credit_id where c.balance_id = b.id group by 1) a on true
    left join lateral (
      select coalesce(sum(usage), 0) as usage from usage_total
      where balance_id = b.id and billing_period_id = a.billing_period_id) t on true
    where b.pricing_model_id = $tenant and a.covered > t.usage`,
  'an ended period that does not owe what was not covered, or a running one that owes': `
    select b.id, p.id as period, p.start_date, t.usage, a.covered, o.owed
    from usage_meter_balance b join subscription s on s.id = b.subscription_id
    join billing_period p on p.subscription_id = s.id, lateral (
      select coalesce(sum(usage), 0) as usage from usage_total
      where balance_id = b.id and billing_period_id = p.id) t, lateral (
      select coalesce(sum(a.amount), 0) as covered from usage_credit_application a
      join usage_credit c on c.id = a.credit_id
      where c.balance_id = b.id and a.billing_period_id = p.id) a, lateral (
      select coalesce(sum(quantity), 0) as owed from owed_usage
      where balance_id = b.id and billing_period_id = p.id) o
    where b.pricing_model_id = $tenant and o.owed <> case
      when p.start_date = s.current_billing_period_start and s.status not in ('canceled', 'incomplete_expired')
      then case when exists (select from invoice where billing_period_id = p.id and purpose = 'threshold') then o.owed else 0 end
      else t.usage - a.covered end`,
  'a line that is not the sum of the usage it bills': `
    select i.id, i.usage_quantity, i.amount, o.billed, o.cost from invoice_line_item i, lateral (
      select coalesce(sum(quantity), 0) as billed, coalesce(sum(amount), 0) as cost
      from owed_usage where invoice_line_item_id = i.id) o
    where i.pricing_model_id = $tenant and i.type = 'usage'
      and (i.usage_quantity <> o.billed or i.amount <> o.cost)`,
  'billed and credited amounts of a period that are not what its usage costs': `
    select o.balance_id, o.billing_period_id as period, o.price_id, sum(o.quantity) as usage, sum(o.amount) as amount,
      round(sum(o.quantity) * p.unit_price / p.usage_events_per_unit) as cost
    from owed_usage o join price p on p.id = o.price_id join usage_meter_balance b on b.id = o.balance_id
    where b.pricing_model_id = $tenant and p.model = 'per_unit'
      and num_nonnulls(p.free_units, p.minimum_amount, p.maximum_amount) = 0
    group by o.balance_id, o.billing_period_id, o.price_id, p.id
    having coalesce(sum(o.quantity) filter (where o.invoice_line_item_id is null), 0) = 0
      and bool_or(o.invoice_line_item_id is not null)
      and sum(o.amount) <> round(sum(o.quantity) * p.unit_price / p.usage_events_per_unit)`,
  'billed usage of the ledger that is not on invoices': `
    select b.id, b.billed, i.billed from usage_meter_balance b, lateral (
      select coalesce(sum(usage_quantity), 0) as billed from invoice_line_item where balance_id = b.id) i
    where b.pricing_model_id = $tenant and -b.billed <> i.billed`,
  'usage that is neither covered nor billed nor open': `
    select b.id, b.overage, b.usage, b.billed, a.covered from usage_meter_balance b, lateral (
      select coalesce(sum(a.amount), 0) as covered from usage_credit_application a
      join usage_credit c on c.id = a.credit_id where c.balance_id = b.id) a
    where b.pricing_model_id = $tenant and b.usage <> a.covered - b.billed - b.overage`,
  'a line of which more has been undone than it billed': `
    select line.id, undone.quantity, o.billed from invoice_line_item line, lateral (
      select billing_period_id as period, -sum(quantity) as quantity from owed_usage
      where undone_line_item_id = line.id group by 1) undone, lateral (
      select coalesce(sum(quantity), 0) as billed from owed_usage
      where invoice_line_item_id = line.id and billing_period_id = undone.period and undone_line_item_id is null) o
    where line.pricing_model_id = $tenant and undone.quantity > o.billed`,
  'usage that is corrected though nothing has been paid for it': `
    select o.id, i.id as invoice, i.status from owed_usage o
    join invoice_line_item line on line.id = o.undone_line_item_id join invoice i on i.id = line.invoice_id
    where i.pricing_model_id = $tenant and not o.is_lost
      and i.status not in ('paid', 'partially_refunded', 'refunded')`,
  'more corrected than has been paid for an invoice': `
    select i.id, i.total, back.amount, paid.amount as paid from invoice i, lateral (
      select (select coalesce(-sum(o.amount), 0) from owed_usage o
        join invoice_line_item line on line.id = o.undone_line_item_id
        where line.invoice_id = i.id and o.invoice_line_item_id is not null and not o.is_lost)
      + (select coalesce(-sum(by.amount), 0) from invoice_line_item by
        join invoice_line_item line on line.id = by.undone_line_item_id
        where line.invoice_id = i.id) as amount) back, lateral (
      select i.credit_applied + coalesce(sum(amount) filter (where status in ('succeeded', 'refunded')), 0) as amount
      from payment where invoice_id = i.id) paid, lateral (
      select (select coalesce(-sum(o.amount), 0) from owed_usage o
        join invoice_line_item line on line.id = o.invoice_line_item_id
        where line.invoice_id = i.id and o.undone_line_item_id is not null and not o.is_lost)
      + (select coalesce(-sum(line.amount), 0) from invoice_line_item line
        where line.invoice_id = i.id and line.undone_line_item_id is not null) as amount) less
    where i.pricing_model_id = $tenant and back.amount > paid.amount + less.amount`,
  'a commitment of which more has been undone than it charged': `
    select line.id, line.amount, undone.amount as undone from invoice_line_item line, lateral (
      select -sum(amount) as amount from invoice_line_item where undone_line_item_id = line.id) undone
    where line.pricing_model_id = $tenant and undone.amount > line.amount`,
  'an event without its key': `
    select e.id from usage_event e left join usage_event_key k on k.id = e.id and k.created_at = e.created_at
      and k.recorded_at = e.recorded_at
    where e.pricing_model_id = $tenant and k.id is null`,
};

const query = Object.entries(violations)
  .map(
    ([name, sql]) =>
      `select '${name}' as violation, to_jsonb(found) as row from (${sql.replaceAll('$tenant', 'tenant.id')}) found`,
  )
  .map((sql) => `select found.* from tenant, lateral (${sql}) found`)
  .join(' union all ');

/**
 * Expects that the ledgers of a tenant agree with its balances, credits, events and invoices. As many totals as given
 * have no digest of their events.
 */
export async function expectLedgersToAgree(session: Session, { withoutDigest = 0 } = {}) {
  const { em, pricingModelId } = session;
  const found = await em
    .fork()
    .execute(`with tenant as (select ?::text as id) ${query} limit 20`, [pricingModelId]);
  expect(found).toEqual([]);
  expect(await digestsThatAgree(session)).toEqual({ withoutDigest });
}
