-- The event feed, webhooks, job runs and row counters.
create table event (
  id varchar(255) not null, sequence bigint, position bigint not null default nextval('event_position'),
  transaction_id xid8 not null default pg_current_xact_id(), type varchar(255) not null, object_type varchar(255) not null,
  object_id varchar(255) not null, object_version int not null, data jsonb not null, previous_attributes jsonb,
  customer_id varchar(255), livemode boolean not null, organization_id varchar(255) not null,
  pricing_model_id varchar(255) not null, occurred_at timestamptz(3) not null, cause_id varchar(255),
  recorded_at timestamptz(3) not null default now(), actor_type varchar(255), actor_id varchar(255),
  primary key (id),
  constraint event_sequence_unique unique (sequence)
);
create index event_age on event (recorded_at);
create index event_feed on event (pricing_model_id, sequence);
create unique index event_once_a_transaction on event (transaction_id, object_id) where (sequence is null);

create table event_head (
  id serial, sequence bigint not null, purged bigint not null,
  primary key (id)
);
insert into event_head (id, sequence, purged) values (1, 0, 0);

create table webhook (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null, name varchar(255) not null, url text not null,
  filter_types text[] not null, active boolean not null default true, secret text not null, version int not null default 1,
  disabled_reason text, previous_secret text, previous_secret_until timestamptz(3), failing_since timestamptz(3),
  position bigserial,
  primary key (id),
  constraint webhook_tenant_unique unique (id, pricing_model_id)
);
create index webhook_page on webhook (pricing_model_id, created_at, position, id);
create index webhook_previous_secret on webhook (previous_secret_until) where (previous_secret_until is not null);

create table webhook_delivery (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null, webhook_id varchar(255) not null,
  event_id varchar(255) not null, event_type varchar(255) not null, sequence bigint not null, object_id varchar(255) not null,
  status text not null default 'pending', attempt_count int not null default 0, attempts jsonb not null default '[]',
  next_attempt_at timestamptz(3), delivered_at timestamptz(3), claim varchar(255), claimed_until timestamptz(3),
  position bigint generated always as (sequence) stored,
  primary key (id),
  constraint webhook_delivery_once unique (event_id, webhook_id),
  constraint webhook_delivery_status_check check (status in ('pending', 'delivered', 'failed'))
);
create index webhook_delivery_due on webhook_delivery (webhook_id, next_attempt_at, sequence) where ((status = 'pending') and (next_attempt_at is not null));
create index webhook_delivery_held on webhook_delivery (webhook_id, claimed_until) where (claimed_until is not null);
create index webhook_delivery_lane on webhook_delivery (webhook_id, object_id, sequence) where (status = 'pending');
create index webhook_delivery_page on webhook_delivery (pricing_model_id, created_at, position, id);
create index webhook_delivery_webhook_page on webhook_delivery (webhook_id, created_at, position, id);

create table cron_run (
  id varchar(255) not null, job varchar(255) not null, created_at timestamptz(3) not null, finished_at timestamptz(3),
  outcome text, error text, alive_at timestamptz(3), position bigserial,
  primary key (id)
);
create index cron_run_page on cron_run (created_at, position, id);

create table row_count (
  relation varchar(255) not null, pricing_model_id varchar(255) not null, slot int not null, rows bigint not null,
  primary key (relation, pricing_model_id, slot)
) with (fillfactor = 40);

-- The digest of each function file that has been applied (src/server/database/sql-functions.ts).
create table sql_function (
  name text primary key, signature text not null, digest text not null, applied_at timestamptz(3) not null default now()
);
