import { Migration } from '@mikro-orm/migrations';

export class Migration20261121080000 extends Migration {

  override name = 'Migration20261121080000';

  override up(): void | Promise<void> {
    this.addSql(`create table "api_key" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "name" varchar(255) not null, "token" varchar(255) not null, "type" text not null, "active" boolean not null default true, "expires_at" timestamptz(3) null, "idp_hosted_billing_user_id" varchar(255) null, "hash_text" varchar(64) not null, primary key ("id"));`);
    this.addSql(`alter table "api_key" add constraint "api_key_hash_text_unique" unique ("hash_text");`);
    this.addSql(`alter table "api_key" add constraint "api_key_type_check" check ("type" in ('secret', 'publishable'));`);

    this.addSql(`create table "idempotency_key" ("api_key_id" varchar(255) not null, "key" varchar(255) not null, "created_at" timestamptz(3) not null, "fingerprint" varchar(64) not null, "leased_until" timestamptz(3) not null, "committed" boolean not null default false, "status" int null, "headers" jsonb null, "body" text null, primary key ("api_key_id", "key"));`);
    this.addSql(`create index "idempotency_key_age" on "idempotency_key" ("created_at");`);

    this.addSql(`create table "organization" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "name" varchar(255) not null, "currency" varchar(3) not null default 'USD', primary key ("id"));`);

    this.addSql(`create table "pricing_model" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "name" varchar(255) not null, "is_default" boolean not null, primary key ("id"));`);
    this.addSql(`create unique index "pricing_model_default_unique" on "pricing_model" ("organization_id", "livemode") where "is_default" = true;`);
    this.addSql(`create unique index "pricing_model_live_unique" on "pricing_model" ("organization_id") where "livemode" = true;`);

    this.addSql(`create table "product" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "name" varchar(255) not null, "description" text null, "image_url" text null, "active" boolean not null default true, "singular_quantity_label" varchar(255) null, "plural_quantity_label" varchar(255) null, "default" boolean not null default false, "slug" varchar(255) not null, primary key ("id"));`);
    this.addSql(`create index "product_page" on "product" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`alter table "product" add constraint "product_slug_unique" unique ("pricing_model_id", "slug");`);
    this.addSql(`create unique index "product_default_unique" on "product" ("pricing_model_id") where "default" = true;`);

    this.addSql(`create table "resource" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "slug" varchar(255) not null, "name" varchar(255) not null, "active" boolean not null default true, primary key ("id"));`);
    this.addSql(`create index "resource_page" on "resource" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`alter table "resource" add constraint "resource_slug_unique" unique ("pricing_model_id", "slug");`);

    this.addSql(`create table "row_count" ("relation" varchar(255) not null, "pricing_model_id" varchar(255) not null, "backend" int not null, "rows" bigint not null, primary key ("relation", "pricing_model_id", "backend"));`);

