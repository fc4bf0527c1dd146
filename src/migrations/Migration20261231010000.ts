import { Migration } from '@mikro-orm/migrations';
import { tenantReference, tenantTable } from '#server/database/tenant-table.ts';

const terms = ['customer_id', 'currency', 'collection_method', 'due_date'].join(', ');

/** One document for the invoices of several subscriptions of a customer that are billed at the same instant. */
export class Migration20261231010000 extends Migration {
  override name = 'Migration20261231010000';

  override up(): void {
    this.addSql(
      `alter table "organization_settings" add "consolidates_invoices" boolean not null default false`,
    );
    this.addSql(`alter table "customer" add "consolidates_invoices" boolean null`);
    this.addSql(`alter table "billing_run" add "awaits_since" timestamptz(3) null`);
    this.#addDocuments();
    this.#addMembers();
  }

  #addDocuments() {
    this.addSql(
      `create table "consolidated_invoice" ("id" varchar(255) not null, "position" bigserial, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "customer_id" varchar(255) not null, "invoice_number" varchar(255) not null, "invoice_date" timestamptz(3) not null, "due_date" timestamptz(3) not null, "currency" varchar(3) not null, "collection_method" text not null, "scheduled_for" timestamptz(3) not null, primary key ("id"))`,
    );
    const page = '"created_at", "position", "id"';
    this.addSql(
      `create index "consolidated_invoice_page" on "consolidated_invoice" ("pricing_model_id", ${page})`,
    );
    this.addSql(
      `create index "consolidated_invoice_customer" on "consolidated_invoice" ("customer_id", ${page})`,
    );
    this.addSql(
      `create index "consolidated_invoice_date" on "consolidated_invoice" ("pricing_model_id", "invoice_date", "position", "id")`,
    );
    this.addSql(
      `create index "consolidated_invoice_number" on "consolidated_invoice" (pricing_model_id, (lower(invoice_number)), position, id)`,
    );
    this.addSql(
      `alter table "consolidated_invoice" add constraint "consolidated_invoice_number_unique" unique ("customer_id", "invoice_number"), add constraint "consolidated_invoice_tenant_unique" unique ("id", "pricing_model_id"), add constraint "consolidated_invoice_terms_unique" unique ("id", ${terms})`,
    );
    this.addSql(
      `alter table "consolidated_invoice" add constraint "consolidated_invoice_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "consolidated_invoice" add constraint "consolidated_invoice_collection_method_check" check ("collection_method" in ('charge_automatically', 'send_invoice'))`,
    );
    for (const sql of tenantTable('consolidated_invoice')) this.addSql(sql);
    this.addSql(tenantReference('consolidated_invoice', 'customer_id', 'customer', 'cascade'));
  }

  #addMembers() {
    this.addSql(`alter table "invoice" add "consolidated_invoice_id" varchar(255) null`);
    this.addSql(
      `alter table "invoice" add constraint "invoice_consolidated_invoice_id_foreign" foreign key ("consolidated_invoice_id") references "consolidated_invoice" ("id") on delete cascade`,
    );
    this.addSql(
      tenantReference('invoice', 'consolidated_invoice_id', 'consolidated_invoice', 'cascade'),
    );
    // Members have the customer, the currency and the due date of their document, and are collected like it.
    this.addSql(`alter table invoice add constraint invoice_consolidated_terms
      foreign key (consolidated_invoice_id, ${terms}) references consolidated_invoice (id, ${terms})
      on delete cascade deferrable initially deferred`);
    this.addSql(
      `create index "invoice_consolidated" on "invoice" ("consolidated_invoice_id", "created_at", "position", "id") where "consolidated_invoice_id" is not null`,
    );
    this.addSql(
      `alter table "invoice" add constraint "invoice_consolidates" check (consolidated_invoice_id is null or (purpose = 'period' and status <> 'draft' and due_date is not null))`,
    );
    this.addSql(`create trigger consolidation_kept before update of consolidated_invoice_id on invoice for each row
      when (old.consolidated_invoice_id is distinct from new.consolidated_invoice_id) execute function keep_invoice()`);
  }
}
