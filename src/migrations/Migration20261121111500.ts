import { Migration } from '@mikro-orm/migrations';

/** Customers, what they subscribe to, until when, and clocks of their own. */
export class Migration20261121111500 extends Migration {
  override up() {
    this.addSql(`create table "test_clock" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "name" varchar(255) null, "frozen_time" timestamptz(3) not null, "status" text not null default 'ready', "advancing_to" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "test_clock_page" on "test_clock" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "test_clock_advancing" on "test_clock" ("id") where "status" = 'advancing';`);
    this.addSql(`create table "customer" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "email" varchar(255) not null, "name" varchar(255) not null, "invoice_number_base" varchar(7) not null, "archived" boolean not null default false, "logo_url" text null, "icon_url" text null, "domain" varchar(255) null, "external_id" varchar(255) not null, "user_id" varchar(255) null, "test_clock_id" varchar(255) null, primary key ("id"));`);
    this.addSql(`create index "customer_test_clock_id_index" on "customer" ("test_clock_id");`);
    this.addSql(`create index "customer_page" on "customer" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create unique index "customer_external_id_unique" on "customer" ("pricing_model_id", "external_id") where "archived" = false;`);
    this.addSql(`alter table "customer" add constraint "customer_invoice_number_base_unique" unique ("organization_id", "livemode", "invoice_number_base");`);
    this.addSql(`create table "payment_method" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "customer_id" varchar(255) not null, "type" text not null, "default" boolean not null default false, "billing_details" jsonb not null, "payment_method_data" jsonb not null, "metadata" jsonb null, "detached_at" timestamptz(3) null, "token" varchar(255) not null, primary key ("id"));`);
    this.addSql(`create index "payment_method_page" on "payment_method" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "payment_method_customer" on "payment_method" ("customer_id", "created_at");`);
    this.addSql(`create unique index "payment_method_default_unique" on "payment_method" ("customer_id") where "default" = true;`);
    this.addSql(`create table "subscription" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "start_date" timestamptz(3) not null, "customer_id" varchar(255) not null, "price_id" varchar(255) not null, "status" text not null, "default_payment_method_id" varchar(255) null, "backup_payment_method_id" varchar(255) null, "cancellation_reason" varchar(255) null, "replaced_by_subscription_id" varchar(255) null, "is_free_plan" boolean not null, "do_not_charge" boolean not null, "run_billing_at_period_start" boolean not null, "renews" boolean not null, "interval" text null, "interval_count" int null, "name" varchar(255) null, "trial_end" timestamptz(3) null, "current_billing_period_start" timestamptz(3) null, "current_billing_period_end" timestamptz(3) null, "metadata" jsonb null, "canceled_at" timestamptz(3) null, "cancel_scheduled_at" timestamptz(3) null, "billing_cycle_anchor_date" timestamptz(3) null, "scheduled_adjustment_at" timestamptz(3) null, "sole" boolean not null, "test_clock_id" varchar(255) null, "transition_due_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "subscription_price_id_index" on "subscription" ("price_id");`);
    this.addSql(`create index "subscription_default_payment_method_id_index" on "subscription" ("default_payment_method_id");`);
    this.addSql(`create index "subscription_backup_payment_method_id_index" on "subscription" ("backup_payment_method_id");`);
    this.addSql(`create index "subscription_page" on "subscription" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "subscription_customer" on "subscription" ("customer_id", "created_at");`);
    this.addSql(`create index "subscription_due" on "subscription" ("test_clock_id", "transition_due_at", "id") where "transition_due_at" is not null;`);
    this.addSql(`create unique index "subscription_current_unique" on "subscription" ("customer_id") where "sole" = true and "status" in ('active', 'past_due', 'trialing', 'cancellation_scheduled', 'unpaid', 'credit_trial');`);
    this.addSql(`create unique index "subscription_trial_unique" on "subscription" ("customer_id") where "trial_end" is not null;`);
    this.addSql(`create table "subscription_item" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "subscription_id" varchar(255) not null, "name" varchar(255) not null, "added_date" timestamptz(3) not null, "price_id" varchar(255) null, "unit_price" bigint not null, "quantity" bigint not null, "type" text not null default 'static', "external_id" varchar(255) null, "manually_created" boolean not null default false, "metadata" jsonb null, "expired_at" timestamptz(3) null, "customer_id" varchar(255) not null, primary key ("id"));`);
    this.addSql(`create index "subscription_item_price_id_index" on "subscription_item" ("price_id");`);
    this.addSql(`create index "subscription_item_page" on "subscription_item" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "subscription_item_subscription" on "subscription_item" ("subscription_id");`);
    this.addSql(`create unique index "subscription_item_manual_unique" on "subscription_item" ("subscription_id") where "manually_created" = true and "price_id" is null and "expired_at" is null;`);
    this.addSql(`create table "billing_period" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "subscription_id" varchar(255) not null, "start_date" timestamptz(3) not null, "end_date" timestamptz(3) not null, "status" text not null default 'active', "trial_period" boolean not null default false, "customer_id" varchar(255) not null, primary key ("id"));`);
    this.addSql(`create index "billing_period_page" on "billing_period" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`alter table "billing_period" add constraint "billing_period_start_unique" unique ("subscription_id", "start_date");`);
    this.addSql(`create table "billing_period_item" ("id" varchar(255) not null, "billing_period_id" varchar(255) not null, "position" int not null, "name" varchar(255) not null, "description" text not null, "unit_price" bigint not null, "quantity" bigint not null, "price_id" varchar(255) null, "subscription_item_id" varchar(255) null, primary key ("id"));`);
    this.addSql(`create index "billing_period_item_period" on "billing_period_item" ("billing_period_id", "position");`);
    this.addSql(`create table "subscription_item_feature" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "subscription_item_id" varchar(255) not null, "feature_id" varchar(255) not null, "product_feature_id" varchar(255) null, "type" text not null, "amount" bigint null, "usage_meter_id" varchar(255) null, "renewal_frequency" text null, "resource_id" varchar(255) null, "manually_created" boolean not null default false, "expired_at" timestamptz(3) null, "detached_at" timestamptz(3) null, "detached_reason" varchar(255) null, "customer_id" varchar(255) not null, "subscription_id" varchar(255) not null, primary key ("id"));`);
    this.addSql(`create index "subscription_item_feature_product_feature_id_index" on "subscription_item_feature" ("product_feature_id");`);
    this.addSql(`create index "subscription_item_feature_page" on "subscription_item_feature" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "subscription_item_feature_item" on "subscription_item_feature" ("subscription_item_id");`);
    this.addSql(`create index "subscription_item_feature_customer" on "subscription_item_feature" ("customer_id");`);
    this.addSql(`alter table "subscription_item_feature" add constraint "subscription_item_feature_unique" unique ("feature_id", "subscription_item_id");`);
    this.addSql(`alter table "organization" add "allow_multiple_subscriptions_per_customer" boolean not null default false;`);
    this.addSql(`alter table "test_clock" add constraint "test_clock_test_mode" check (not livemode);`);
    this.addSql(`alter table "test_clock" add constraint "test_clock_target" check ((status = 'advancing') = (advancing_to is not null) and advancing_to >= frozen_time);`);
    this.addSql(`alter table "test_clock" add constraint "test_clock_status_check" check ("status" in ('ready', 'advancing'));`);
    this.addSql(`alter table "customer" add constraint "customer_test_clock_id_foreign" foreign key ("test_clock_id") references "test_clock" ("id") on delete cascade;`);
    this.addSql(`alter table "payment_method" add constraint "payment_method_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade;`);
    this.addSql(`alter table "payment_method" add constraint "payment_method_default" check (not "default" or detached_at is null);`);
    this.addSql(`alter table "payment_method" add constraint "payment_method_type_check" check ("type" in ('card', 'link', 'us_bank_account', 'sepa_debit'));`);
    this.addSql(`alter table "subscription" add constraint "subscription_customer_id_foreign" foreign key ("customer_id") references "customer" ("id") on delete cascade;`);
    this.addSql(`alter table "subscription" add constraint "subscription_price_id_foreign" foreign key ("price_id") references "price" ("id") on delete restrict;`);
    this.addSql(`alter table "subscription" add constraint "subscription_default_payment_method_id_foreign" foreign key ("default_payment_method_id") references "payment_method" ("id") on delete set null;`);
    this.addSql(`alter table "subscription" add constraint "subscription_backup_payment_method_id_foreign" foreign key ("backup_payment_method_id") references "payment_method" ("id") on delete set null;`);
    this.addSql(`alter table "subscription" add constraint "subscription_renewal" check (renews or num_nonnulls("interval", interval_count, billing_cycle_anchor_date, trial_end,
        current_billing_period_start, current_billing_period_end) = 0);`);
    this.addSql(`alter table "subscription" add constraint "subscription_interval" check (not renews or ("interval" is not null and interval_count > 0));`);
    this.addSql(`alter table "subscription" add constraint "subscription_trial" check (trial_end > start_date);`);
    this.addSql(`alter table "subscription" add constraint "subscription_canceled" check ((status = 'canceled') = (canceled_at is not null));`);
    this.addSql(`alter table "subscription" add constraint "subscription_status_check" check ("status" in ('trialing', 'active', 'past_due', 'unpaid', 'cancellation_scheduled', 'incomplete', 'incomplete_expired', 'canceled', 'paused', 'credit_trial'));`);
    this.addSql(`alter table "subscription" add constraint "subscription_interval_check" check ("interval" in ('day', 'week', 'month', 'year'));`);
    this.addSql(`alter table "subscription_item" add constraint "subscription_item_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade;`);
    this.addSql(`alter table "subscription_item" add constraint "subscription_item_price_id_foreign" foreign key ("price_id") references "price" ("id") on delete restrict;`);
    this.addSql(`alter table "subscription_item" add constraint "subscription_item_range" check (unit_price >= 0 and quantity >= 0);`);
    this.addSql(`alter table "subscription_item" add constraint "subscription_item_type_check" check ("type" in ('static'));`);
    this.addSql(`alter table "billing_period" add constraint "billing_period_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade;`);
    this.addSql(`alter table "billing_period" add constraint "billing_period_order" check (start_date <= end_date);`);
    this.addSql(`alter table "billing_period" add constraint "billing_period_status_check" check ("status" in ('upcoming', 'active', 'completed', 'canceled', 'past_due', 'scheduled_to_cancel'));`);
    this.addSql(`alter table "billing_period_item" add constraint "billing_period_item_billing_period_id_foreign" foreign key ("billing_period_id") references "billing_period" ("id") on delete cascade;`);
    this.addSql(`alter table "billing_period_item" add constraint "billing_period_item_range" check (unit_price >= 0 and quantity >= 0);`);
    this.addSql(`alter table "subscription_item_feature" add constraint "subscription_item_feature_subscription_item_id_foreign" foreign key ("subscription_item_id") references "subscription_item" ("id") on delete cascade;`);
    this.addSql(`alter table "subscription_item_feature" add constraint "subscription_item_feature_feature_id_foreign" foreign key ("feature_id") references "feature" ("id") on delete restrict;`);
    this.addSql(`alter table "subscription_item_feature" add constraint "subscription_item_feature_product_feature_id_foreign" foreign key ("product_feature_id") references "product_feature" ("id") on delete set null;`);
    this.addSql(`alter table "subscription_item_feature" add constraint "subscription_item_feature_variant" check (case type
        when 'toggle' then num_nonnulls(amount, usage_meter_id, renewal_frequency, resource_id) = 0
        when 'usage_credit_grant' then amount > 0 and usage_meter_id is not null
          and renewal_frequency is not null and resource_id is null
        else amount > 0 and resource_id is not null
          and num_nonnulls(usage_meter_id, renewal_frequency) = 0 end);`);
    this.addSql(`alter table "subscription_item_feature" add constraint "subscription_item_feature_type_check" check ("type" in ('toggle', 'usage_credit_grant', 'resource'));`);
    this.addSql(`alter table "subscription_item_feature" add constraint "subscription_item_feature_renewal_frequency_check" check ("renewal_frequency" in ('once', 'every_billing_period'));`);
    // Two periods of a subscription never share an instant, whatever writes them.
    this.addSql(`create extension if not exists btree_gist`);
    this.addSql(`alter table billing_period add constraint billing_period_no_overlap
      exclude using gist (subscription_id with =, tstzrange(start_date, end_date) with &&) where (status <> 'canceled')`);

    for (const table of [
      'billing_period',
      'customer',
      'payment_method',
      'subscription',
      'subscription_item',
      'subscription_item_feature',
      'test_clock',
    ]) {
      this.addSql(`call keep_tenant('${table}')`);
    }
    for (const parent of [
      'customer',
      'payment_method',
      'price',
      'product_feature',
      'subscription',
      'subscription_item',
      'test_clock',
    ]) {
      this.addSql(
        `alter table ${parent} add constraint ${parent}_tenant_unique unique (id, pricing_model_id)`,
      );
    }
    this.addSql(`call same_pricing_model('billing_period', 'subscription_id', 'subscription')`);
    this.addSql(`call same_pricing_model('customer', 'test_clock_id', 'test_clock')`);
    this.addSql(`call same_pricing_model('payment_method', 'customer_id', 'customer')`);
    this.addSql(`call same_pricing_model('subscription', 'customer_id', 'customer')`);
    this.addSql(`call same_pricing_model('subscription', 'price_id', 'price')`);
    this.addSql(`call same_pricing_model('subscription_item', 'subscription_id', 'subscription')`);
    this.addSql(`call same_pricing_model('subscription_item', 'price_id', 'price')`);
    this.addSql(
      `call same_pricing_model('subscription_item_feature', 'subscription_item_id', 'subscription_item')`,
    );
    this.addSql(`call same_pricing_model('subscription_item_feature', 'feature_id', 'feature')`);
  }
}
