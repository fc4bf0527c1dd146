-- Trigger function: adds the rows that a statement inserts or deletes to the row counters of their pricing model.
create or replace function count_rows()
returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_row_count(tg_table_name, pricing_model_id, count(*)) from added group by pricing_model_id;
  else
    perform add_row_count(tg_table_name, pricing_model_id, -count(*)) from removed group by pricing_model_id;
  end if;
  return null;
end $$;
