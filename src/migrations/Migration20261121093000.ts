import { Migration } from '@mikro-orm/migrations';

/** One change feed: events, their numbers, and the wake-up of whoever follows it. */
export class Migration20261121093000 extends Migration {
  override up() {
    this.addSql(`create sequence event_position`);
    this.addSql(`create table "event" ("id" varchar(255) not null, "sequence" bigint null, "position" bigint not null default nextval('event_position'), "transaction_id" xid8 not null default pg_current_xact_id(), "type" varchar(255) not null, "object_type" varchar(255) not null, "object_id" varchar(255) not null, "object_version" int not null, "data" jsonb not null, "previous_attributes" jsonb null, "customer_id" varchar(255) null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "occurred_at" timestamptz(3) not null, "cause_id" varchar(255) null, primary key ("id"));`);
    this.addSql(`create index "event_feed" on "event" ("pricing_model_id", "sequence");`);
    this.addSql(`create index "event_age" on "event" ("occurred_at");`);
    this.addSql(`alter table "event" add constraint "event_sequence_unique" unique ("sequence");`);
    this.addSql(`create unique index "event_once_a_transaction" on "event" ("transaction_id", "object_id") where "sequence" is null;`);
    this.addSql(`create table "event_head" ("id" serial primary key, "sequence" bigint not null, "purged" bigint not null);`);
    this.addSql(`alter table "api_key" add "version" int not null default 1;`);
    this.addSql(`alter table "pricing_model" add "version" int not null default 1;`);
    this.addSql(`alter table "product" add "version" int not null default 1;`);
    this.addSql(`alter table "resource" add "version" int not null default 1;`);
    this.addSql(`alter table "usage_meter" add "version" int not null default 1;`);
    this.addSql(`alter table "price" add "version" int not null default 1;`);
    this.addSql(`alter table "feature" add "version" int not null default 1;`);
    this.addSql(`alter table "product_feature" add "version" int not null default 1;`);
    this.addSql(`alter table "webhook" add "version" int not null default 1;`);
    this.addSql(`insert into event_head (id, sequence, purged) values (1, 0, 0)`);
    this.addSql(
      `alter table event add constraint event_tenant foreign key (pricing_model_id, organization_id, livemode) references pricing_model (id, organization_id, livemode)`,
    );

    this.addSql(`create function sequence_events() returns void language plpgsql as $$
declare
  last bigint;
  given bigint;
begin
  if not exists (select 1 from event where sequence is null) then return; end if;
  -- Whoever holds this row gives numbers, alone, until it commits.
  select sequence into last from event_head where id = 1 for update;
  update event set sequence = numbered.sequence
    from (select id, last + row_number() over (order by position) as sequence
          from event where sequence is null) as numbered
    where event.id = numbered.id;
  get diagnostics given = row_count;
  update event_head set sequence = last + given where id = 1 and given > 0;
end $$`);

    this.addSql(`create function announce_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('tollgate_event', '');
  return null;
end $$`);
    this.addSql(
      `create trigger announced after insert on event for each statement execute function announce_events()`,
    );
  }
}
