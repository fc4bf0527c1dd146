-- Trigger function: records the MRR of a subscription after a change of it or of one of its items. The instant of the
-- change is that of the row.
create or replace function count_mrr()
returns trigger
language plpgsql as $$
begin
  if tg_table_name = 'subscription' then
    perform record_mrr(new.id, new.updated_at);
  else
    perform record_mrr(new.subscription_id, new.updated_at);
  end if;
  return null;
end $$;
