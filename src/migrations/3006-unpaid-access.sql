-- Subscriptions that are unpaid already keep their access; those of the organization's setting follow with a
-- period.
alter table "organization_settings" add "unpaid_access" text not null default 'no_new_credits',
  add constraint "organization_settings_unpaid_access_check" check (unpaid_access in ('keep', 'no_new_credits', 'none'));

alter table "subscription" add "unpaid_access" text null, add "unpaid_at" timestamptz(3) null,
  add constraint "subscription_unpaid_access_check" check (unpaid_access in ('keep', 'no_new_credits', 'none'));

update "subscription" set "unpaid_access" = 'no_new_credits', "unpaid_at" = "updated_at" where "status" = 'unpaid';

alter table "subscription" add constraint "subscription_unpaid" check (
  num_nonnulls(unpaid_access, unpaid_at) in (0, 2) and (status <> 'unpaid' or unpaid_at is not null)
  and (unpaid_at is null or status in ('unpaid', 'cancellation_scheduled', 'paused')));
