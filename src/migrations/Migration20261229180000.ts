import { Migration } from '@mikro-orm/migrations';
import { tenantReference, tenantTable } from '#server/database/tenant-table.ts';

/** Rules that give each customer of a pricing model an alert. */
export class Migration20261229180000 extends Migration {
  override name = 'Migration20261229180000';

  override up(): void {
    this.addSql(
      `create table "alert_rule" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "kind" text not null, "threshold" numeric not null, "percentages" jsonb not null default '[]', "usage_meter_id" varchar(255) null, "hard_limit" boolean not null default false, "active" boolean not null default true, "name" varchar(255) null, "revision" int not null default 1, "applied_at" timestamptz(3) null, "settles_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(
      `create index "alert_rule_usage_meter_id_index" on "alert_rule" ("usage_meter_id")`,
    );
    this.addSql(
      `create index "alert_rule_page" on "alert_rule" ("pricing_model_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "alert_rule_settling" on "alert_rule" ("settles_at") where "settles_at" is not null`,
    );
    this.addSql(
      `alter table "alert" add "rule_id" varchar(255) null, add "rule_revision" int null`,
    );
    this.addSql(
      `alter table "alert" add constraint "alert_rule_id_foreign" foreign key ("rule_id") references "alert_rule" ("id") on delete restrict`,
    );
    this.addSql(
      `create unique index "alert_rule_unique" on "alert" ("rule_id", "customer_id") where "rule_id" is not null`,
    );
    this.addSql(
      `alter table "alert" add constraint "alert_of_rule" check ((rule_id is null) = (rule_revision is null))`,
    );
    this.addSql(
      `alter table "alert_rule" add constraint "alert_rule_usage_meter_id_foreign" foreign key ("usage_meter_id") references "usage_meter" ("id") on delete restrict`,
    );
    this.addSql(
      `alter table "alert_rule" add constraint "alert_rule_threshold" check (threshold > 0 or (kind = 'credits' and threshold = 0))`,
    );
    this.addSql(
      `alter table "alert_rule" add constraint "alert_rule_meter" check (kind = 'spend' or usage_meter_id is not null)`,
    );
    this.addSql(
      `alter table "alert_rule" add constraint "alert_rule_hard_limit" check (not hard_limit or kind in ('usage', 'spend', 'credits'))`,
    );
    this.addSql(
      `alter table "alert_rule" add constraint "alert_rule_percentages" check (jsonb_typeof(percentages) = 'array' and jsonb_array_length(percentages) <= 10
        and not jsonb_path_exists(percentages, '$[*] ? (@ < 1 || @ > 1000 || @ == 100)')
        and (threshold > 0 or jsonb_array_length(percentages) = 0))`,
    );
    this.addSql(
      `alter table "alert_rule" add constraint "alert_rule_kind_check" check ("kind" in ('usage', 'projected_usage', 'spend', 'credits', 'credit_hours', 'credit_expiry'))`,
    );
    for (const sql of tenantTable('alert_rule')) this.addSql(sql);
    this.addSql(tenantReference('alert_rule', 'usage_meter_id', 'usage_meter', 'restrict'));
    this.addSql(
      'alter table alert_rule add constraint alert_rule_tenant_unique unique (id, pricing_model_id)',
    );
    this.addSql(tenantReference('alert', 'rule_id', 'alert_rule', 'restrict'));
  }
}
