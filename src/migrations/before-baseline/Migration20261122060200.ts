import { Migration } from '@mikro-orm/migrations';

const columns = `"name", "allow_multiple_subscriptions_per_customer", "document_secret", "dunning_retry_days",
  "dunning_final_action", "proration_credit", "tax_type", "tax_rate_percentage", "tax_inclusive", "tax_country", "tax_state"`;

/** An organization has settings of its own in each mode; both begin with the ones that were common to them. */
export class Migration20261122060200 extends Migration {
  override up() {
    this.addSql(`create table "organization_settings" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "name" varchar(255) not null, "allow_multiple_subscriptions_per_customer" boolean not null default false, "document_secret" varchar(255) not null default gen_random_uuid()::text || gen_random_uuid()::text, "dunning_retry_days" jsonb not null default '[3, 5, 5]', "dunning_final_action" text not null default 'unpaid', "proration_credit" text not null default 'none', "tax_type" text null, "tax_rate_percentage" varchar(255) null, "tax_inclusive" boolean not null default false, "tax_country" varchar(2) null, "tax_state" varchar(255) null, primary key ("id"));`);
    this.addSql(`alter table "organization_settings" add constraint "organization_settings_mode_unique" unique ("organization_id", "livemode");`);
    this.addSql(`alter table "organization_settings" add constraint "organization_settings_dunning_final_action_check" check ("dunning_final_action" in ('cancel', 'unpaid'));`);
    this.addSql(`alter table "organization_settings" add constraint "organization_settings_proration_credit_check" check ("proration_credit" in ('none', 'balance'));`);
    this.addSql(`alter table "organization_settings" add constraint "organization_settings_tax_type_check" check ("tax_type" in ('amusement_tax', 'communications_tax', 'gst', 'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none'));`);
    this.addSql(`alter table "organization_settings" add constraint "organization_settings_organization" foreign key ("organization_id") references "organization" ("id")`);
    this.addSql(`insert into organization_settings (id, created_at, updated_at, livemode, organization_id, ${columns})
      select new_id('org_settings'), o.created_at, now(), mode.live, o.id, ${columns}
      from organization o, (values (false), (true)) as mode(live)`);
    this.addSql(`alter table "organization" ${columns
      .split(',')
      .map((column) => `drop column ${column.trim()}`)
      .join(', ')}`);
  }
}
