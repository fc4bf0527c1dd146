import { Migration } from '@mikro-orm/migrations';
import { tenantTable } from '#server/database/tenant-table.ts';

/** Tax rates by place, several taxes on documents, exempt customers, and what e-invoices state of their parties. */
export class Migration20261220010000 extends Migration {
  override name = 'Migration20261220010000';

  override up(): void {
    this.addSql(`create table "tax_rate" (
      "id" varchar(255) not null,
      "position" bigserial,
      "created_at" timestamptz(3) not null,
      "updated_at" timestamptz(3) not null,
      "version" int not null default 1,
      "livemode" boolean not null,
      "organization_id" varchar(255) not null,
      "pricing_model_id" varchar(255) not null,
      "name" varchar(255) not null,
      "tax_type" text not null,
      "rate_percentage" varchar(255) not null,
      "country" varchar(2) not null,
      "state" varchar(255) null,
      "postal_prefix" varchar(255) null,
      "tax_code" varchar(255) null,
      "customer_kind" text not null default 'any',
      "compound" boolean not null default false,
      "category" text not null default 'S',
      "reason" text null,
      "valid_from" timestamptz(3) null,
      "valid_until" timestamptz(3) null, primary key ("id"))`);
    this.addSql(`create index "tax_rate_page" on "tax_rate" ("pricing_model_id", "created_at", "position", "id")`);
    this.addSql(`create index "tax_rate_place" on "tax_rate" ("pricing_model_id", "country")`);
    this.addSql(`alter table "organization_settings" add "bank_account" jsonb null, add "tax_engine" text not null default 'rule'`);
    this.addSql(`alter table "organization_settings" add constraint "organization_settings_tax_engine_check" check ("tax_engine" in ('rule', 'rates'))`);
    this.addSql(`alter table "product" add "tax_code" varchar(255) null`);
    this.addSql(`alter table "customer" add "tax_exempt" text not null default 'none', add "buyer_reference" varchar(255) null`);
    this.addSql(`alter table "customer" add constraint "customer_tax_exempt_check" check ("tax_exempt" in ('none', 'exempt', 'reverse'))`);
    this.addSql(`alter table "invoice" add "tax_lines" jsonb null, add "taxes_credited" jsonb null`);
    this.addSql(`alter table "credit_note" add "tax_lines" jsonb null`);
    this.addSql(`alter table "invoice_line_item" add "tax_group" int null`);
    this.addSql(`alter table "tax_rate" add constraint "tax_rate_country" check (country ~ '^[A-Z]{2}\$')`);
    this.addSql(`alter table "tax_rate" add constraint "tax_rate_type" check (tax_type <> 'none')`);
    this.addSql(`alter table "tax_rate" add constraint "tax_rate_percentage" check (rate_percentage ~ '^(100(\\.0{1,4})?|\\d{1,2}(\\.\\d{1,4})?)\$')`);
    this.addSql(`alter table "tax_rate" add constraint "tax_rate_category" check ((category = 'S') = (rate_percentage::numeric > 0))`);
    this.addSql(`alter table "tax_rate" add constraint "tax_rate_validity" check (valid_from < valid_until)`);
    this.addSql(`alter table "tax_rate" add constraint "tax_rate_tax_type_check" check ("tax_type" in ('amusement_tax', 'communications_tax', 'gst', 'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none'))`);
    this.addSql(`alter table "tax_rate" add constraint "tax_rate_customer_kind_check" check ("customer_kind" in ('any', 'business', 'consumer'))`);
    this.addSql(`alter table "tax_rate" add constraint "tax_rate_category_check" check ("category" in ('S', 'Z', 'E', 'AE', 'G', 'O'))`);
    // One rate of a tax for the same place, products and customers at a time.
    this.addSql(`alter table tax_rate add constraint tax_rate_no_overlap exclude using gist (
      pricing_model_id with =, country with =, coalesce(state, '') with =, coalesce(postal_prefix, '') with =,
      tax_type with =, coalesce(tax_code, '') with =, customer_kind with =, tstzrange(valid_from, valid_until) with &&)`);
    for (const sql of tenantTable('tax_rate')) this.addSql(sql);
    this.addSql(
      `create function check_taxes() returns trigger language plpgsql as 'begin return null; end'`,
    );
    for (const table of ['invoice', 'credit_note']) {
      this.addSql(`create trigger taxes_checked after insert or update of tax_lines, tax_amount on ${table} for each row
        when (new.tax_lines is not null) execute function check_taxes()`);
    }
    this.addSql(`create trigger taxes_kept before update of tax_lines on invoice for each row
      when (old.status <> 'draft' and new.tax_lines is distinct from old.tax_lines) execute function keep_invoice()`);
  }
}
