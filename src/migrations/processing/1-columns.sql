-- What payments, refunds and payment methods know of their processor.
alter table organization_settings add payment_action_days int not null default 7;
alter table sandbox_charge add token varchar(255) not null default '', add settles_as text null,
  add settles_at timestamptz(3) null, add organization_id varchar(255) not null default '',
  add payment_id varchar(255) null;
create index sandbox_charge_organization on sandbox_charge (organization_id, charged_at);
alter table sandbox_charge add constraint sandbox_charge_settles_as_check check (settles_as in ('succeeded',
  'failed'));
alter table payment_method add processor varchar(255) not null default 'sandbox',
  add processor_account_id varchar(255) null, add refusal_kind text null,
  add refused_at timestamptz(3) null, add token_hash varchar(64) null;
create index payment_method_token on payment_method (token_hash);
alter table payment_method add constraint payment_method_refusal_kind_check check (refusal_kind in ('soft',
  'hard', 'card_data', 'authentication', 'configuration'));
alter table payment add failure_kind text null, add decline_code varchar(255) null,
  add advice_code varchar(255) null, add network_decline_code varchar(255) null,
  add processor varchar(255) not null default 'sandbox', add processor_account_id varchar(255) null,
  add processor_reference varchar(255) null, add charge_reference varchar(255) null,
  add processor_receipt_url text null, add off_session boolean not null default true, add action_url text null,
  add action_expires_at timestamptz(3) null, add action_reference varchar(255) null,
  add action_page_expires_at timestamptz(3) null, add action_pages int not null default 0,
  add disputed boolean not null default false, add reversed_amount bigint not null default '0',
  add reversed_at timestamptz(3) null;
create index payment_reference on payment (processor_reference);
create index payment_charge_reference on payment (charge_reference);
alter table payment add constraint payment_reversal check (reversed_amount >= 0 and (reversed_amount = 0) = (reversed_at is null));
alter table payment add constraint payment_action check (action_url is null or (status = 'requires_action' and action_expires_at is not null));
alter table payment add constraint payment_failure_kind_check check (failure_kind in ('soft', 'hard',
  'card_data', 'authentication', 'configuration'));
drop index refund_pending;
alter table refund drop constraint refund_status_check;
alter table refund add failure_code varchar(255) null, add origin text not null default 'service',
  add processor_reference varchar(255) null, add settled_at timestamptz(3) null,
  add failed_at timestamptz(3) null, add test_clock_id varchar(255) null,
  add check_due_at timestamptz(3) null;
create index refund_reference on refund (processor_reference);
create index refund_due on refund (test_clock_id, check_due_at, id) where status in ('pending', 'requires_action');
create unique index refund_reference_unique on refund (payment_id,
  processor_reference) where processor_reference is not null;
alter table refund add constraint refund_origin_check check (origin in ('service', 'processor'));
alter table refund add constraint refund_status_check check (status in ('pending', 'requires_action',
  'succeeded', 'failed', 'canceled'));

-- Rows that exist already.
update refund r set test_clock_id = p.test_clock_id,
  check_due_at = case when r.status = 'pending' then r.created_at end,
  settled_at = case when r.status = 'succeeded' then r.updated_at end
  from payment p where p.id = r.payment_id;

-- Rows that exist already.
update refund r set test_clock_id = p.test_clock_id,
  settled_at = case when r.status = 'succeeded' then r.updated_at end
  from payment p where p.id = r.payment_id;
update sandbox_charge set settles_as = 'succeeded', settles_at = charged_at + interval '1 hour'
  where status = 'processing';
