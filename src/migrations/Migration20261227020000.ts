import { Migration } from '@mikro-orm/migrations';

/** Alerts with several thresholds, each of which has its own crossings. */
export class Migration20261227020000 extends Migration {
  override name = 'Migration20261227020000';

  override up(): void {
    this.addSql(`alter table "alert" add "percentages" jsonb not null default '[]'`);
    this.addSql(
      `alter table "alert" add constraint "alert_percentages" check (jsonb_typeof(percentages) = 'array' and jsonb_array_length(percentages) <= 10
        and not jsonb_path_exists(percentages, '$[*] ? (@ < 1 || @ > 1000 || @ == 100)')
        and (threshold > 0 or jsonb_array_length(percentages) = 0))`,
    );
    this.addSql(`alter table "alert_crossing" add "percentage" int not null default 100`);
    this.addSql(`drop index "alert_crossing_open_unique"`);
    this.addSql(
      `create unique index "alert_crossing_open_unique" on "alert_crossing" ("alert_id", "subscription_id", "billing_period_id", "percentage") where "ended_at" is null`,
    );
  }
}
