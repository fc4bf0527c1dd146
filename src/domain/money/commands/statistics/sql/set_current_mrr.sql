-- Stores the MRR of a subscription at an instant, rounded once, half up, and the next instant at which it is planned to
-- change. Its statements see what concurrent writers have committed before the row was locked.
create or replace function set_current_mrr(changed_id text, moment timestamptz)
returns void
language plpgsql as $$
begin
  update subscription set
    mrr = (
      select coalesce(round(round(sum(amount_after), 6)), 0) from (
        select distinct on (product_id) amount_after from mrr_change
        where subscription_id = changed_id and at <= moment order by product_id, at desc) levels),
    mrr_changes_at = (select min(at) from mrr_change where subscription_id = changed_id and at > moment)
  where id = changed_id;
end $$;
