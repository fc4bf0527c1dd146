-- The way in which a cancellation returns unused time, and periods that an end within their billing cycle
-- shortens.
alter table "subscription" add "cancellation_credit" text null,
  add constraint "subscription_cancellation_credit_check" check ("cancellation_credit" in ('none', 'balance', 'refund')),
  add constraint "subscription_cancellation_credit" check (cancellation_credit is null or cancel_scheduled_at is not null);

alter table "billing_period" add "cycle_end" timestamptz(3) null,
  add constraint "billing_period_shortened" check (cycle_end is null or cycle_end > end_date and not trial_period);
