import { Migration } from '@mikro-orm/migrations';
import { tenantReference, tenantTable } from '#server/database/tenant-table.ts';

/** Prepaid credits: money of customers in advance, the invoices that it pays, and those that buy it. */
export class Migration20261230010000 extends Migration {
  override name = 'Migration20261230010000';

  override up(): void {
    this.addSql(
      `create table "prepaid_credit" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "customer_id" varchar(255) not null, "source" text not null, "currency" varchar(3) not null, "amount" bigint not null, "remaining" bigint not null default '0', "used" bigint not null default '0', "expired" bigint not null default '0', "revoked" bigint not null default '0', "lacking" bigint not null default '0', "priority" int not null default 50, "expires_at" timestamptz(3) null, "valid_days" int null, "rollovers" int null, "rollover_limit" bigint null, "rolled_over" int not null default 0, "expiry_announced" timestamptz(3) null, "invoice_id" varchar(255) null, "granted_at" timestamptz(3) null, "voided_at" timestamptz(3) null, "reason" text null, primary key ("id"))`,
    );
    this.addSql(
      `create index "prepaid_credit_page" on "prepaid_credit" ("pricing_model_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "prepaid_credit_customer" on "prepaid_credit" ("customer_id", "created_at", "position", "id")`,
    );
    this.addSql(
      `create index "prepaid_credit_left" on "prepaid_credit" ("customer_id") where "remaining" > 0`,
    );
    this.addSql(
      `create index "prepaid_credit_expiring" on "prepaid_credit" ("expires_at", "id") where "remaining" > 0 and "expires_at" is not null`,
    );
    this.addSql(
      `create index "prepaid_credit_remaining" on "prepaid_credit" (pricing_model_id, (coalesce(currency, '')), remaining, position, id)`,
    );
    this.addSql(
      `create index "prepaid_credit_expiry" on "prepaid_credit" (pricing_model_id, (coalesce(expires_at, 'infinity'::timestamptz)), position, id)`,
    );
    this.addSql(
      `alter table "prepaid_credit" add constraint "prepaid_credit_invoice_unique" unique ("invoice_id")`,
    );
    this.addSql(
      `create table "prepaid_credit_use" ("credit_id" varchar(255) not null, "invoice_id" varchar(255) not null, "organization_id" varchar(255) not null, "amount" bigint not null, "returned" bigint not null default '0', primary key ("credit_id", "invoice_id"))`,
    );
    this.addSql(
      `create index "prepaid_credit_use_invoice_id_index" on "prepaid_credit_use" ("invoice_id")`,
    );
    this.addSql(
      `alter table "mail_settings" drop constraint "mail_settings_days"`,
    );
    this.addSql(
      `alter table "mail_settings" add "prepaid_expiring_days" int not null default 14`,
    );
    this.addSql(
      `alter table "mail_settings" add constraint "mail_settings_days" check (least(trial_ending_days, renewal_days, card_expiring_days, prepaid_expiring_days) >= 1 and greatest(trial_ending_days, renewal_days, card_expiring_days, prepaid_expiring_days) <= 90)`,
    );
    this.addSql(
      `alter table "customer" drop constraint "customer_credit_currency"`,
    );
    this.addSql(
      `alter table "customer" add "prepaid_balance" bigint not null default '0'`,
    );
    this.addSql(
      `alter table "customer" add constraint "customer_prepaid" check (prepaid_balance >= 0)`,
    );
    this.addSql(
      `alter table "customer" add constraint "customer_credit_currency" check (credit_balance + prepaid_balance = 0 or currency is not null)`,
    );
    this.addSql(
      `alter table "invoice" add "prepaid_credit_id" varchar(255) null, add "prepaid_applied" bigint not null default '0'`,
    );
    this.addSql(
      `alter table "invoice" add constraint "invoice_prepaid_credit_unique" unique ("prepaid_credit_id")`,
    );
    this.addSql(
      `alter table "invoice" add constraint "invoice_prepaid" check (prepaid_applied >= 0 and prepaid_applied <= credit_applied)`,
    );
    this.addSql(
      `alter table "invoice" add constraint "invoice_prepaid_credit" check (prepaid_credit_id is null or type = 'standalone' and tax_amount = 0 and prepaid_applied = 0)`,
    );
    this.addSql(
      `alter table "prepaid_credit" add constraint "prepaid_credit_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "prepaid_credit" add constraint "prepaid_credit_invoice_id_foreign" foreign key ("invoice_id") references "invoice" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "prepaid_credit" add constraint "prepaid_credit_parts" check (amount > 0 and least(remaining, used, expired, revoked) >= 0
        and remaining + used + expired + revoked = case when granted_at is null then 0 else amount end)`,
    );
    this.addSql(
      `alter table "prepaid_credit" add constraint "prepaid_credit_lacking" check (lacking >= 0 and lacking <= used + expired)`,
    );
    this.addSql(
      `alter table "prepaid_credit" add constraint "prepaid_credit_source" check ((source = 'gift') = (invoice_id is null) and (source <> 'gift' or granted_at is not null))`,
    );
    this.addSql(
      `alter table "prepaid_credit" add constraint "prepaid_credit_void" check (voided_at is null or remaining = 0)`,
    );
    this.addSql(
      `alter table "prepaid_credit" add constraint "prepaid_credit_time" check (valid_days > 0 and rollovers >= 0 and rollover_limit > 0 and rolled_over >= 0
        and (valid_days is not null or rollovers is null) and (rollovers is not null or rollover_limit is null))`,
    );
    this.addSql(
      `alter table "prepaid_credit" add constraint "prepaid_credit_source_check" check ("source" in ('purchase', 'gift', 'top_up'))`,
    );
    this.addSql(
      `alter table "prepaid_credit_use" add constraint "prepaid_credit_use_credit_id_foreign" foreign key ("credit_id") references "prepaid_credit" ("id") on update cascade on delete cascade`,
    );
    this.addSql(
      `alter table "prepaid_credit_use" add constraint "prepaid_credit_use_invoice_id_foreign" foreign key ("invoice_id") references "invoice" ("id") on update cascade on delete cascade`,
    );
    this.addSql(
      `alter table "prepaid_credit_use" add constraint "prepaid_credit_use_range" check (returned >= 0 and returned <= amount)`,
    );
    for (const sql of tenantTable('prepaid_credit')) this.addSql(sql);
    this.addSql(tenantReference('prepaid_credit', 'customer_id', 'customer', 'cascade'));
    this.addSql(tenantReference('prepaid_credit', 'invoice_id', 'invoice', 'cascade'));
    this.addSql(
      `alter table prepaid_credit add constraint prepaid_credit_id_organization unique (id, organization_id)`,
    );
    this.addSql(
      `alter table prepaid_credit_use drop constraint prepaid_credit_use_credit_id_foreign,
       add constraint prepaid_credit_use_credit_id_foreign foreign key (credit_id, organization_id)
         references prepaid_credit (id, organization_id) on update cascade on delete cascade`,
    );
  }
}
