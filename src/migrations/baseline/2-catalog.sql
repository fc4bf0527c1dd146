-- Products, prices, features, usage meters and resources.
create table product (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null, name varchar(255) not null, description text,
  image_url text, active boolean not null default true, singular_quantity_label varchar(255), plural_quantity_label varchar(255),
  "default" boolean not null default false, slug varchar(255) not null, version int not null default 1, position bigserial,
  primary key (id),
  constraint product_slug_unique unique (pricing_model_id, slug),
  constraint product_tenant_unique unique (id, pricing_model_id)
);
create unique index product_default_unique on product (pricing_model_id) where ("default" = true);
create index product_page on product (pricing_model_id, created_at, position, id);

create table resource (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null, slug varchar(255) not null,
  name varchar(255) not null, active boolean not null default true, version int not null default 1, position bigserial,
  primary key (id),
  constraint resource_slug_unique unique (pricing_model_id, slug),
  constraint resource_tenant_unique unique (id, pricing_model_id)
);
create index resource_page on resource (pricing_model_id, created_at, position, id);

create table usage_meter (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null, name varchar(255) not null,
  slug varchar(255) not null, aggregation_type text not null default 'sum', version int not null default 1, position bigserial,
  primary key (id),
  constraint usage_meter_slug_unique unique (pricing_model_id, slug),
  constraint usage_meter_tenant_unique unique (id, pricing_model_id),
  constraint usage_meter_aggregation_type_check check (aggregation_type in ('sum', 'count_distinct_properties', 'count', 'max', 'last'))
);
create index usage_meter_page on usage_meter (pricing_model_id, created_at, position, id);

create table price (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null, type text not null, name varchar(255),
  slug varchar(255), unit_price bigint not null, currency varchar(3) not null, is_default boolean not null,
  active boolean not null default true, interval_unit text, interval_count int, trial_period_days int,
  usage_events_per_unit bigint, product_id varchar(255), usage_meter_id varchar(255), no_charge boolean not null default false,
  version int not null default 1, position bigserial, retired_at timestamptz(3), successor_id varchar(255),
  primary key (id),
  constraint price_tenant_unique unique (id, pricing_model_id),
  constraint price_default_active check (active or (not is_default)),
  constraint price_interval_unit_check check (interval_unit in ('day', 'week', 'month', 'year')),
  constraint price_type_check check (type in ('single_payment', 'subscription', 'usage')),
  constraint price_unit_price_range check (unit_price >= 0),
  constraint price_variant check (
case type
    when 'usage' then ((usage_meter_id is not null) and (product_id is null) and (usage_events_per_unit > 0) and (interval_unit is not null) and (interval_count > 0) and (trial_period_days is null))
    when 'subscription' then ((product_id is not null) and (interval_unit is not null) and (interval_count > 0) and (num_nonnulls(usage_meter_id, usage_events_per_unit) = 0))
    else ((product_id is not null) and (num_nonnulls(usage_meter_id, usage_events_per_unit, interval_unit, interval_count, trial_period_days) = 0))
end)
);
create index price_page on price (pricing_model_id, created_at, position, id);
create unique index price_product_default_unique on price (product_id) where (is_default = true);
create index price_product_id_index on price (product_id);
create unique index price_slug_unique on price (pricing_model_id, slug) where ((active = true) and (slug is not null));
create unique index price_usage_meter_default_unique on price (usage_meter_id) where (is_default = true);
create index price_usage_meter_id_index on price (usage_meter_id);

create table feature (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null, type text not null, slug varchar(255) not null,
  name varchar(255) not null, description text not null, active boolean not null default true, amount bigint,
  usage_meter_id varchar(255), renewal_frequency text, resource_id varchar(255), deactivated_at timestamptz(3),
  version int not null default 1, position bigserial,
  primary key (id),
  constraint feature_slug_unique unique (pricing_model_id, slug),
  constraint feature_tenant_unique unique (id, pricing_model_id),
  constraint feature_renewal_frequency_check check (renewal_frequency in ('once', 'every_billing_period')),
  constraint feature_type_check check (type in ('toggle', 'usage_credit_grant', 'resource')),
  constraint feature_variant check (
case type
    when 'toggle' then (num_nonnulls(amount, usage_meter_id, renewal_frequency, resource_id) = 0)
    when 'usage_credit_grant' then ((amount > 0) and (usage_meter_id is not null) and (renewal_frequency is not null) and (resource_id is null))
    else ((amount > 0) and (resource_id is not null) and (num_nonnulls(usage_meter_id, renewal_frequency) = 0))
end)
);
create index feature_page on feature (pricing_model_id, created_at, position, id);
create index feature_resource_id_index on feature (resource_id);
create index feature_usage_meter_id_index on feature (usage_meter_id);

create table product_feature (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null, product_id varchar(255) not null,
  feature_id varchar(255) not null, expired_at timestamptz(3), version int not null default 1, position bigserial,
  primary key (id),
  constraint product_feature_tenant_unique unique (id, pricing_model_id),
  constraint product_feature_unique unique (product_id, feature_id)
);
create index product_feature_feature_id_index on product_feature (feature_id);
create index product_feature_page on product_feature (pricing_model_id, created_at, position, id);
