import { Migration } from '@mikro-orm/migrations';

/** What endpoints are told, how that went, and the wake-up of whoever watches it. */
export class Migration20261121104500 extends Migration {
  override up() {
    this.addSql(`create table "webhook_delivery" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "webhook_id" varchar(255) not null, "event_id" varchar(255) not null, "event_type" varchar(255) not null, "sequence" bigint not null, "object_id" varchar(255) not null, "status" text not null default 'pending', "attempt_count" int not null default 0, "attempts" jsonb not null default '[]', "next_attempt_at" timestamptz(3) null, "delivered_at" timestamptz(3) null, "claim" varchar(255) null, "claimed_until" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "webhook_delivery_page" on "webhook_delivery" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "webhook_delivery_webhook_page" on "webhook_delivery" ("webhook_id", "created_at", "id");`);
    this.addSql(`create index "webhook_delivery_due" on "webhook_delivery" ("webhook_id", "next_attempt_at", "sequence") where "status" = 'pending' and "next_attempt_at" is not null;`);
    this.addSql(`create index "webhook_delivery_lane" on "webhook_delivery" ("webhook_id", "object_id", "sequence") where "status" = 'pending';`);
    this.addSql(`alter table "webhook_delivery" add constraint "webhook_delivery_once" unique ("event_id", "webhook_id");`);
    this.addSql(`alter table "webhook" add "disabled_reason" text null, add "previous_secret" varchar(255) null, add "previous_secret_until" timestamptz(3) null, add "failing_since" timestamptz(3) null;`);
    this.addSql(`alter table "webhook_delivery" add constraint "webhook_delivery_status_check" check ("status" in ('pending', 'delivered', 'failed'));`);
    this.addSql(
      `alter table webhook_delivery add constraint webhook_delivery_tenant foreign key (pricing_model_id, organization_id, livemode) references pricing_model (id, organization_id, livemode)`,
    );
    this.addSql(
      `alter table webhook add constraint webhook_tenant_unique unique (id, pricing_model_id)`,
    );
    this.addSql(`call same_pricing_model('webhook_delivery', 'webhook_id', 'webhook')`);
    this.addSql(
      `alter table webhook_delivery add constraint webhook_delivery_event_owner foreign key (event_id) references event (id) on delete cascade`,
    );

    // The same for the same two, so that no path can tell an endpoint of an event twice over.
    this.addSql(`create function webhook_delivery_id(webhook_id text, event_id text) returns text language sql immutable as $$
  select 'webhook_delivery_' || left(regexp_replace(
    encode(sha256(convert_to(webhook_id || event_id, 'utf8')), 'base64'), '[^0-9A-Za-z]', '', 'g'), 21)
$$`);

    // A bounded number at a time, so that no crowd of events makes one statement that never ends.
    this.addSql(`drop function sequence_events()`);
    this.addSql(`create function sequence_events(largest int) returns int language plpgsql as $$
declare
  last bigint;
  given int;
begin
  if not exists (select 1 from event where sequence is null) then return 0; end if;
  -- Whoever holds this row gives numbers, alone, until it commits.
  select sequence into last from event_head where id = 1 for update;
  with numbered as (
    update event set sequence = place.sequence
      from (select id, last + row_number() over (order by position) as sequence
            from event where sequence is null order by position limit largest) as place
      where event.id = place.id
      returning event.*
  ), fanned_out as (
    insert into webhook_delivery (id, created_at, updated_at, livemode, organization_id, pricing_model_id,
      webhook_id, event_id, event_type, sequence, object_id, next_attempt_at)
    select webhook_delivery_id(w.id, e.id), now(), now(), e.livemode, e.organization_id, e.pricing_model_id,
      w.id, e.id, e.type, e.sequence, e.object_id, now()
    from numbered e join webhook w on w.pricing_model_id = e.pricing_model_id and w.active
    where case when e.type = 'webhook.test' then w.id = e.object_id else e.type = any(w.filter_types) end
  )
  select count(*) into given from numbered;
  update event_head set sequence = last + given where id = 1 and given > 0;
  return given;
end $$`);

    this.addSql(`create function announce_delivery() returns trigger language plpgsql as $$
begin
  perform pg_notify('tollgate_delivery', new.pricing_model_id || ' ' || new.webhook_id || ' ' || new.id);
  return null;
end $$`);
    this.addSql(`create trigger announced_new after insert on webhook_delivery for each row
      execute function announce_delivery()`);
    this.addSql(`create trigger announced_changed after update on webhook_delivery for each row
      when ((old.status, old.attempts, old.attempt_count) is distinct from (new.status, new.attempts, new.attempt_count))
      execute function announce_delivery()`);
  }
}
