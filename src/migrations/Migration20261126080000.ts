import { Migration } from '@mikro-orm/migrations';

/**
 * Purchases that were paid before `Migration20261125020000` have added their capacity to the features by hand of the
 * subscription, so a full refund found nothing to revoke. They get an item of their own, which has ended if such a
 * refund has revoked them. A row with less than its purchases have granted was changed by hand, and stays as it is.
 */
export class Migration20261126080000 extends Migration {
  override name = 'Migration20261126080000';

  override up(): void {
    // The expired rows by hand end at their creation: a test clock may be in the past.
    this.addSql(`with granted as materialized (
        select p.id as purchase_id, item.subscription_id, own.id as own_id, f.amount * p.quantity as amount,
          own.amount as present, sum(f.amount * p.quantity) over (partition by own.id) as whole
        from purchase p
          join price on price.id = p.price_id
          join product_feature grants on grants.product_id = price.product_id and grants.expired_at is null
          join feature f on f.id = grants.feature_id and f.type = 'resource'
          join subscription s on s.customer_id = p.customer_id
            and s.status in ('active', 'past_due', 'trialing', 'cancellation_scheduled', 'unpaid', 'credit_trial')
          join subscription_item item on item.subscription_id = s.id and item.manually_created
            and item.price_id is null and item.purchase_id is null and item.expired_at is null
          join subscription_item_feature own on own.subscription_item_id = item.id and own.feature_id = f.id
            and own.expired_at is null
        where p.price_type = 'single_payment' and (p.status in ('paid', 'partial_refund') or p.revoked_at is not null)
          and p.purchase_date < (select executed_at from mikro_orm_migrations where name = 'Migration20261125020000')
          and not exists (select from subscription_item known where known.purchase_id = p.id)
      ), moved as materialized (
        select * from granted where whole <= present
      ), items as materialized (
        select ${newId('si')} as id, purchase_id, moved.subscription_id, min(own.created_at) as created_at
        from moved join subscription_item_feature own on own.id = own_id
        group by purchase_id, moved.subscription_id
      ), new_items as (
        insert into subscription_item (id, created_at, updated_at, livemode, organization_id, pricing_model_id,
          subscription_id, name, added_date, unit_price, quantity, manually_created, customer_id, purchase_id, expired_at)
        select items.id, items.created_at, now(), p.livemode, p.organization_id, p.pricing_model_id,
          items.subscription_id, p.name, items.created_at, 0, p.quantity, true, p.customer_id, p.id, p.revoked_at
        from items join purchase p on p.id = items.purchase_id
      ), new_features as (
        insert into subscription_item_feature (id, created_at, updated_at, livemode, organization_id, pricing_model_id,
          subscription_item_id, feature_id, type, amount, resource_id, manually_created, customer_id, subscription_id, expired_at)
        select ${newId('sub_feature')}, own.created_at, now(), own.livemode, own.organization_id, own.pricing_model_id,
          items.id, own.feature_id, own.type, moved.amount, own.resource_id, true, own.customer_id, own.subscription_id, p.revoked_at
        from moved join items using (purchase_id, subscription_id) join subscription_item_feature own on own.id = own_id
          join purchase p on p.id = purchase_id
      )
      update subscription_item_feature own
      set amount = case when whole = own.amount then own.amount else own.amount - whole end,
        expired_at = case when whole = own.amount then own.created_at end,
        updated_at = now(), version = own.version + 1
      from (select distinct own_id, whole from moved) moved where moved.own_id = own.id`);
  }
}

/** The function `new_id` is applied after the migrations. */
const newId = (prefix: string) =>
  `'${prefix}_' || lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 11, '0')
    || left(translate(encode(sha256(uuid_send(gen_random_uuid())), 'base64'), '+/=', ''), 10)`;
