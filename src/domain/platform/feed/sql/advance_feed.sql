-- Sequences committed events of an organization in one mode, and returns their number, the last sequence of its feed,
-- and whether an event after sequence `after` is of interest: of one of the types, or of one of the pricing models; null
-- for all.
create or replace function advance_feed(largest int, of_organization text, of_mode boolean, after bigint,
  types text[], models text[])
returns table (given int, last bigint, wanted boolean)
language plpgsql as $$
begin
  given := sequence_events(largest, of_organization, of_mode);
  last := coalesce((select h.sequence from event_head h
    where h.organization_id = of_organization and h.livemode = of_mode), 0);
  wanted := last > after and (models is null or exists (
    select 1 from event e
    where e.organization_id = of_organization and e.livemode = of_mode and e.sequence > after and e.sequence <= last
      and (e.pricing_model_id = any(models) or e.type = any(types))));
  return next;
end $$;
