import { Migration } from '@mikro-orm/migrations';

const capacityAfterPayment = (resource: string) => `coalesce((
    select coalesce((b.adjustment->'capacities'->>${resource})::bigint, 0) from billing_run b
    where b.subscription_id = of_subscription and b.is_adjustment = true
      and b.status in ('scheduled', 'started', 'awaiting_payment_confirmation')
      and b.adjustment->'capacities' is not null), 9007199254740991)`;

/** While an adjustment is being paid for, what it will not leave room for cannot be claimed any more. */
export class Migration20261121171500 extends Migration {
  override up() {
    this.addSql(`create or replace function resource_capacity(of_subscription text, of_resource text, now_at timestamptz, then_at timestamptz)
returns table (features bigint, capacity bigint) language sql stable as $$
  select count(*), least(coalesce(sum(f.amount) filter (
      where (f.expired_at is null or f.expired_at > now_at)
        and i.added_date <= then_at and (i.expired_at is null or i.expired_at > then_at)), 0),
    ${capacityAfterPayment('of_resource')})::bigint
  from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
  where f.subscription_id = of_subscription and f.resource_id = of_resource
$$`);

    this.addSql(`create or replace function resource_standing(of_subscription text, model text, wanted_slug text, now_at timestamptz)
returns table (resource text, features bigint, capacity bigint, moving boolean, claimed bigint, reserved bigint)
language sql stable as $$
  select r.id, granted.features, granted.capacity, granted.moving,
    (select coalesce(sum(c.claimed), 0)::bigint from resource_claim_count c
      where c.subscription_id = of_subscription and c.resource_id = r.id and c.expires_at > now_at),
    (select coalesce(sum(v.quantity), 0)::bigint from reservation v
      where v.subscription_id = of_subscription and v.resource_id = r.id
        and v.status = 'held' and v.expires_at > now_at)
  from resource r, lateral (
    select count(*) as features, least(coalesce(sum(f.amount) filter (
        where (f.expired_at is null or f.expired_at > now_at)
          and i.added_date <= now_at and (i.expired_at is null or i.expired_at > now_at)), 0),
      ${capacityAfterPayment('r.id')})::bigint
      as capacity, bool_or(i.added_date > now_at or i.expired_at > now_at) as moving
    from subscription_item_feature f join subscription_item i on i.id = f.subscription_item_id
    where f.subscription_id = of_subscription and f.resource_id = r.id) as granted
  where r.pricing_model_id = model and r.slug = wanted_slug
$$`);
  }
}
