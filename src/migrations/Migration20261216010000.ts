import { Migration } from '@mikro-orm/migrations';
import { tenantReference, tenantTable } from '#server/database/tenant-table.ts';

/** Alerts on usage, spend and credits, and the times that their thresholds were reached. */
export class Migration20261216010000 extends Migration {
  override name = 'Migration20261216010000';

  override up(): void {
    this.addSql(
      `create table "alert" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "kind" text not null, "threshold" numeric not null, "customer_id" varchar(255) not null, "subscription_id" varchar(255) null, "usage_meter_id" varchar(255) null, "hard_limit" boolean not null default false, "active" boolean not null default true, "name" varchar(255) null, primary key ("id"))`,
    );
    this.addSql(
      `create index "alert_usage_meter_id_index" on "alert" ("usage_meter_id")`,
    );
    this.addSql(
      `create index "alert_page" on "alert" ("pricing_model_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "alert_customer" on "alert" ("customer_id", "created_at")`,
    );
    this.addSql(
      `create index "alert_subscription" on "alert" ("subscription_id", "created_at")`,
    );
    this.addSql(
      `create table "alert_crossing" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "alert_id" varchar(255) not null, "customer_id" varchar(255) not null, "subscription_id" varchar(255) not null, "usage_meter_id" varchar(255) null, "billing_period_id" varchar(255) not null, "kind" text not null, "threshold" numeric not null, "value" numeric not null, "ended_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(
      `create index "alert_crossing_page" on "alert_crossing" ("pricing_model_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "alert_crossing_alert" on "alert_crossing" ("alert_id", "created_at")`,
    );
    this.addSql(
      `create index "alert_crossing_subscription" on "alert_crossing" ("subscription_id", "created_at")`,
    );
    this.addSql(
      `create index "alert_crossing_customer" on "alert_crossing" ("customer_id", "created_at")`,
    );
    this.addSql(
      `create unique index "alert_crossing_open_unique" on "alert_crossing" ("alert_id", "subscription_id", "billing_period_id") where "ended_at" is null`,
    );
    this.addSql(
      `create table "usage_watch" ("subscription_id" varchar(255) not null, "due_at" timestamptz(3) null, primary key ("subscription_id"))`,
    );
    this.addSql(
      `create index "usage_watch_due" on "usage_watch" ("due_at", "subscription_id") where "due_at" is not null`,
    );
    this.addSql(
      `alter table "subscription" add "watched" boolean not null default false`,
    );
    this.addSql(
      `alter table "alert" add constraint "alert_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "alert" add constraint "alert_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "alert" add constraint "alert_usage_meter_id_foreign" foreign key ("usage_meter_id") references "usage_meter" ("id") on delete restrict`,
    );
    this.addSql(
      `alter table "alert" add constraint "alert_threshold" check (threshold > 0 or (kind = 'credits' and threshold = 0))`,
    );
    this.addSql(
      `alter table "alert" add constraint "alert_meter" check (kind = 'spend' or usage_meter_id is not null)`,
    );
    this.addSql(
      `alter table "alert" add constraint "alert_hard_limit" check (not hard_limit or kind in ('usage', 'spend', 'credits'))`,
    );
    this.addSql(
      `alter table "alert" add constraint "alert_kind_check" check ("kind" in ('usage', 'projected_usage', 'spend', 'credits', 'credit_hours', 'credit_expiry'))`,
    );
    this.addSql(
      `alter table "alert_crossing" add constraint "alert_crossing_alert_id_foreign" foreign key ("alert_id") references "alert" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "alert_crossing" add constraint "alert_crossing_kind_check" check ("kind" in ('usage', 'projected_usage', 'spend', 'credits', 'credit_hours', 'credit_expiry'))`,
    );
    this.addSql(
      `alter table "usage_watch" add constraint "usage_watch_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on update cascade on delete cascade`,
    );
    this.addSql(`alter table alert add constraint alert_tenant_unique unique (id, pricing_model_id)`);
    for (const table of ['alert', 'alert_crossing']) {
      for (const sql of tenantTable(table)) this.addSql(sql);
    }
    this.addSql(tenantReference('alert', 'customer_id', 'customer', 'cascade'));
    this.addSql(tenantReference('alert', 'subscription_id', 'subscription', 'cascade'));
    this.addSql(tenantReference('alert', 'usage_meter_id', 'usage_meter', 'restrict'));
    this.addSql(tenantReference('alert_crossing', 'alert_id', 'alert', 'cascade'));
  }
}
