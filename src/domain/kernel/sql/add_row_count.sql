-- Adds to the row counter of a table and pricing model. Concurrent writers update different slots, so that they
-- never wait for each other; a new slot is inserted when all are locked.
create or replace function add_row_count(counted text, model text, more bigint)
returns void
language plpgsql as $$
begin
  update row_count set rows = rows + more
  where relation = counted and pricing_model_id = model and slot = (
    select slot from row_count where relation = counted and pricing_model_id = model
    order by slot limit 1 for update skip locked);
  if not found then
    insert into row_count (relation, pricing_model_id, organization_id, slot, rows)
    select counted, id, organization_id, nextval('total_slot'), more from pricing_model where id = model;
  end if;
end $$;
