-- Stores the MRR of subscriptions whose items have begun or ended by their dates since the last change, up to a number
-- of them. Rows that are locked are left for the next call. Returns how many there were.
create or replace function apply_planned_mrr(present timestamptz, most int)
returns int
language plpgsql as $$
declare
  due record;
  applied int := 0;
begin
  for due in
    select s.id, coalesce(clock.frozen_time, present) as moment
    from subscription s left join test_clock clock on clock.id = s.test_clock_id
    where s.mrr_changes_at <= coalesce(clock.frozen_time, present)
      and s.organization_id not in (select absent.organization_id from absent_organizations() absent)
    order by s.id limit most for no key update of s skip locked
  loop
    perform set_current_mrr(due.id, due.moment);
    applied := applied + 1;
  end loop;
  return applied;
end $$;
