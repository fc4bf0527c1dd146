-- Resource claims and reservations.
create table resource_claim (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  resource_id varchar(255) not null, subscription_id varchar(255) not null, external_id varchar(255),
  claimed_at timestamptz(3) not null, released_at timestamptz(3), release_reason text, expired_at timestamptz(3), metadata jsonb,
  customer_id varchar(255) not null, test_clock_id varchar(255), position bigserial,
  primary key (id),
  constraint resource_claim_release_reason_check check (release_reason in ('released', 'subscription_canceled', 'scheduled_cancellation', 'expired')),
  constraint resource_claim_released check ((released_at is null) = (release_reason is null))
);
create index resource_claim_due on resource_claim (test_clock_id, expired_at, subscription_id) where ((released_at is null) and (expired_at is not null));
create unique index resource_claim_external_id_unique on resource_claim (subscription_id, resource_id, external_id) where ((released_at is null) and (external_id is not null));
create index resource_claim_page on resource_claim (pricing_model_id, created_at, position, id);
create index resource_claim_subscription on resource_claim (subscription_id, created_at, position, id);
create index resource_claim_unreleased on resource_claim (subscription_id, resource_id, external_id, claimed_at, position) where (released_at is null);

create table resource_claim_count (
  subscription_id varchar(255) not null, resource_id varchar(255) not null, expires_at timestamptz(3) not null,
  claimed bigint not null,
  primary key (subscription_id, resource_id, expires_at),
  constraint resource_claim_count_range check (claimed >= 0)
);

create table reservation (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, pricing_model_id varchar(255) not null,
  subscription_id varchar(255) not null, resource_id varchar(255) not null, status text not null default 'held',
  quantity bigint not null, external_ids jsonb, metadata jsonb, expires_at timestamptz(3) not null, settled_at timestamptz(3),
  claim_ids jsonb, customer_id varchar(255) not null, test_clock_id varchar(255), usage_meter_id varchar(255),
  usage_amount numeric, usage_event_id varchar(255), balance_id varchar(255), position bigserial,
  primary key (id),
  constraint reservation_range check ((quantity >= 0) and (expires_at > created_at)),
  constraint reservation_settled check ((status = 'held') = (settled_at is null)),
  constraint reservation_status_check check (status in ('held', 'confirmed', 'released', 'expired')),
  constraint reservation_usage check ((num_nonnulls(usage_meter_id, usage_amount, balance_id) in (0, 3)) and (usage_amount > 0))
);
create index reservation_balance on reservation (balance_id, expires_at) where ((status = 'held') and (balance_id is not null));
create index reservation_due on reservation (test_clock_id, expires_at, id) where (status = 'held');
create index reservation_held on reservation (subscription_id, resource_id, expires_at) where (status = 'held');
create index reservation_page on reservation (pricing_model_id, created_at, position, id);
create index reservation_subscription on reservation (subscription_id, created_at, position, id);
