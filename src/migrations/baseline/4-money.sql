-- Billing runs, invoices, payments and the totals of each day.
create table billing_run (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  subscription_id varchar(255) not null, billing_period_id varchar(255) not null, invoice_id varchar(255),
  status text not null default 'scheduled', scheduled_for timestamptz(3) not null, attempt_number int not null default 1,
  error_details text, customer_id varchar(255) not null, test_clock_id varchar(255), due_at timestamptz(3),
  is_adjustment boolean not null default false, adjustment jsonb, position bigserial,
  primary key (id),
  constraint billing_run_tenant_unique unique (id, pricing_model_id),
  constraint billing_run_adjusts check (is_adjustment = (adjustment is not null)),
  constraint billing_run_attempt check (attempt_number > 0),
  constraint billing_run_due_open check ((due_at is null) or status in ('scheduled', 'started', 'awaiting_payment_confirmation')),
  constraint billing_run_status_check check (status in ('scheduled', 'started', 'awaiting_payment_confirmation', 'succeeded', 'failed', 'abandoned', 'aborted'))
);
create unique index billing_run_adjustment_unique on billing_run (subscription_id) where ((is_adjustment = true) and status in ('scheduled', 'started', 'awaiting_payment_confirmation'));
create unique index billing_run_attempt_unique on billing_run (billing_period_id, attempt_number) where (is_adjustment = false);
create index billing_run_due on billing_run (test_clock_id, due_at, id) where (due_at is not null);
create index billing_run_invoice_id_index on billing_run (invoice_id);
create unique index billing_run_open_unique on billing_run (billing_period_id) where ((is_adjustment = false) and status in ('scheduled', 'started', 'awaiting_payment_confirmation'));
create index billing_run_page on billing_run (pricing_model_id, created_at, position, id);
create index billing_run_subscription on billing_run (subscription_id);

create table invoice (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  purchase_id varchar(255), customer_id varchar(255) not null, billing_run_id varchar(255), owner_membership_id varchar(255),
  invoice_number varchar(255) not null, invoice_date timestamptz(3) not null, due_date timestamptz(3),
  status text not null default 'draft', memo text, bank_payment_only boolean not null default false, type text not null,
  currency varchar(3) not null, subtotal bigint not null default '0', tax_amount bigint not null default '0',
  tax_inclusive boolean not null default false, total bigint not null default '0', application_fee bigint, tax_type text,
  tax_country varchar(2), tax_state varchar(255), tax_rate_percentage varchar(255), billing_period_id varchar(255),
  subscription_id varchar(255), billing_period_start_date timestamptz(3), billing_period_end_date timestamptz(3),
  is_adjustment boolean not null default false, credit_applied bigint not null default '0', position bigserial,
  primary key (id),
  constraint invoice_number_unique unique (customer_id, invoice_number),
  constraint invoice_tenant_unique unique (id, pricing_model_id),
  constraint invoice_amounts check ((subtotal >= 0) and (tax_amount >= 0) and (total = (subtotal +
case
    when tax_inclusive then 0
    else tax_amount
end))),
  constraint invoice_credit check ((credit_applied >= 0) and (credit_applied <= total)),
  constraint invoice_status_check check (status in ('draft', 'open', 'paid', 'uncollectible', 'void', 'refunded', 'partially_refunded', 'awaiting_payment_confirmation')),
  constraint invoice_tax_type_check check (tax_type in ('amusement_tax', 'communications_tax', 'gst', 'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none')),
  constraint invoice_type_check check (type in ('subscription', 'purchase', 'standalone')),
  constraint invoice_variant check (
case type
    when 'subscription' then ((subscription_id is not null) and (purchase_id is null))
    when 'purchase' then ((purchase_id is not null) and (subscription_id is null))
    else (num_nonnulls(subscription_id, purchase_id, billing_period_id) = 0)
end)
);
create index invoice_customer on invoice (customer_id, created_at);
create index invoice_page on invoice (pricing_model_id, created_at, position, id);
create index invoice_payable on invoice (pricing_model_id) where status in ('open', 'awaiting_payment_confirmation');
create unique index invoice_period_unique on invoice (billing_period_id) where (is_adjustment = false);
create index invoice_subscription on invoice (subscription_id);

