-- Disputes, set-up pages, and the records of the sandbox.
create table sandbox_dispute (reference varchar(255) not null, charge_key varchar(255) not null,
  amount bigint not null, currency varchar(3) not null, status text not null,
  opened_at timestamptz(3) not null, decides_as text not null, decides_at timestamptz(3) not null,
  primary key (reference));
create table sandbox_notice (id bigserial primary key, organization_id varchar(255) not null,
  object text not null, reference varchar(255) not null, type varchar(255) not null,
  charge_key varchar(255) null, due_at timestamptz(3) not null, delivered_at timestamptz(3) null);
create index sandbox_notice_due on sandbox_notice (due_at) where delivered_at is null;
create table sandbox_page (reference varchar(255) not null, idempotency_key varchar(255) not null,
  kind text not null, status text not null default 'open', organization_id varchar(255) not null,
  pricing_model_id varchar(255) not null, customer_reference varchar(255) not null,
  return_url text not null, cancel_url text not null, description text null, amount bigint null,
  currency varchar(3) not null, charge_key varchar(255) null, payment_id varchar(255) null,
  token varchar(255) null, type varchar(255) null, opened_at timestamptz(3) not null,
  expires_at timestamptz(3) not null, primary key (reference));
alter table sandbox_page add constraint sandbox_page_key_unique unique (idempotency_key);
create table sandbox_refund (idempotency_key varchar(255) not null, charge_key varchar(255) not null,
  amount bigint not null, currency varchar(3) not null, status text not null, settles_as text null,
  settles_at timestamptz(3) null, primary key (idempotency_key));
create index sandbox_refund_charge on sandbox_refund (charge_key);
create table processor_customer (customer_id varchar(255) not null, processor varchar(255) not null,
  account varchar(255) not null default '', reference varchar(255) not null,
  saved_at timestamptz(3) not null, primary key (customer_id, processor, account));
create index processor_customer_reference on processor_customer (reference);
create table payment_method_setup (id varchar(255) not null, position bigserial,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null,
  pricing_model_id varchar(255) not null, customer_id varchar(255) not null,
  status text not null default 'open', "default" boolean not null default true, return_url text not null,
  cancel_url text not null, url text null, expires_at timestamptz(3) null,
  payment_method_id varchar(255) null, processor varchar(255) not null default 'sandbox',
  processor_account_id varchar(255) null, processor_reference varchar(255) null, primary key (id));
create index payment_method_setup_payment_method_id_index on payment_method_setup (payment_method_id);
create index payment_method_setup_page on payment_method_setup (pricing_model_id, created_at, position,
  id);
create index payment_method_setup_customer on payment_method_setup (customer_id, created_at, position,
  id);
create index payment_method_setup_reference on payment_method_setup (processor_reference);
create index payment_method_setup_open on payment_method_setup (expires_at) where status = 'open';
create table dispute (id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null, version int not null default 1, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  payment_id varchar(255) not null, customer_id varchar(255) not null, status text not null,
  amount bigint not null, currency varchar(3) not null, reason varchar(255) null,
  withdrawn_amount bigint not null default '0', fee bigint not null default '0',
  evidence_due_at timestamptz(3) null, opened_at timestamptz(3) not null, closed_at timestamptz(3) null,
  processor_reference varchar(255) not null, primary key (id));
create index dispute_page on dispute (pricing_model_id, created_at, position, id);
create index dispute_amount on dispute (pricing_model_id, (coalesce(currency, '')), amount, position, id);
create index dispute_customer on dispute (customer_id, created_at, position, id);
create index dispute_reference on dispute (processor_reference);
alter table dispute add constraint dispute_reference_unique unique (payment_id, processor_reference);
alter table sandbox_dispute add constraint sandbox_dispute_status_check check (status in ('inquiry',
  'inquiry_closed', 'opened', 'under_review', 'won', 'lost', 'prevented'));
alter table sandbox_dispute add constraint sandbox_dispute_decides_as_check check (decides_as in ('inquiry',
  'inquiry_closed', 'opened', 'under_review', 'won', 'lost', 'prevented'));
alter table sandbox_notice add constraint sandbox_notice_object_check check (object in ('charge',
  'refund', 'dispute', 'setup', 'payment_page'));
alter table sandbox_page add constraint sandbox_page_kind_check check (kind in ('setup', 'payment'));
alter table sandbox_page add constraint sandbox_page_status_check check (status in ('open', 'completed',
  'expired'));
alter table sandbox_refund add constraint sandbox_refund_status_check check (status in ('pending',
  'requires_action', 'succeeded', 'failed', 'canceled'));
alter table sandbox_refund add constraint sandbox_refund_settles_as_check check (settles_as in ('succeeded',
  'failed'));
alter table processor_customer add constraint processor_customer_customer_id_foreign foreign key (customer_id) references customer (id) on delete cascade;
alter table payment_method_setup add constraint payment_method_setup_customer_id_foreign foreign key (customer_id) references customer (id) on delete cascade;
alter table payment_method_setup add constraint payment_method_setup_payment_method_id_foreign foreign key (payment_method_id) references payment_method (id) on delete cascade;
alter table payment_method_setup add constraint payment_method_setup_completed check (status <> 'completed' or payment_method_id is not null);
alter table payment_method_setup add constraint payment_method_setup_status_check check (status in ('open',
  'completed', 'expired'));
alter table dispute add constraint dispute_payment_id_foreign foreign key (payment_id) references payment (id) on delete cascade;
alter table dispute add constraint dispute_range check (amount >= 0 and withdrawn_amount >= 0 and fee >= 0);
alter table dispute add constraint dispute_status_check check (status in ('inquiry', 'inquiry_closed',
  'opened', 'under_review', 'won', 'lost', 'prevented'));
