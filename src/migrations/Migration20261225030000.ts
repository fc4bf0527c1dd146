import { Migration } from '@mikro-orm/migrations';
import { tenantReference, tenantTable } from '#server/database/tenant-table.ts';

/** Phases of subscriptions: items that apply from a later billing period on. */
export class Migration20261225030000 extends Migration {
  override name = 'Migration20261225030000';

  override up(): void {
    this.addSql(
      `create table "subscription_phase" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "subscription_id" varchar(255) not null, "customer_id" varchar(255) not null, "starts_at" timestamptz(3) not null, "items" jsonb not null, "status" text not null default 'planned', "started_at" timestamptz(3) null, "problem" text null, primary key ("id"))`,
    );
    this.addSql(
      `create index "subscription_phase_page" on "subscription_phase" ("pricing_model_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "subscription_phase_customer" on "subscription_phase" ("customer_id", "created_at")`,
    );
    this.addSql(
      `create index "subscription_phase_subscription" on "subscription_phase" ("subscription_id", "starts_at")`,
    );
    this.addSql(
      `create unique index "subscription_phase_planned_unique" on "subscription_phase" ("subscription_id", "starts_at") where "status" = 'planned'`,
    );
    this.addSql(
      `alter table "subscription_phase" add constraint "subscription_phase_status_check" check ("status" in ('planned', 'started', 'skipped', 'failed', 'canceled'))`,
    );
    this.addSql(
      `alter table "subscription_phase" add constraint "subscription_phase_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "subscription_phase" add constraint "subscription_phase_started" check ((status = 'started') = (started_at is not null) and (status = 'failed') = (problem is not null))`,
    );
    for (const sql of tenantTable('subscription_phase')) this.addSql(sql);
    this.addSql(
      tenantReference('subscription_phase', 'subscription_id', 'subscription', 'cascade'),
    );
  }
}