create table invoice_line_item (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  invoice_id varchar(255) not null, position bigserial, type text not null default 'static', quantity numeric not null,
  price_id varchar(255), description text, price bigint not null, billing_period_item_id varchar(255),
  customer_id varchar(255) not null, amount bigint not null, balance_id varchar(255), usage_quantity numeric,
  usage_events_per_unit bigint, usage_breakdown jsonb,
  primary key (id),
  constraint invoice_line_item_amount check (
case type
    when 'usage' then (num_nulls(balance_id, usage_quantity, usage_events_per_unit) = 0)
    else ((amount)::numeric = ((price)::numeric * quantity))
end),
  constraint invoice_line_item_range check ((price >= 0) and (((quantity >= 0) and (amount >= 0)) or ((type = 'usage') and (quantity <= 0) and (amount <= 0) and (usage_quantity < 0)))),
  constraint invoice_line_item_type_check check (type in ('static', 'usage'))
);
create index invoice_line_item_invoice on invoice_line_item (invoice_id, position);
create index invoice_line_item_page on invoice_line_item (pricing_model_id, created_at, position, id);
create index invoice_line_item_price_id_index on invoice_line_item (price_id);

create table payment (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  invoice_id varchar(255) not null, amount bigint not null, payment_method text not null, currency varchar(3) not null,
  status text not null default 'processing', charge_date timestamptz(3) not null, settlement_date timestamptz(3), description text,
  receipt_number varchar(255), customer_id varchar(255) not null, purchase_id varchar(255), subscription_id varchar(255),
  payment_method_id varchar(255), billing_period_id varchar(255), tax_amount bigint not null, subtotal bigint not null,
  tax_type text, tax_country varchar(2), tax_state varchar(255), tax_rate_percentage varchar(255), application_fee bigint,
  refunded boolean not null default false, refunded_amount bigint not null default '0', refunded_at timestamptz(3),
  failure_message text, failure_code varchar(255), idempotency_key varchar(255) not null, billing_run_id varchar(255),
  test_clock_id varchar(255), check_due_at timestamptz(3), position bigserial,
  primary key (id),
  constraint payment_attempt_unique unique (idempotency_key),
  constraint payment_tenant_unique unique (id, pricing_model_id),
  constraint payment_payment_method_check check (payment_method in ('card', 'link', 'us_bank_account', 'sepa_debit')),
  constraint payment_pending_due check ((check_due_at is not null) or status in ('canceled', 'failed', 'refunded', 'succeeded')),
  constraint payment_refund check ((amount > 0) and (refunded_amount >= 0) and (refunded_amount <= amount) and (refunded = (refunded_amount = amount))),
  constraint payment_status_check check (status in ('canceled', 'failed', 'refunded', 'processing', 'succeeded', 'requires_confirmation', 'requires_action')),
  constraint payment_tax_type_check check (tax_type in ('amusement_tax', 'communications_tax', 'gst', 'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none'))
);
create index payment_customer on payment (customer_id, created_at);
create index payment_due on payment (test_clock_id, check_due_at, id) where (check_due_at is not null);
create index payment_invoice on payment (invoice_id);
create index payment_page on payment (pricing_model_id, created_at, position, id);
create index payment_payment_method_id_index on payment (payment_method_id);
create unique index payment_pending_unique on payment (invoice_id) where status in ('processing', 'requires_confirmation', 'requires_action');

create table refund (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  payment_id varchar(255) not null, amount bigint not null, status text not null default 'pending', failure_message text,
  customer_id varchar(255) not null, position bigserial,
  primary key (id),
  constraint refund_range check (amount > 0),
  constraint refund_status_check check (status in ('pending', 'succeeded', 'failed'))
);
create index refund_page on refund (pricing_model_id, created_at, position, id);
create index refund_payment on refund (payment_id);
create index refund_pending on refund (created_at) where (status = 'pending');

create table sandbox_charge (
  idempotency_key varchar(255) not null, payment_method_id varchar(255) not null, amount bigint not null,
  currency varchar(3) not null, status text not null, failure_code varchar(255), failure_message text,
  charged_at timestamptz(3) not null, refunded bigint not null default '0', refund_keys text[] not null default '{}',
  primary key (idempotency_key),
  constraint sandbox_charge_range check ((amount > 0) and (refunded >= 0) and (refunded <= amount)),
  constraint sandbox_charge_status_check check (status in ('succeeded', 'failed', 'canceled', 'processing', 'requires_action'))
);
create index sandbox_charge_method on sandbox_charge (payment_method_id);

create table revenue_day (
  pricing_model_id varchar(255) not null, currency varchar(3) not null, day date not null, slot int not null,
  invoiced bigint not null, paid bigint not null, refunded bigint not null,
  primary key (pricing_model_id, currency, day, slot)
) with (fillfactor = 40);
