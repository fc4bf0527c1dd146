import { Migration } from '@mikro-orm/migrations';

/** Billing runs, invoices, payments and refunds. */
export class Migration20261121121500 extends Migration {
  override up() {
    this.addSql(`create table "sandbox_charge" ("idempotency_key" varchar(255) not null, "payment_method_id" varchar(255) not null, "amount" bigint not null, "currency" varchar(3) not null, "status" text not null, "failure_code" varchar(255) null, "failure_message" text null, "charged_at" timestamptz(3) not null, "refunded" bigint not null default '0', "refund_keys" text[] not null default '{}', primary key ("idempotency_key"));`);
    this.addSql(`create index "sandbox_charge_method" on "sandbox_charge" ("payment_method_id");`);
    this.addSql(`create table "invoice" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "purchase_id" varchar(255) null, "customer_id" varchar(255) not null, "billing_run_id" varchar(255) null, "owner_membership_id" varchar(255) null, "invoice_number" varchar(255) not null, "invoice_date" timestamptz(3) not null, "due_date" timestamptz(3) null, "status" text not null default 'draft', "memo" text null, "bank_payment_only" boolean not null default false, "type" text not null, "currency" varchar(3) not null, "subtotal" bigint not null default '0', "tax_amount" bigint not null default '0', "tax_inclusive" boolean not null default false, "total" bigint not null default '0', "application_fee" bigint null, "tax_type" text null, "tax_country" varchar(2) null, "tax_state" varchar(255) null, "tax_rate_percentage" varchar(255) null, "billing_period_id" varchar(255) null, "subscription_id" varchar(255) null, "billing_period_start_date" timestamptz(3) null, "billing_period_end_date" timestamptz(3) null, "is_adjustment" boolean not null default false, primary key ("id"));`);
    this.addSql(`create index "invoice_page" on "invoice" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "invoice_customer" on "invoice" ("customer_id", "created_at");`);
    this.addSql(`create index "invoice_subscription" on "invoice" ("subscription_id");`);
    this.addSql(`alter table "invoice" add constraint "invoice_number_unique" unique ("customer_id", "invoice_number");`);
    this.addSql(`create unique index "invoice_period_unique" on "invoice" ("billing_period_id") where "is_adjustment" = false;`);
    this.addSql(`create table "payment" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "invoice_id" varchar(255) not null, "amount" bigint not null, "payment_method" text not null, "currency" varchar(3) not null, "status" text not null default 'processing', "charge_date" timestamptz(3) not null, "settlement_date" timestamptz(3) null, "description" text null, "receipt_number" varchar(255) null, "customer_id" varchar(255) not null, "purchase_id" varchar(255) null, "subscription_id" varchar(255) null, "payment_method_id" varchar(255) null, "billing_period_id" varchar(255) null, "tax_amount" bigint not null, "subtotal" bigint not null, "tax_type" text null, "tax_country" varchar(2) null, "tax_state" varchar(255) null, "tax_rate_percentage" varchar(255) null, "application_fee" bigint null, "refunded" boolean not null default false, "refunded_amount" bigint not null default '0', "refunded_at" timestamptz(3) null, "failure_message" text null, "failure_code" varchar(255) null, "idempotency_key" varchar(255) not null, "billing_run_id" varchar(255) null, "test_clock_id" varchar(255) null, "check_due_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "payment_payment_method_id_index" on "payment" ("payment_method_id");`);
    this.addSql(`create index "payment_page" on "payment" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "payment_invoice" on "payment" ("invoice_id");`);
    this.addSql(`create index "payment_customer" on "payment" ("customer_id", "created_at");`);
    this.addSql(`create index "payment_due" on "payment" ("test_clock_id", "check_due_at", "id") where "check_due_at" is not null;`);
    this.addSql(`alter table "payment" add constraint "payment_attempt_unique" unique ("idempotency_key");`);
    this.addSql(`create unique index "payment_pending_unique" on "payment" ("invoice_id") where "status" in ('processing', 'requires_confirmation', 'requires_action');`);
    this.addSql(`create table "refund" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "payment_id" varchar(255) not null, "amount" bigint not null, "status" text not null default 'pending', "failure_message" text null, "customer_id" varchar(255) not null, primary key ("id"));`);
    this.addSql(`create index "refund_page" on "refund" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "refund_payment" on "refund" ("payment_id");`);
    this.addSql(`create index "refund_pending" on "refund" ("created_at") where "status" = 'pending';`);
    this.addSql(`create table "billing_run" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "subscription_id" varchar(255) not null, "billing_period_id" varchar(255) not null, "invoice_id" varchar(255) null, "status" text not null default 'scheduled', "scheduled_for" timestamptz(3) not null, "attempt_number" int not null default 1, "error_details" text null, "customer_id" varchar(255) not null, "test_clock_id" varchar(255) null, "due_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "billing_run_invoice_id_index" on "billing_run" ("invoice_id");`);
    this.addSql(`create index "billing_run_page" on "billing_run" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "billing_run_subscription" on "billing_run" ("subscription_id");`);
    this.addSql(`create index "billing_run_due" on "billing_run" ("test_clock_id", "due_at", "id") where "due_at" is not null;`);
    this.addSql(`create unique index "billing_run_open_unique" on "billing_run" ("billing_period_id") where "status" in ('scheduled', 'started', 'awaiting_payment_confirmation');`);
    this.addSql(`alter table "billing_run" add constraint "billing_run_attempt_unique" unique ("billing_period_id", "attempt_number");`);
    this.addSql(`create table "invoice_line_item" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "invoice_id" varchar(255) not null, "position" int not null, "type" text not null default 'static', "quantity" bigint not null, "price_id" varchar(255) null, "description" text null, "price" bigint not null, "billing_period_item_id" varchar(255) null, "customer_id" varchar(255) not null, primary key ("id"));`);
    this.addSql(`create index "invoice_line_item_price_id_index" on "invoice_line_item" ("price_id");`);
    this.addSql(`create index "invoice_line_item_page" on "invoice_line_item" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "invoice_line_item_invoice" on "invoice_line_item" ("invoice_id", "position");`);
    this.addSql(`alter table "organization" add "dunning_retry_days" jsonb not null default '[3, 5, 5]', add "dunning_final_action" text not null default 'unpaid', add "tax_type" text null, add "tax_rate_percentage" varchar(255) null, add "tax_inclusive" boolean not null default false, add "tax_country" varchar(2) null, add "tax_state" varchar(255) null;`);
    this.addSql(`alter table "organization" add constraint "organization_dunning_final_action_check" check ("dunning_final_action" in ('cancel', 'unpaid'));`);
    this.addSql(`alter table "organization" add constraint "organization_tax_type_check" check ("tax_type" in ('amusement_tax', 'communications_tax', 'gst', 'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none'));`);
    this.addSql(`alter table "customer" add "tax_type" text null, add "tax_rate_percentage" varchar(255) null, add "tax_inclusive" boolean not null default false, add "tax_country" varchar(2) null, add "tax_state" varchar(255) null, add "invoice_count" int not null default 0;`);
    this.addSql(`alter table "customer" add constraint "customer_tax_type_check" check ("tax_type" in ('amusement_tax', 'communications_tax', 'gst', 'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none'));`);
    this.addSql(`alter table "sandbox_charge" add constraint "sandbox_charge_range" check (amount > 0 and refunded >= 0 and refunded <= amount);`);
    this.addSql(`alter table "sandbox_charge" add constraint "sandbox_charge_status_check" check ("status" in ('succeeded', 'failed', 'processing', 'requires_action'));`);
    this.addSql(`alter table "invoice" add constraint "invoice_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade;`);
    this.addSql(`alter table "invoice" add constraint "invoice_billing_period_id_foreign" foreign key ("billing_period_id") references "billing_period" ("id") on delete cascade;`);
    this.addSql(`alter table "invoice" add constraint "invoice_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade;`);
    this.addSql(`alter table "invoice" add constraint "invoice_amounts" check (subtotal >= 0 and tax_amount >= 0
        and total = subtotal + case when tax_inclusive then 0 else tax_amount end);`);
    this.addSql(`alter table "invoice" add constraint "invoice_variant" check (case type when 'subscription' then subscription_id is not null and purchase_id is null
        when 'purchase' then purchase_id is not null and subscription_id is null
        else num_nonnulls(subscription_id, purchase_id, billing_period_id) = 0 end);`);
    this.addSql(`alter table "invoice" add constraint "invoice_status_check" check ("status" in ('draft', 'open', 'paid', 'uncollectible', 'void', 'refunded', 'partially_refunded', 'awaiting_payment_confirmation'));`);
    this.addSql(`alter table "invoice" add constraint "invoice_type_check" check ("type" in ('subscription', 'purchase', 'standalone'));`);
    this.addSql(`alter table "invoice" add constraint "invoice_tax_type_check" check ("tax_type" in ('amusement_tax', 'communications_tax', 'gst', 'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none'));`);
    this.addSql(`alter table "payment" add constraint "payment_invoice_id_foreign" foreign key ("invoice_id") references "invoice" ("id") on delete cascade;`);
    this.addSql(`alter table "payment" add constraint "payment_payment_method_id_foreign" foreign key ("payment_method_id") references "payment_method" ("id") on delete set null;`);
    this.addSql(`alter table "payment" add constraint "payment_refund" check (amount > 0 and refunded_amount >= 0 and refunded_amount <= amount
        and refunded = (refunded_amount = amount));`);
    this.addSql(`alter table "payment" add constraint "payment_payment_method_check" check ("payment_method" in ('card', 'link', 'us_bank_account', 'sepa_debit'));`);
    this.addSql(`alter table "payment" add constraint "payment_status_check" check ("status" in ('canceled', 'failed', 'refunded', 'processing', 'succeeded', 'requires_confirmation', 'requires_action'));`);
    this.addSql(`alter table "payment" add constraint "payment_tax_type_check" check ("tax_type" in ('amusement_tax', 'communications_tax', 'gst', 'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none'));`);
    this.addSql(`alter table "refund" add constraint "refund_payment_id_foreign" foreign key ("payment_id") references "payment" ("id") on delete cascade;`);
    this.addSql(`alter table "refund" add constraint "refund_range" check (amount > 0);`);
    this.addSql(`alter table "refund" add constraint "refund_status_check" check ("status" in ('pending', 'succeeded', 'failed'));`);
    this.addSql(`alter table "billing_run" add constraint "billing_run_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade;`);
    this.addSql(`alter table "billing_run" add constraint "billing_run_billing_period_id_foreign" foreign key ("billing_period_id") references "billing_period" ("id") on delete cascade;`);
    this.addSql(`alter table "billing_run" add constraint "billing_run_invoice_id_foreign" foreign key ("invoice_id") references "invoice" ("id") on delete set null;`);
    this.addSql(`alter table "billing_run" add constraint "billing_run_attempt" check (attempt_number > 0);`);
    this.addSql(`alter table "billing_run" add constraint "billing_run_due_open" check (due_at is null or status in ('scheduled', 'started', 'awaiting_payment_confirmation'));`);
    this.addSql(`alter table "billing_run" add constraint "billing_run_status_check" check ("status" in ('scheduled', 'started', 'awaiting_payment_confirmation', 'succeeded', 'failed', 'abandoned', 'aborted'));`);
    this.addSql(`alter table "invoice_line_item" add constraint "invoice_line_item_invoice_id_foreign" foreign key ("invoice_id") references "invoice" ("id") on delete cascade;`);
    this.addSql(`alter table "invoice_line_item" add constraint "invoice_line_item_price_id_foreign" foreign key ("price_id") references "price" ("id") on delete restrict;`);
    this.addSql(`alter table "invoice_line_item" add constraint "invoice_line_item_range" check (quantity >= 0 and price >= 0);`);
    this.addSql(`alter table "invoice_line_item" add constraint "invoice_line_item_type_check" check ("type" in ('static', 'usage'));`);
    this.addSql(`alter table organization add document_secret varchar(255) not null
      default gen_random_uuid()::text || gen_random_uuid()::text`);
    for (const table of ['billing_run', 'invoice', 'invoice_line_item', 'payment', 'refund']) {
      this.addSql(`call keep_tenant('${table}')`);
    }
    for (const parent of ['billing_period', 'billing_run', 'invoice', 'payment']) {
      this.addSql(
        `alter table ${parent} add constraint ${parent}_tenant_unique unique (id, pricing_model_id)`,
      );
    }
    this.addSql(`call same_pricing_model('billing_run', 'subscription_id', 'subscription')`);
    this.addSql(`call same_pricing_model('billing_run', 'billing_period_id', 'billing_period')`);
    this.addSql(`call same_pricing_model('billing_run', 'invoice_id', 'invoice')`);
    this.addSql(`call same_pricing_model('invoice', 'customer_id', 'customer')`);
    this.addSql(`call same_pricing_model('invoice', 'subscription_id', 'subscription')`);
    this.addSql(`call same_pricing_model('invoice_line_item', 'invoice_id', 'invoice')`);
    this.addSql(`call same_pricing_model('payment', 'invoice_id', 'invoice')`);
    this.addSql(`call same_pricing_model('refund', 'payment_id', 'payment')`);

    // The last word on a payment stands, but for money that goes back.
    this.addSql(`create function keep_payment() returns trigger language plpgsql as $$
begin
  raise exception 'payment % cannot go from % to %', old.id, old.status, new.status using errcode = 'check_violation';
end $$`);
    this.addSql(`create trigger payment_kept before update on payment for each row
      when ((old.status in ('failed', 'canceled', 'refunded') and new.status <> old.status)
        or (old.status = 'succeeded' and new.status not in ('succeeded', 'refunded'))
        or (old.amount, old.currency, old.invoice_id, old.idempotency_key)
          is distinct from (new.amount, new.currency, new.invoice_id, new.idempotency_key)
        or new.refunded_amount < old.refunded_amount)
      execute function keep_payment()`);

    // What a customer has been asked to pay does not change any more.
    this.addSql(`create function keep_invoice() returns trigger language plpgsql as $$
begin
  raise exception 'invoice % is no draft any more', old.id using errcode = 'check_violation';
end $$`);
    this.addSql(`create trigger invoice_kept before update on invoice for each row
      when (old.status <> 'draft' and ((old.subtotal, old.tax_amount, old.total, old.currency, old.customer_id, old.invoice_number)
        is distinct from (new.subtotal, new.tax_amount, new.total, new.currency, new.customer_id, new.invoice_number)
        or new.status = 'draft'))
      execute function keep_invoice()`);
  }
}
