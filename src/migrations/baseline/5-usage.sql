-- Usage events in monthly partitions, ledgers and usage credits.
-- Rows that change with every call have free space next to them (fillfactor), so that no index changes.
create table usage_meter_balance (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  subscription_id varchar(255) not null, usage_meter_id varchar(255) not null, customer_id varchar(255) not null,
  usage numeric not null default '0'::numeric, credits numeric not null default '0'::numeric,
  overage numeric not null default '0'::numeric, granted numeric not null default '0'::numeric,
  expired numeric not null default '0'::numeric, billed numeric not null default '0'::numeric, position bigserial,
  primary key (id),
  constraint usage_meter_balance_tenant_unique unique (id, pricing_model_id),
  constraint usage_meter_balance_unique unique (subscription_id, usage_meter_id),
  constraint usage_meter_balance_credits check (credits >= 0),
  constraint usage_meter_balance_zero check ((((((usage + credits) + overage) + granted) + expired) + billed) = 0)
) with (fillfactor = 40);
create index usage_meter_balance_customer on usage_meter_balance (customer_id);
create index usage_meter_balance_page on usage_meter_balance (pricing_model_id, created_at, position, id);
create index usage_meter_balance_usage_meter_id_index on usage_meter_balance (usage_meter_id);

create table usage_hour (
  balance_id varchar(255) not null, hour timestamptz(3) not null, usage numeric not null, events bigint not null,
  primary key (balance_id, hour)
) with (fillfactor = 40);

create table usage_credit (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  balance_id varchar(255) not null, subscription_id varchar(255) not null, usage_meter_id varchar(255) not null,
  customer_id varchar(255) not null, amount numeric not null, remaining numeric not null, expired numeric not null,
  expires_at timestamptz(3), priority int not null default 50, source text not null, source_id varchar(255),
  billing_period_id varchar(255) not null, reason text, position bigserial,
  primary key (id),
  constraint usage_credit_range check ((amount > 0) and (remaining >= 0) and (expired >= 0) and ((remaining + expired) <= amount)),
  constraint usage_credit_source_check check (source in ('feature', 'add_feature', 'manual'))
);
create index usage_credit_balance on usage_credit (balance_id, expires_at);
create index usage_credit_expiring on usage_credit (expires_at) where ((remaining > 0) and (expires_at is not null));
create unique index usage_credit_once on usage_credit (source_id, source, billing_period_id) where (source_id is not null);
create index usage_credit_page on usage_credit (pricing_model_id, created_at, position, id);

create table usage_credit_application (
  credit_id varchar(255) not null, billing_period_id varchar(255) not null, amount numeric not null,
  primary key (credit_id, billing_period_id),
  constraint usage_credit_application_range check (amount >= 0)
);

create table owed_usage (
  id varchar(255) not null, created_at timestamptz(3) not null, balance_id varchar(255) not null,
  billing_period_id varchar(255) not null, price_id varchar(255) not null, quantity numeric not null,
  invoice_line_item_id varchar(255), undone_line_item_id varchar(255), is_lost boolean not null default false,
  primary key (id)
);
create index owed_usage_invoice_line_item_id_index on owed_usage (invoice_line_item_id);
create index owed_usage_period on owed_usage (balance_id, billing_period_id);
create index owed_usage_unbilled on owed_usage (balance_id, price_id) where (invoice_line_item_id is null);
create index owed_usage_undone_line_item_id_index on owed_usage (undone_line_item_id);

create table ledger_transaction (
  id varchar(255) not null, created_at timestamptz(3) not null, livemode boolean not null, organization_id varchar(255) not null,
  pricing_model_id varchar(255) not null, balance_id varchar(255) not null, type text not null, source_id varchar(255) not null,
  billing_period_id varchar(255), price_id varchar(255), usage numeric not null default '0'::numeric,
  credits numeric not null default '0'::numeric, overage numeric not null default '0'::numeric,
  granted numeric not null default '0'::numeric, expired numeric not null default '0'::numeric,
  billed numeric not null default '0'::numeric, position bigserial,
  primary key (id),
  constraint ledger_transaction_type_check check (type in ('usage_recorded', 'usage_voided', 'credit_granted', 'credit_applied', 'credit_expired', 'usage_billed')),
  constraint ledger_transaction_zero check ((((((usage + credits) + overage) + granted) + expired) + billed) = 0)
);
create index ledger_transaction_balance on ledger_transaction (balance_id, created_at, position, id);
create index ledger_transaction_page on ledger_transaction (pricing_model_id, created_at, position, id);

create table usage_total (
  balance_id varchar(255) not null, billing_period_id varchar(255) not null, price_id varchar(255) not null,
  usage numeric not null, events bigint not null, last_usage_date timestamptz(3), last_event_id varchar(255),
  primary key (balance_id, billing_period_id, price_id)
) with (fillfactor = 40);

-- The primary key has the order of lists, so that one index serves both. Events have no foreign keys: each would be
-- checked for every event, and the ledger row of the same transaction refers to the balance of the same subscription.
create table usage_event (
  pricing_model_id text not null, created_at timestamptz(3) not null, id text not null, recorded_at timestamptz(3) not null,
  updated_at timestamptz(3) not null, livemode boolean not null, organization_id text not null, customer_id text not null,
  subscription_id text not null, usage_meter_id text not null, price_id text not null, billing_period_id text,
  amount numeric not null, usage_date timestamptz(3) not null, transaction_id text not null, properties jsonb,
  place int not null default 0, voided_at timestamptz(3), void_reason text, replaced_by_id text,
  voided_after_billing boolean not null default false, first_recorded_at timestamptz(3), after_end boolean not null default false,
  left_out_by text, order_at timestamptz(3), order_place int, position bigint not null default 0,
  primary key (pricing_model_id, created_at, position, id, recorded_at),
  constraint usage_event_after_end check ((not after_end) or (billing_period_id is null)),
  constraint usage_event_amount check ((amount > 0) and (scale(amount) <= 9)),
  constraint usage_event_transaction check ((length(transaction_id) >= 1) and (length(transaction_id) <= 255))
) partition by range (recorded_at);
create index usage_event_subscription on usage_event (subscription_id, usage_meter_id, created_at, id);

-- Events of a month without a partition.
create table usage_event_rest partition of usage_event default;

-- Makes a transaction id unique for a meter in all months: a unique constraint of the partitioned table would have to
-- contain the month. The id of an event is a digest of meter and transaction id, so this key leads to the event, too.
create table usage_event_key (
  id text collate "C" not null, created_at timestamptz(3) not null, recorded_at timestamptz(3) not null,
  position bigint not null default 0,
  primary key (id)
);

create table usage_event_distinct (
  digest bytea not null, event_id text not null,
  primary key (digest)
);
create index usage_event_distinct_event on usage_event_distinct (event_id);

-- The partitions of this month and the next one. The job of usage events adds later ones.
do $$
declare
  month timestamp;
begin
  for n in 0..1 loop
    month := date_trunc('month', now() at time zone 'UTC') + n * interval '1 month';
    execute format('create table %1$I (like usage_event including defaults including constraints);
      alter table usage_event attach partition %1$I for values from (%2$L) to (%3$L)', 'usage_event_' || to_char(month, 'YYYY_MM'),
      month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
  end loop;
end $$;
