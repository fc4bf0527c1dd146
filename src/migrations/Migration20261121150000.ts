import { Migration } from '@mikro-orm/migrations';

/** What subscriptions claim of their capacity, and what is reserved of it for a while. */
export class Migration20261121150000 extends Migration {
  override up() {
    this.addSql(`create table "reservation" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "subscription_id" varchar(255) not null, "resource_id" varchar(255) not null, "status" text not null default 'held', "quantity" bigint not null, "external_ids" jsonb null, "metadata" jsonb null, "expires_at" timestamptz(3) not null, "settled_at" timestamptz(3) null, "claim_ids" jsonb null, "customer_id" varchar(255) not null, "test_clock_id" varchar(255) null, primary key ("id"));`);
    this.addSql(`create index "reservation_page" on "reservation" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "reservation_subscription" on "reservation" ("subscription_id", "created_at", "id");`);
    this.addSql(`create index "reservation_held" on "reservation" ("subscription_id", "resource_id", "expires_at") where "status" = 'held';`);
    this.addSql(`create index "reservation_due" on "reservation" ("test_clock_id", "expires_at", "id") where "status" = 'held';`);
    this.addSql(`create table "resource_claim" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "resource_id" varchar(255) not null, "subscription_id" varchar(255) not null, "external_id" varchar(255) null, "claimed_at" timestamptz(3) not null, "released_at" timestamptz(3) null, "release_reason" text null, "expired_at" timestamptz(3) null, "metadata" jsonb null, "customer_id" varchar(255) not null, "test_clock_id" varchar(255) null, primary key ("id"));`);
    this.addSql(`create index "resource_claim_page" on "resource_claim" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create index "resource_claim_subscription" on "resource_claim" ("subscription_id", "created_at", "id");`);
    this.addSql(`create index "resource_claim_unreleased" on "resource_claim" ("subscription_id", "resource_id", "external_id", "claimed_at", "id") where "released_at" is null;`);
    this.addSql(`create index "resource_claim_due" on "resource_claim" ("test_clock_id", "expired_at", "subscription_id") where "released_at" is null and "expired_at" is not null;`);
    this.addSql(`create unique index "resource_claim_external_id_unique" on "resource_claim" ("subscription_id", "resource_id", "external_id") where "released_at" is null and "external_id" is not null;`);
    this.addSql(`create table "resource_claim_count" ("subscription_id" varchar(255) not null, "resource_id" varchar(255) not null, "expires_at" timestamptz(3) not null, "claimed" bigint not null, primary key ("subscription_id", "resource_id", "expires_at"));`);
    this.addSql(`create index "subscription_item_feature_capacity" on "subscription_item_feature" ("subscription_id", "resource_id") where "resource_id" is not null;`);
    this.addSql(`alter table "reservation" add constraint "reservation_range" check (quantity >= 0 and expires_at > created_at);`);
    this.addSql(`alter table "reservation" add constraint "reservation_settled" check ((status = 'held') = (settled_at is null));`);
    this.addSql(`alter table "reservation" add constraint "reservation_status_check" check ("status" in ('held', 'confirmed', 'released', 'expired'));`);
    this.addSql(`alter table "resource_claim" add constraint "resource_claim_released" check ((released_at is null) = (release_reason is null));`);
    this.addSql(`alter table "resource_claim" add constraint "resource_claim_release_reason_check" check ("release_reason" in ('released', 'subscription_canceled', 'scheduled_cancellation', 'expired'));`);
    this.addSql(`alter table "resource_claim_count" add constraint "resource_claim_count_range" check (claimed >= 0);`);

    for (const table of ['reservation', 'resource_claim']) {
      this.addSql(`call keep_tenant('${table}')`);
      this.addSql(`alter table ${table} add constraint ${table}_subscription_tenant
        foreign key (subscription_id, pricing_model_id) references subscription (id, pricing_model_id) on delete cascade`);
      this.addSql(`call same_pricing_model('${table}', 'resource_id', 'resource')`);
    }
    this.addSql(`alter table resource_claim_count add constraint resource_claim_count_owner
      foreign key (subscription_id) references subscription (id) on delete cascade`);

    // One unit of work counts what it changes in one statement, however many claims it changes.
    this.addSql(`create function count_resource_claims() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into resource_claim_count as held (subscription_id, resource_id, expires_at, claimed)
    select subscription_id, resource_id, coalesce(expired_at, 'infinity'), count(*)
      from added where released_at is null group by 1, 2, 3
    on conflict (subscription_id, resource_id, expires_at) do update set claimed = held.claimed + excluded.claimed;
  elsif tg_op = 'UPDATE' then
    with change as (
      select subscription_id, resource_id, expires_at, sum(n) as n from (
        select subscription_id, resource_id, coalesce(expired_at, 'infinity') as expires_at, 1 as n
          from added where released_at is null
        union all
        select subscription_id, resource_id, coalesce(expired_at, 'infinity'), -1
          from removed where released_at is null) as moved
      group by 1, 2, 3 having sum(n) <> 0
    ), fewer as (
      update resource_claim_count as held set claimed = held.claimed + change.n from change
        where change.n < 0 and (held.subscription_id, held.resource_id, held.expires_at)
          = (change.subscription_id, change.resource_id, change.expires_at)
    )
    insert into resource_claim_count as held (subscription_id, resource_id, expires_at, claimed)
    select subscription_id, resource_id, expires_at, n from change where n > 0
    on conflict (subscription_id, resource_id, expires_at) do update set claimed = held.claimed + excluded.claimed;
  else
    update resource_claim_count as held set claimed = held.claimed - gone.n
      from (select subscription_id, resource_id, coalesce(expired_at, 'infinity') as expires_at, count(*) as n
              from removed where released_at is null group by 1, 2, 3) as gone
      where (held.subscription_id, held.resource_id, held.expires_at)
        = (gone.subscription_id, gone.resource_id, gone.expires_at);
  end if;
  return null;
end $$`);
    this.addSql(`create trigger claims_added after insert on resource_claim referencing new table as added
      for each statement execute function count_resource_claims()`);
    this.addSql(`create trigger claims_changed after update on resource_claim
      referencing old table as removed new table as added
      for each statement execute function count_resource_claims()`);
    this.addSql(`create trigger claims_removed after delete on resource_claim referencing old table as removed
      for each statement execute function count_resource_claims()`);
  }
}
