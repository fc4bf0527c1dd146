import { Migration } from '@mikro-orm/migrations';

/** The first version of the usage migration: databases of that time have run this text. */
export class Migration20261121140000 extends Migration {
  override up() {
    this.addSql(
      `create table "usage_meter_balance" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "subscription_id" varchar(255) not null, "usage_meter_id" varchar(255) not null, "customer_id" varchar(255) not null, "usage" numeric not null default '0', "credits" numeric not null default '0', "overage" numeric not null default '0', "granted" numeric not null default '0', "expired" numeric not null default '0', "billed" numeric not null default '0', primary key ("id"));`,
    );
    this.addSql(
      `create index "usage_meter_balance_usage_meter_id_index" on "usage_meter_balance" ("usage_meter_id");`,
    );
    this.addSql(
      `create index "usage_meter_balance_page" on "usage_meter_balance" ("pricing_model_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "usage_meter_balance_customer" on "usage_meter_balance" ("customer_id");`,
    );
    this.addSql(
      `alter table "usage_meter_balance" add constraint "usage_meter_balance_unique" unique ("subscription_id", "usage_meter_id");`,
    );

    this.addSql(
      `create table "usage_hour" ("balance_id" varchar(255) not null, "hour" timestamptz(3) not null, "usage" numeric not null, "events" bigint not null, primary key ("balance_id", "hour"));`,
    );

    this.addSql(
      `create table "usage_credit" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "balance_id" varchar(255) not null, "subscription_id" varchar(255) not null, "usage_meter_id" varchar(255) not null, "customer_id" varchar(255) not null, "amount" numeric not null, "remaining" numeric not null, "expired" numeric not null, "expires_at" timestamptz(3) null, "priority" int not null default 50, "source" text not null, "source_id" varchar(255) null, "billing_period_id" varchar(255) not null, "reason" text null, primary key ("id"));`,
    );
    this.addSql(
      `create index "usage_credit_page" on "usage_credit" ("pricing_model_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "usage_credit_balance" on "usage_credit" ("balance_id", "expires_at");`,
    );
    this.addSql(
      `create index "usage_credit_expiring" on "usage_credit" ("expires_at") where "remaining" > 0 and "expires_at" is not null;`,
    );
    this.addSql(
      `create unique index "usage_credit_once" on "usage_credit" ("source_id", "source", "billing_period_id") where "source_id" is not null;`,
    );

    this.addSql(
      `create table "usage_credit_application" ("credit_id" varchar(255) not null, "billing_period_id" varchar(255) not null, "amount" numeric not null, primary key ("credit_id", "billing_period_id"));`,
    );

    this.addSql(
      `create table "owed_usage" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "balance_id" varchar(255) not null, "billing_period_id" varchar(255) not null, "price_id" varchar(255) not null, "quantity" numeric not null, "invoice_line_item_id" varchar(255) null, primary key ("id"));`,
    );
    this.addSql(
      `create index "owed_usage_invoice_line_item_id_index" on "owed_usage" ("invoice_line_item_id");`,
    );
    this.addSql(
      `create index "owed_usage_unbilled" on "owed_usage" ("balance_id", "price_id") where "invoice_line_item_id" is null;`,
    );
    this.addSql(
      `create index "owed_usage_period" on "owed_usage" ("balance_id", "billing_period_id");`,
    );

    this.addSql(
      `create table "ledger_transaction" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "balance_id" varchar(255) not null, "type" text not null, "source_id" varchar(255) not null, "billing_period_id" varchar(255) null, "price_id" varchar(255) null, "usage" numeric not null default '0', "credits" numeric not null default '0', "overage" numeric not null default '0', "granted" numeric not null default '0', "expired" numeric not null default '0', "billed" numeric not null default '0', primary key ("id"));`,
    );
    this.addSql(
      `create index "ledger_transaction_page" on "ledger_transaction" ("pricing_model_id", "created_at", "id");`,
    );
    this.addSql(
      `create index "ledger_transaction_balance" on "ledger_transaction" ("balance_id", "created_at", "id");`,
    );

    this.addSql(
      `create table "usage_total" ("balance_id" varchar(255) not null, "billing_period_id" varchar(255) not null, "price_id" varchar(255) not null, "usage" numeric not null, "events" bigint not null, "last_usage_date" timestamptz(3) null, "last_event_id" varchar(255) null, primary key ("balance_id", "billing_period_id", "price_id"));`,
    );

    this.addSql(`alter table "usage_meter" drop constraint "usage_meter_aggregation_type_check";`);
    this.addSql(
      `alter table "usage_meter" add constraint "usage_meter_aggregation_type_check" check ("aggregation_type" in ('sum', 'count_distinct_properties', 'count', 'max', 'last'));`,
    );

    this.addSql(`alter table "billing_period" add "usage_billed_at" timestamptz(3) null;`);

    this.addSql(`alter table "invoice_line_item" drop constraint "invoice_line_item_range";`);
    this.addSql(
      `alter table "invoice_line_item" add "amount" bigint, add "balance_id" varchar(255) null, add "usage_quantity" numeric null, add "usage_events_per_unit" bigint null;`,
    );
    this.addSql(`update "invoice_line_item" set "amount" = "price" * "quantity"`);
    this.addSql(`alter table "invoice_line_item" alter column "amount" set not null`);
    this.addSql(
      `alter table "invoice_line_item" alter column "quantity" type numeric using ("quantity"::numeric);`,
    );
    this.addSql(`alter table "invoice_line_item" add constraint "invoice_line_item_amount" check (case type when 'usage' then num_nulls(balance_id, usage_quantity, usage_events_per_unit) = 0
        else amount = price * quantity end);`);
    this.addSql(
      `alter table "invoice_line_item" add constraint "invoice_line_item_range" check (quantity >= 0 and price >= 0 and amount >= 0);`,
    );

    this.addSql(
      `alter table "usage_meter_balance" add constraint "usage_meter_balance_subscription_id_foreign" foreign key ("subscription_id") references "subscription" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "usage_meter_balance" add constraint "usage_meter_balance_usage_meter_id_foreign" foreign key ("usage_meter_id") references "usage_meter" ("id") on delete restrict;`,
    );
    this.addSql(
      `alter table "usage_meter_balance" add constraint "usage_meter_balance_zero" check (usage + credits + overage + granted + expired + billed = 0);`,
    );
    this.addSql(
      `alter table "usage_meter_balance" add constraint "usage_meter_balance_credits" check (credits >= 0);`,
    );

    this.addSql(
      `alter table "usage_hour" add constraint "usage_hour_balance_id_foreign" foreign key ("balance_id") references "usage_meter_balance" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "usage_credit" add constraint "usage_credit_balance_id_foreign" foreign key ("balance_id") references "usage_meter_balance" ("id") on delete restrict;`,
    );
    this.addSql(
      `alter table "usage_credit" add constraint "usage_credit_range" check (amount > 0 and remaining >= 0 and expired >= 0 and remaining + expired <= amount);`,
    );
    this.addSql(
      `alter table "usage_credit" add constraint "usage_credit_source_check" check ("source" in ('feature', 'add_feature', 'manual'));`,
    );

    this.addSql(
      `alter table "usage_credit_application" add constraint "usage_credit_application_credit_id_foreign" foreign key ("credit_id") references "usage_credit" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "usage_credit_application" add constraint "usage_credit_application_range" check (amount >= 0);`,
    );

    this.addSql(
      `alter table "owed_usage" add constraint "owed_usage_balance_id_foreign" foreign key ("balance_id") references "usage_meter_balance" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "owed_usage" add constraint "owed_usage_invoice_line_item_id_foreign" foreign key ("invoice_line_item_id") references "invoice_line_item" ("id") on delete restrict;`,
    );

    this.addSql(
      `alter table "ledger_transaction" add constraint "ledger_transaction_balance_id_foreign" foreign key ("balance_id") references "usage_meter_balance" ("id") on delete restrict;`,
    );
    this.addSql(
      `alter table "ledger_transaction" add constraint "ledger_transaction_zero" check (usage + credits + overage + granted + expired + billed = 0);`,
    );
    this.addSql(
      `alter table "ledger_transaction" add constraint "ledger_transaction_type_check" check ("type" in ('usage_recorded', 'usage_voided', 'credit_granted', 'credit_applied', 'credit_expired', 'usage_billed'));`,
    );

    this.addSql(
      `alter table "usage_total" add constraint "usage_total_balance_id_foreign" foreign key ("balance_id") references "usage_meter_balance" ("id") on delete cascade;`,
    );

    for (const table of ['usage_credit', 'usage_meter_balance']) {
      this.addSql(`call keep_tenant('${table}')`);
    }
    this.addSql(
      `alter table usage_meter_balance add constraint usage_meter_balance_tenant_unique unique (id, pricing_model_id)`,
    );
    this.addSql(
      `call same_pricing_model('usage_meter_balance', 'subscription_id', 'subscription')`,
    );
    this.addSql(`call same_pricing_model('usage_meter_balance', 'usage_meter_id', 'usage_meter')`);
    this.addSql(`call same_pricing_model('usage_credit', 'balance_id', 'usage_meter_balance')`);
    this.addSql(
      `call same_pricing_model('ledger_transaction', 'balance_id', 'usage_meter_balance')`,
    );

    // Rows that change with every call have free space in their page, so that no index has to change.
    for (const table of ['usage_meter_balance', 'usage_total', 'usage_hour']) {
      this.addSql(`alter table ${table} set (fillfactor = 40)`);
    }

    this.addSql(`create function keep_ledger() returns trigger language plpgsql as $$
begin
  raise exception 'ledger transaction % stays as it was written', old.id using errcode = 'check_violation';
end $$`);
    this.addSql(`create trigger ledger_kept before update or delete on ledger_transaction
      for each row execute function keep_ledger()`);

    // The order of the primary key is that of lists, so that one index serves both. Events have no foreign keys: each
    // would be looked up for every event. One ledger row of the same transaction refers to the balance of the same
    // subscription and meter for many events.
    this.addSql(`create table usage_event (
      pricing_model_id text not null, created_at timestamptz(3) not null, id text not null,
      recorded_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
      organization_id text not null, customer_id text not null, subscription_id text not null,
      usage_meter_id text not null, price_id text not null, billing_period_id text,
      amount numeric not null, usage_date timestamptz(3) not null, transaction_id text not null,
      properties jsonb, place int not null default 0, voided_at timestamptz(3), void_reason text, replaced_by_id text,
      voided_after_billing boolean not null default false,
      constraint usage_event_amount check (amount > 0 and scale(amount) <= 9),
      constraint usage_event_transaction check (length(transaction_id) between 1 and 255),
      primary key (pricing_model_id, created_at, id, recorded_at)
    ) partition by range (recorded_at)`);
    this.addSql(
      `create index usage_event_subscription on usage_event (subscription_id, usage_meter_id, created_at, id)`,
    );
    this.addSql(`create trigger count_added after insert on usage_event referencing new table as added
      for each statement execute function count_rows()`);
    this.addSql(`create table usage_event_rest partition of usage_event default`);

    // This table makes a transaction id count once for a meter, whatever its month: a unique constraint of the
    // partitioned table would have to contain the month. The id of an event is a digest of both. So this short key
    // identifies the pair and leads to the event, too. With two million events of random ids, an event takes 161
    // bytes, and a thousand more take 10 ms. A key of meter and transaction id takes 282 bytes and 25 ms. A third
    // less is written to the log.
    this.addSql(`create table usage_event_key (
      id text collate "C" primary key, created_at timestamptz(3) not null, recorded_at timestamptz(3) not null)`);
    this.addSql(`create table usage_event_distinct (
      digest bytea primary key, event_id text not null)`);

    // Events of a month without a partition are in usage_event_rest until there is one.
    this.addSql(`create function add_usage_event_month(month date) returns boolean language plpgsql as $$
declare
  name text := 'usage_event_' || to_char(month, 'YYYY_MM');
  beginning timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  ending timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
begin
  if to_regclass(name) is not null then return false; end if;
  perform pg_advisory_xact_lock(hashtext('usage_event_months'));
  if to_regclass(name) is not null then return false; end if;
  lock table usage_event in access exclusive mode;
  execute format('create table %I (like usage_event including defaults including constraints)', name);
  execute format('with moved as (delete from usage_event_rest where recorded_at >= %L and recorded_at < %L returning *)
    insert into %I select * from moved', beginning, ending, name);
  execute format('alter table usage_event attach partition %I for values from (%L) to (%L)', name, beginning, ending);
  return true;
end $$`);
    this.addSql(`select add_usage_event_month((now() at time zone 'UTC')::date)`);
    this.addSql(
      `select add_usage_event_month(((now() at time zone 'UTC') + interval '1 month')::date)`,
    );
  }
}
