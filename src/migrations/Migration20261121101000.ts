import { Migration } from '@mikro-orm/migrations';

/** A try that was given up cannot commit any more, and the terms of a price cannot change at all. */
export class Migration20261121101000 extends Migration {
  override up() {
    this.addSql(`delete from idempotency_key`);
    this.addSql(`alter table "idempotency_key" add "attempt" varchar(255) not null;`);

    this.addSql(`create function keep_price_terms() returns trigger language plpgsql as $$
begin
  raise exception 'the terms of price % cannot change', old.id using errcode = 'check_violation';
end $$`);
    this.addSql(`create trigger terms_kept before update on price for each row
      when ((old.type, old.unit_price, old.currency, old.interval_unit, old.interval_count, old.trial_period_days,
        old.usage_events_per_unit, old.product_id, old.usage_meter_id)
        is distinct from (new.type, new.unit_price, new.currency, new.interval_unit, new.interval_count,
        new.trial_period_days, new.usage_events_per_unit, new.product_id, new.usage_meter_id))
      execute function keep_price_terms()`);
  }
}
