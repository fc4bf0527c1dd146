import { Migration } from '@mikro-orm/migrations';
import { tenantReference, tenantTable } from '#server/database/tenant-table.ts';

/** Top-ups of prepaid balances. */
export class Migration20261230020000 extends Migration {
  override name = 'Migration20261230020000';

  override up(): void {
    this.addSql(
      `create table "prepaid_top_up" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "customer_id" varchar(255) not null, "currency" varchar(3) not null, "threshold" bigint not null, "amount" bigint not null, "most_per_month" bigint not null, "valid_days" int null, "active" boolean not null default true, "problem" text null, "month" varchar(7) null, "bought_in_month" bigint not null default '0', "pending_credit_id" varchar(255) null, "waits_until" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(
      `create index "prepaid_top_up_page" on "prepaid_top_up" ("pricing_model_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "prepaid_top_up_customer" on "prepaid_top_up" ("customer_id", "created_at")`,
    );
    this.addSql(
      `create index "prepaid_top_up_ready" on "prepaid_top_up" ("id") where "active" = true and "pending_credit_id" is null`,
    );
    this.addSql(
      `create index "prepaid_top_up_pending" on "prepaid_top_up" ("pending_credit_id") where "pending_credit_id" is not null`,
    );
    this.addSql(
      `create unique index "prepaid_top_up_active_unique" on "prepaid_top_up" ("customer_id") where "active" = true`,
    );
    this.addSql(
      `alter table "prepaid_top_up" add constraint "prepaid_top_up_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "prepaid_top_up" add constraint "prepaid_top_up_range" check (threshold >= 0 and amount > 0 and valid_days > 0 and most_per_month >= amount)`,
    );
    this.addSql(
      `alter table "prepaid_top_up" add constraint "prepaid_top_up_month" check (bought_in_month >= 0 and bought_in_month <= most_per_month)`,
    );
    for (const sql of tenantTable('prepaid_top_up')) this.addSql(sql);
    this.addSql(tenantReference('prepaid_top_up', 'customer_id', 'customer', 'cascade'));
  }
}
