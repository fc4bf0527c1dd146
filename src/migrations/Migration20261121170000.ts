import { Migration } from '@mikro-orm/migrations';

/** Reservations may hold usage credits besides. */
export class Migration20261121170000 extends Migration {
  override up() {
    this.addSql(`alter table "reservation" add "usage_meter_id" varchar(255) null, add "usage_amount" numeric null, add "usage_event_id" varchar(255) null, add "balance_id" varchar(255) null;`);
    this.addSql(`create index "reservation_balance" on "reservation" ("balance_id", "expires_at") where "status" = 'held' and "balance_id" is not null;`);
    this.addSql(`alter table "reservation" add constraint "reservation_usage" check (num_nonnulls(usage_meter_id, usage_amount, balance_id) in (0, 3) and usage_amount > 0);`);
    this.addSql(`call same_pricing_model('reservation', 'balance_id', 'usage_meter_balance')`);
  }
}
