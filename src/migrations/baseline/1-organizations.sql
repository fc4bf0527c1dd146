-- Organizations, their settings and keys, and pricing models.
create extension if not exists btree_gist;
create sequence total_slot as int cycle;
create sequence event_position;
create sequence usage_event_position_seq;

create table organization (
  id varchar(255) not null, created_at timestamptz(3) not null, currency varchar(3) not null default 'USD',
  primary key (id)
);

create table organization_settings (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1,
  livemode boolean not null, organization_id varchar(255) not null, name varchar(255) not null,
  allow_multiple_subscriptions_per_customer boolean not null default false, document_secret text not null,
  dunning_retry_days jsonb not null default '[3, 5, 5]', dunning_final_action text not null default 'unpaid',
  proration_credit text not null default 'none', tax_type text, tax_rate_percentage varchar(255),
  tax_inclusive boolean not null default false, tax_country varchar(2), tax_state varchar(255),
  document_links_valid_from timestamptz(3), position bigserial,
  primary key (id),
  constraint organization_settings_mode_unique unique (organization_id, livemode),
  constraint organization_settings_dunning_final_action_check check (dunning_final_action in ('cancel', 'unpaid')),
  constraint organization_settings_proration_credit_check check (proration_credit in ('none', 'balance')),
  constraint organization_settings_tax_type_check check (tax_type in ('amusement_tax', 'communications_tax', 'gst', 'hst', 'igst', 'jct', 'lease_tax', 'pst', 'qst', 'rst', 'sales_tax', 'vat', 'none'))
);

create table api_key (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
  organization_id varchar(255) not null, pricing_model_id varchar(255) not null, name varchar(255) not null,
  token varchar(255) not null, type text not null, active boolean not null default true, expires_at timestamptz(3),
  idp_hosted_billing_user_id varchar(255), hash_text varchar(64) not null, version int not null default 1, position bigserial,
  primary key (id),
  constraint api_key_hash_text_unique unique (hash_text),
  constraint api_key_type_check check (type in ('secret', 'publishable'))
);

create table idempotency_key (
  key varchar(255) not null, created_at timestamptz(3) not null, fingerprint varchar(64) not null,
  pricing_model_id varchar(255) not null, progress jsonb, answer text,
  primary key (pricing_model_id, key),
  constraint idempotency_key_done check ((answer is not null) or (progress is not null))
);
create index idempotency_key_age on idempotency_key (created_at);

create table secrets_key (
  id varchar(255) not null, created_at timestamptz(3) not null,
  primary key (id)
);

create table pricing_model (
  id varchar(255) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null, livemode boolean not null,
  organization_id varchar(255) not null, name varchar(255) not null, is_default boolean not null, version int not null default 1,
  position bigserial,
  primary key (id),
  constraint pricing_model_tenant_unique unique (id, organization_id, livemode)
);
create unique index pricing_model_default_unique on pricing_model (organization_id, livemode) where (is_default = true);
create unique index pricing_model_live_unique on pricing_model (organization_id) where (livemode = true);
