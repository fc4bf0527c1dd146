import { Migration } from '@mikro-orm/migrations';

/** Events that count in the place of others stand where the first of those stood. */
export class Migration20261122040100 extends Migration {
  override up() {
    this.addSql(`alter table usage_event add order_at timestamptz(3) null, add order_place int null`);
    this.addSql(`with recursive chain as (
        select pricing_model_id, replaced_by_id as id, recorded_at, place from usage_event old
        where replaced_by_id is not null and first_recorded_at is null
        union all
        select e.pricing_model_id, e.replaced_by_id, chain.recorded_at, chain.place from chain
        join usage_event_key k on k.id = chain.id
        join usage_event e on e.pricing_model_id = chain.pricing_model_id and e.created_at = k.created_at
          and e.id = k.id and e.recorded_at = k.recorded_at
        where e.replaced_by_id is not null)
      update usage_event e set order_at = chain.recorded_at, order_place = chain.place
      from chain join usage_event_key k on k.id = chain.id
      where e.pricing_model_id = chain.pricing_model_id and e.created_at = k.created_at and e.id = k.id
        and e.recorded_at = k.recorded_at`);
  }
}
