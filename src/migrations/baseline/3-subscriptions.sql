-- Customers, test clocks, subscriptions and their periods.
create table test_clock (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null, name varchar(255),
  frozen_time timestamptz(3) not null, status text not null default 'ready', advancing_to timestamptz(3), position bigserial,
  primary key (id),
  constraint test_clock_tenant_unique unique (id, pricing_model_id),
  constraint test_clock_status_check check (status in ('ready', 'advancing')),
  constraint test_clock_target check (((status = 'advancing') = (advancing_to is not null)) and (advancing_to >= frozen_time)),
  constraint test_clock_test_mode check (not livemode)
);
create index test_clock_advancing on test_clock (id) where (status = 'advancing');
create index test_clock_page on test_clock (pricing_model_id, created_at, position, id);

create table customer (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  email varchar(255) not null, name varchar(255) not null, invoice_number_base varchar(7) not null,
  archived boolean not null default false, logo_url text, icon_url text, domain varchar(255), external_id varchar(255) not null,
  user_id varchar(255), test_clock_id varchar(255), tax_type text, tax_rate_percentage varchar(255),
  tax_inclusive boolean not null default false, tax_country varchar(2), tax_state varchar(255),
  invoice_count int not null default 0, credit_balance bigint not null default '0', position bigserial,
  primary key (id),
  constraint customer_invoice_number_base_unique unique (organization_id, livemode, invoice_number_base),
  constraint customer_tenant_unique unique (id, pricing_model_id),
  constraint customer_credit check (credit_balance >= 0),
  constraint customer_tax_type_check check (tax_type in ('amusement_tax', 'communications_tax', 'gst', 'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none'))
);
create unique index customer_external_id_unique on customer (pricing_model_id, external_id) where (archived = false);
create index customer_page on customer (pricing_model_id, created_at, position, id);
create index customer_test_clock_id_index on customer (test_clock_id);

create table payment_method (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  customer_id varchar(255) not null, type text not null, "default" boolean not null default false, billing_details jsonb not null,
  payment_method_data jsonb not null, metadata jsonb, detached_at timestamptz(3), token text not null, position bigserial,
  primary key (id),
  constraint payment_method_tenant_unique unique (id, pricing_model_id),
  constraint payment_method_default check ((not "default") or (detached_at is null)),
  constraint payment_method_type_check check (type in ('card', 'link', 'us_bank_account', 'sepa_debit'))
);
create index payment_method_customer on payment_method (customer_id, created_at);
create unique index payment_method_default_unique on payment_method (customer_id) where ("default" = true);
create index payment_method_page on payment_method (pricing_model_id, created_at, position, id);

create table subscription (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  start_date timestamptz(3) not null, customer_id varchar(255) not null, price_id varchar(255) not null, status text not null,
  default_payment_method_id varchar(255), backup_payment_method_id varchar(255), cancellation_reason varchar(255),
  replaced_by_subscription_id varchar(255), is_free_plan boolean not null, do_not_charge boolean not null,
  run_billing_at_period_start boolean not null, renews boolean not null, "interval" text, interval_count int, name varchar(255),
  trial_end timestamptz(3), current_billing_period_start timestamptz(3), current_billing_period_end timestamptz(3), metadata jsonb,
  canceled_at timestamptz(3), cancel_scheduled_at timestamptz(3), billing_cycle_anchor_date timestamptz(3),
  scheduled_adjustment_at timestamptz(3), sole boolean not null, test_clock_id varchar(255), transition_due_at timestamptz(3),
  scheduled_adjustment jsonb, adjustment_count int not null default 0, position bigserial,
  primary key (id),
  constraint subscription_tenant_unique unique (id, pricing_model_id),
  constraint subscription_adjustment check ((scheduled_adjustment is null) or (scheduled_adjustment_at is not null)),
  constraint subscription_canceled check ((status = 'canceled') = (canceled_at is not null)),
  constraint subscription_interval check ((not renews) or (("interval" is not null) and (interval_count > 0))),
  constraint subscription_interval_check check ("interval" in ('day', 'week', 'month', 'year')),
  constraint subscription_renewal check (renews or (num_nonnulls("interval", interval_count, billing_cycle_anchor_date, trial_end, current_billing_period_start, current_billing_period_end) = 0)),
  constraint subscription_status_check check (status in ('trialing', 'active', 'past_due', 'unpaid', 'cancellation_scheduled', 'incomplete', 'incomplete_expired', 'canceled', 'paused', 'credit_trial')),
  constraint subscription_trial check (trial_end > start_date)
);
create index subscription_backup_payment_method_id_index on subscription (backup_payment_method_id);
create unique index subscription_current_unique on subscription (customer_id) where ((sole = true) and status in ('active', 'past_due', 'trialing', 'cancellation_scheduled', 'unpaid', 'credit_trial'));
create index subscription_customer on subscription (customer_id, created_at);
create index subscription_default_payment_method_id_index on subscription (default_payment_method_id);
create index subscription_due on subscription (test_clock_id, transition_due_at, id) where (transition_due_at is not null);
create index subscription_page on subscription (pricing_model_id, created_at, position, id);
create index subscription_paying on subscription (pricing_model_id) where ((is_free_plan = false) and (do_not_charge = false) and status in ('active', 'past_due', 'cancellation_scheduled', 'unpaid'));
create index subscription_price_id_index on subscription (price_id);
create unique index subscription_trial_unique on subscription (customer_id) where ((trial_end is not null) and (is_free_plan = false) and (do_not_charge = false));

