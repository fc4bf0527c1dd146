alter table "feature" add "per" text null,
  add constraint "feature_per_check" check (per in ('item', 'subscription'));

alter table "subscription_item_feature" add "per" text null,
  add constraint "subscription_item_feature_per_check" check (per in ('item', 'subscription'));

update "feature" set "per" = 'item' where "type" = 'usage_credit_grant';

alter table "feature"
  add constraint "feature_per" check ((type = 'usage_credit_grant') = (per is not null));
