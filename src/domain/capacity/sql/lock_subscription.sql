-- Locks a subscription until the transaction ends, and returns it with the present of its clock.
-- The present is never earlier than the last change of the subscription, also where the clock was set back.
-- A pause that keeps the features counts as active. An unpaid one that grants nothing is `withheld`.
-- Lock order: first the test clock, if there is one, then the subscription, as lock-subscription.ts.
create or replace function lock_subscription(of_subscription text, model text, now_at timestamptz)
returns table (
  id text, status text, cancel_at timestamptz, due_at timestamptz, customer text, clock text, organization text,
  live boolean, instant timestamptz
)
language plpgsql as $$
begin
  select s.id, case
      when s.status = 'paused' and s.pause_entitlements <> 'on' then s.status
      when s.unpaid_access = 'none' then 'withheld'
      when s.status = 'paused' then 'active' else s.status end, s.cancel_scheduled_at, s.transition_due_at, s.customer_id, s.organization_id, s.livemode, s.updated_at
    into id, status, cancel_at, due_at, customer, organization, live, instant
    from subscription s where s.id = of_subscription and s.pricing_model_id = model and s.test_clock_id is null
    for no key update;
  if found then
    -- After the lock: a trial or a period may have ended during the wait.
    instant := coalesce(now_at, greatest(date_trunc('milliseconds', clock_timestamp()), instant));
    return next; return;
  end if;
  select s.test_clock_id into clock from subscription s where s.id = of_subscription and s.pricing_model_id = model;
  if clock is null then return; end if;
  select frozen_time into instant from test_clock c where c.id = clock for share;
  select s.id, case
      when s.status = 'paused' and s.pause_entitlements <> 'on' then s.status
      when s.unpaid_access = 'none' then 'withheld'
      when s.status = 'paused' then 'active' else s.status end, s.cancel_scheduled_at, s.transition_due_at, s.customer_id, s.organization_id, s.livemode
    into id, status, cancel_at, due_at, customer, organization, live
    from subscription s where s.id = of_subscription for no key update;
  if found then return next; end if;
end $$;
