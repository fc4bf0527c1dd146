-- Discounts have parts of a percent, months, hyphens in codes, and a limit for each customer. A subscription has
-- one after another.
alter table "discount" alter column "amount" type numeric(20,4),
  add "number_of_months" bigint null, add "redemption_limit_per_customer" bigint null;

alter table "discount" drop constraint if exists "discount_code_form", add constraint "discount_code_form" check (code ~ '^[A-Z0-9_-]{2,64}$');

alter table "discount" drop constraint if exists "discount_amount", add constraint "discount_amount" check (amount > 0 and (amount_type = 'percent' or amount = trunc(amount)));

alter table "discount" drop constraint if exists "discount_duration_check", add constraint "discount_duration_check" check (duration in ('once', 'forever', 'number_of_payments', 'number_of_months'));

alter table "discount" drop constraint if exists "discount_months", add constraint "discount_months" check ((duration = 'number_of_months') = (number_of_months is not null) and number_of_months > 0);

alter table "discount" drop constraint if exists "discount_customer_limit", add constraint "discount_customer_limit" check (redemption_limit_per_customer > 0);

alter table "discount_redemption" alter column "amount" type numeric(20,4),
  add "number_of_months" bigint null, add "ends_at" timestamptz(3) null,
  add "reduces_after" timestamptz(3) null, add "removed_at" timestamptz(3) null,
  add "customer_place" bigint null, add "customer_limit" bigint null;

update discount_redemption r set customer_place = p.place from (
  select id, row_number() over (
    partition by discount_id, customer_id, released_at is null order by created_at, position, id
  ) as place from discount_redemption) p where p.id = r.id;

alter table "discount_redemption" alter column "customer_place" set not null;

alter table "discount_redemption" drop constraint if exists "discount_redemption_duration_check", add constraint "discount_redemption_duration_check" check (duration in ('once', 'forever', 'number_of_payments', 'number_of_months'));

alter table "discount_redemption" drop constraint if exists "discount_redemption_terms", add constraint "discount_redemption_terms" check (amount > 0 and (amount_type = 'fixed') = (currency is not null)
    and (amount_type = 'percent' or amount = trunc(amount))
    and (duration = 'number_of_payments') = (number_of_payments is not null)
    and (duration = 'number_of_months') = (number_of_months is not null and ends_at is not null));

alter table "discount_redemption" drop constraint if exists "discount_redemption_customer_limit", add constraint "discount_redemption_customer_limit" check (customer_place > 0 and customer_place <= customer_limit);

drop index "discount_redemption_subscription_unique";

create unique index "discount_redemption_subscription_unique"
  on "discount_redemption" ("subscription_id") where "subscription_id" is not null and "removed_at" is null;

create unique index "discount_redemption_place_unique"
  on "discount_redemption" ("discount_id", "customer_id", "customer_place") where "released_at" is null;
