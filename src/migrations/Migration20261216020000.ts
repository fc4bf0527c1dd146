import { Migration } from '@mikro-orm/migrations';
import { tenantReference, tenantTable } from '#server/database/tenant-table.ts';

/** Top-ups buy usage credits when few remain. */
export class Migration20261216020000 extends Migration {
  override name = 'Migration20261216020000';

  override up(): void {
    this.addSql(
      `create table "top_up" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "subscription_id" varchar(255) not null, "customer_id" varchar(255) not null, "usage_meter_id" varchar(255) not null, "price_id" varchar(255) not null, "quantity" int not null default 1, "threshold" numeric not null, "most_per_month" int not null, "active" boolean not null default true, "problem" text null, "month" varchar(7) null, "purchases_in_month" int not null default 0, "pending_purchase_id" varchar(255) null, "due_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(
      `create index "top_up_usage_meter_id_index" on "top_up" ("usage_meter_id")`,
    );
    this.addSql(
      `create index "top_up_price_id_index" on "top_up" ("price_id")`,
    );
    this.addSql(
      `create index "top_up_page" on "top_up" ("pricing_model_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "top_up_customer" on "top_up" ("customer_id", "created_at")`,
    );
    this.addSql(
      `create index "top_up_due" on "top_up" ("due_at", "id") where "due_at" is not null`,
    );
    this.addSql(
      `create index "top_up_pending" on "top_up" ("pending_purchase_id") where "pending_purchase_id" is not null`,
    );
    this.addSql(
      `create unique index "top_up_active_unique" on "top_up" ("subscription_id", "usage_meter_id") where "active" = true`,
    );
    this.addSql(
      `alter table "top_up" add constraint "top_up_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "top_up" add constraint "top_up_usage_meter_id_foreign" foreign key ("usage_meter_id") references "usage_meter" ("id") on delete restrict`,
    );
    this.addSql(
      `alter table "top_up" add constraint "top_up_price_id_foreign" foreign key ("price_id") references "price" ("id") on delete restrict`,
    );
    this.addSql(
      `alter table "top_up" add constraint "top_up_range" check (threshold >= 0 and quantity > 0 and most_per_month > 0)`,
    );
    this.addSql(
      `alter table "top_up" add constraint "top_up_month" check (purchases_in_month >= 0 and purchases_in_month <= most_per_month)`,
    );
    this.addSql(
      `alter table "top_up" add constraint "top_up_due_once" check (due_at is null or (active and pending_purchase_id is null))`,
    );
    for (const sql of tenantTable('top_up')) this.addSql(sql);
    this.addSql(tenantReference('top_up', 'subscription_id', 'subscription', 'cascade'));
    this.addSql(tenantReference('top_up', 'usage_meter_id', 'usage_meter', 'restrict'));
    this.addSql(tenantReference('top_up', 'price_id', 'price', 'restrict'));
  }
}
