import { Migration } from '@mikro-orm/migrations';
import { tenantReference, tenantTable } from '#server/database/tenant-table.ts';

/** One-off charges, which the next invoice of a subscription bills once. */
export class Migration20261225010000 extends Migration {
  override name = 'Migration20261225010000';

  override up(): void {
    this.addSql(
      `create table "one_off_charge" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "subscription_id" varchar(255) not null, "customer_id" varchar(255) not null, "name" varchar(255) not null, "description" text null, "quantity" numeric not null, "unit_price" bigint not null, "price_id" varchar(255) null, "invoice_id" varchar(255) null, "billed_at" timestamptz(3) null, primary key ("id"))`,
    );
    for (const [name, columns] of [
      ['price_id_index', '"price_id"'],
      ['invoice_id_index', '"invoice_id"'],
      ['page', '"pricing_model_id", "created_at", "position", "id"'],
      ['customer', '"customer_id", "created_at"'],
      ['subscription', '"subscription_id", "created_at"'],
    ])
      this.addSql(`create index "one_off_charge_${name}" on "one_off_charge" (${columns})`);
    this.addSql(
      `create index "one_off_charge_pending" on "one_off_charge" ("subscription_id", "position") where "billed_at" is null`,
    );
    for (const [name, parent, action] of [
      ['subscription', 'subscription', 'cascade'],
      ['price', 'price', 'restrict'],
      ['invoice', 'invoice', 'cascade'],
    ])
      this.addSql(
        `alter table "one_off_charge" add constraint "one_off_charge_${name}_id_foreign" foreign key ("${name}_id") references "${parent}" ("id") on delete ${action}`,
      );
    this.addSql(
      `alter table "one_off_charge" add constraint "one_off_charge_range" check (quantity > 0 and unit_price > 0)`,
    );
    this.addSql(
      `alter table "one_off_charge" add constraint "one_off_charge_billed" check ((billed_at is null) = (invoice_id is null))`,
    );
    for (const sql of tenantTable('one_off_charge')) this.addSql(sql);
    this.addSql(tenantReference('one_off_charge', 'subscription_id', 'subscription', 'cascade'));
    this.addSql(tenantReference('one_off_charge', 'price_id', 'price', 'restrict'));
    this.addSql(tenantReference('one_off_charge', 'invoice_id', 'invoice', 'cascade'));
    this.addSql(`alter table "invoice_line_item" add "one_off_charge_id" varchar(255) null`);
    this.addSql(`alter table "invoice_line_item" drop constraint invoice_line_item_type_check`);
    this.addSql(
      `alter table "invoice_line_item" add constraint "invoice_line_item_type_check" check ("type" in ('static', 'usage', 'discount', 'commitment', 'one_off'))`,
    );
    this.addSql(
      `alter table "invoice_line_item" add constraint "invoice_line_item_one_off" check ((type = 'one_off') = (one_off_charge_id is not null))`,
    );
    this.addSql(
      `create unique index "invoice_line_item_one_off_unique" on "invoice_line_item" ("one_off_charge_id") where "one_off_charge_id" is not null`,
    );
  }
}
