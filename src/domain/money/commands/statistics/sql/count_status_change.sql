-- Trigger function: adds a change of status to the series of both statuses on its day; a removed one is subtracted.
create or replace function count_status_change()
returns trigger
language plpgsql as $$
declare
  change record;
begin
  for change in
    select counted.pricing_model_id, counted.at, status, sum(more)::int as more
    from (
      select new.pricing_model_id, new.at, new.status_after, 1 where tg_op <> 'DELETE'
      union all select new.pricing_model_id, new.at, new.status_before, -1 where tg_op <> 'DELETE'
      union all select old.pricing_model_id, old.at, old.status_after, -1 where tg_op <> 'INSERT'
      union all select old.pricing_model_id, old.at, old.status_before, 1 where tg_op <> 'INSERT'
    ) counted (pricing_model_id, at, status, more)
    where status is not null group by 1, 2, 3 having sum(more) <> 0
  loop
    perform add_statistic(change.pricing_model_id, 'status_' || change.status, '', '', change.at, change.more, 0);
  end loop;
  return null;
end $$;