    this.addSql(`create table "usage_meter" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "name" varchar(255) not null, "slug" varchar(255) not null, "aggregation_type" text not null default 'sum', primary key ("id"));`);
    this.addSql(`create index "usage_meter_page" on "usage_meter" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`alter table "usage_meter" add constraint "usage_meter_slug_unique" unique ("pricing_model_id", "slug");`);
    this.addSql(`alter table "usage_meter" add constraint "usage_meter_aggregation_type_check" check ("aggregation_type" in ('sum', 'count_distinct_properties'));`);

    this.addSql(`create table "price" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "type" text not null, "name" varchar(255) null, "slug" varchar(255) null, "unit_price" bigint not null, "currency" varchar(3) not null, "is_default" boolean not null, "active" boolean not null default true, "interval_unit" text null, "interval_count" int null, "trial_period_days" int null, "usage_events_per_unit" bigint null, "product_id" varchar(255) null, "usage_meter_id" varchar(255) null, "no_charge" boolean not null default false, primary key ("id"));`);
    this.addSql(`create index "price_product_id_index" on "price" ("product_id");`);
    this.addSql(`create index "price_usage_meter_id_index" on "price" ("usage_meter_id");`);
    this.addSql(`create index "price_page" on "price" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`create unique index "price_slug_unique" on "price" ("pricing_model_id", "slug") where "active" = true and "slug" is not null;`);
    this.addSql(`create unique index "price_product_default_unique" on "price" ("product_id") where "is_default" = true;`);
    this.addSql(`create unique index "price_usage_meter_default_unique" on "price" ("usage_meter_id") where "is_default" = true;`);
    this.addSql(`alter table "price" add constraint "price_unit_price_range" check (unit_price >= 0);`);
    this.addSql(`alter table "price" add constraint "price_default_active" check (active or not is_default);`);
    this.addSql(`alter table "price" add constraint "price_variant" check (case type
        when 'usage' then usage_meter_id is not null and product_id is null
          and usage_events_per_unit > 0 and interval_unit is not null and interval_count > 0
          and trial_period_days is null
        when 'subscription' then product_id is not null and interval_unit is not null
          and interval_count > 0 and num_nonnulls(usage_meter_id, usage_events_per_unit) = 0
        else product_id is not null and num_nonnulls(usage_meter_id, usage_events_per_unit,
          interval_unit, interval_count, trial_period_days) = 0 end);`);
    this.addSql(`alter table "price" add constraint "price_type_check" check ("type" in ('single_payment', 'subscription', 'usage'));`);
    this.addSql(`alter table "price" add constraint "price_interval_unit_check" check ("interval_unit" in ('day', 'week', 'month', 'year'));`);

    this.addSql(`create table "feature" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "type" text not null, "slug" varchar(255) not null, "name" varchar(255) not null, "description" text not null, "active" boolean not null default true, "amount" bigint null, "usage_meter_id" varchar(255) null, "renewal_frequency" text null, "resource_id" varchar(255) null, "deactivated_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "feature_usage_meter_id_index" on "feature" ("usage_meter_id");`);
    this.addSql(`create index "feature_resource_id_index" on "feature" ("resource_id");`);
    this.addSql(`create index "feature_page" on "feature" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`alter table "feature" add constraint "feature_slug_unique" unique ("pricing_model_id", "slug");`);
    this.addSql(`alter table "feature" add constraint "feature_variant" check (case type
        when 'toggle' then num_nonnulls(amount, usage_meter_id, renewal_frequency, resource_id) = 0
        when 'usage_credit_grant' then amount > 0 and usage_meter_id is not null
          and renewal_frequency is not null and resource_id is null
        else amount > 0 and resource_id is not null
          and num_nonnulls(usage_meter_id, renewal_frequency) = 0 end);`);
    this.addSql(`alter table "feature" add constraint "feature_type_check" check ("type" in ('toggle', 'usage_credit_grant', 'resource'));`);
    this.addSql(`alter table "feature" add constraint "feature_renewal_frequency_check" check ("renewal_frequency" in ('once', 'every_billing_period'));`);

    this.addSql(`create table "product_feature" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "product_id" varchar(255) not null, "feature_id" varchar(255) not null, "expired_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "product_feature_feature_id_index" on "product_feature" ("feature_id");`);
    this.addSql(`create index "product_feature_page" on "product_feature" ("pricing_model_id", "created_at", "id");`);
    this.addSql(`alter table "product_feature" add constraint "product_feature_unique" unique ("product_id", "feature_id");`);

    this.addSql(`create table "webhook" ("id" varchar(255) not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "livemode" boolean not null, "organization_id" varchar(255) not null, "pricing_model_id" varchar(255) not null, "name" varchar(255) not null, "url" text not null, "filter_types" text[] not null, "active" boolean not null default true, "secret" varchar(255) not null, primary key ("id"));`);
    this.addSql(`create index "webhook_page" on "webhook" ("pricing_model_id", "created_at", "id");`);

    this.addSql(`alter table "price" add constraint "price_product_id_foreign" foreign key ("product_id") references "product" ("id") on delete restrict;`);
    this.addSql(`alter table "price" add constraint "price_usage_meter_id_foreign" foreign key ("usage_meter_id") references "usage_meter" ("id") on delete restrict;`);

    this.addSql(`alter table "feature" add constraint "feature_usage_meter_id_foreign" foreign key ("usage_meter_id") references "usage_meter" ("id") on delete restrict;`);
    this.addSql(`alter table "feature" add constraint "feature_resource_id_foreign" foreign key ("resource_id") references "resource" ("id") on delete restrict;`);

    this.addSql(`alter table "product_feature" add constraint "product_feature_product_id_foreign" foreign key ("product_id") references "product" ("id") on delete restrict;`);
    this.addSql(`alter table "product_feature" add constraint "product_feature_feature_id_foreign" foreign key ("feature_id") references "feature" ("id") on delete restrict;`);
  }

}