create table subscription_item (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  subscription_id varchar(255) not null, name varchar(255) not null, added_date timestamptz(3) not null, price_id varchar(255),
  unit_price bigint not null, quantity bigint not null, type text not null default 'static', external_id varchar(255),
  manually_created boolean not null default false, metadata jsonb, expired_at timestamptz(3), customer_id varchar(255) not null,
  position bigserial,
  primary key (id),
  constraint subscription_item_tenant_unique unique (id, pricing_model_id),
  constraint subscription_item_range check ((unit_price >= 0) and (quantity >= 0)),
  constraint subscription_item_type_check check (type = 'static')
);
create unique index subscription_item_manual_unique on subscription_item (subscription_id) where ((manually_created = true) and (price_id is null) and (expired_at is null));
create index subscription_item_page on subscription_item (pricing_model_id, created_at, position, id);
create index subscription_item_price_id_index on subscription_item (price_id);
create index subscription_item_subscription on subscription_item (subscription_id);

create table subscription_item_feature (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  subscription_item_id varchar(255) not null, feature_id varchar(255) not null, product_feature_id varchar(255),
  type text not null, amount bigint, usage_meter_id varchar(255), renewal_frequency text, resource_id varchar(255),
  manually_created boolean not null default false, expired_at timestamptz(3), detached_at timestamptz(3),
  detached_reason varchar(255), customer_id varchar(255) not null, subscription_id varchar(255) not null, position bigserial,
  primary key (id),
  constraint subscription_item_feature_unique unique (feature_id, subscription_item_id),
  constraint subscription_item_feature_renewal_frequency_check check (renewal_frequency in ('once', 'every_billing_period')),
  constraint subscription_item_feature_type_check check (type in ('toggle', 'usage_credit_grant', 'resource')),
  constraint subscription_item_feature_variant check (
case type
    when 'toggle' then (num_nonnulls(amount, usage_meter_id, renewal_frequency, resource_id) = 0)
    when 'usage_credit_grant' then ((amount > 0) and (usage_meter_id is not null) and (renewal_frequency is not null) and (resource_id is null))
    else ((amount > 0) and (resource_id is not null) and (num_nonnulls(usage_meter_id, renewal_frequency) = 0))
end)
);
create index subscription_item_feature_capacity on subscription_item_feature (subscription_id, resource_id) where (resource_id is not null);
create index subscription_item_feature_customer on subscription_item_feature (customer_id);
create index subscription_item_feature_item on subscription_item_feature (subscription_item_id);
create index subscription_item_feature_page on subscription_item_feature (pricing_model_id, created_at, position, id);
create index subscription_item_feature_product_feature_id_index on subscription_item_feature (product_feature_id);

create table billing_period (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  subscription_id varchar(255) not null, start_date timestamptz(3) not null, end_date timestamptz(3) not null,
  status text not null default 'active', trial_period boolean not null default false, customer_id varchar(255) not null,
  usage_billed_at timestamptz(3), prepaid boolean not null default false, proration jsonb,
  carried_amount bigint not null default '0', carried_with_tax bigint not null default '0', position bigserial,
  primary key (id),
  constraint billing_period_start_unique unique (subscription_id, start_date),
  constraint billing_period_tenant_unique unique (id, pricing_model_id),
  constraint billing_period_no_overlap exclude using gist (subscription_id with =, tstzrange(start_date, end_date) with &&) where ((status <> 'canceled')),
  constraint billing_period_order check (start_date <= end_date),
  constraint billing_period_status_check check (status in ('upcoming', 'active', 'completed', 'canceled', 'past_due', 'scheduled_to_cancel'))
);
create index billing_period_page on billing_period (pricing_model_id, created_at, position, id);

create table billing_period_item (
  id varchar(255) not null, billing_period_id varchar(255) not null, position int not null, name varchar(255) not null,
  description text not null, unit_price bigint not null, quantity bigint not null, price_id varchar(255),
  subscription_item_id varchar(255),
  primary key (id),
  constraint billing_period_item_range check ((unit_price >= 0) and (quantity >= 0))
);
create index billing_period_item_period on billing_period_item (billing_period_id, position);
