-- Sequences committed events, and returns their number, the last sequence of the feed, and whether an event after
-- sequence `after` is of interest: of one of the types, or of one of the pricing models; null for all.
create or replace function advance_feed(largest int, after bigint, types text[], models text[])
returns table (given int, last bigint, wanted boolean)
language plpgsql as $$
begin
  given := sequence_events(largest);
  select h.sequence into last from event_head h where h.id = 1;
  wanted := last > after and (models is null or exists (
    select 1 from event e where e.sequence > after and e.sequence <= last
      and (e.pricing_model_id = any(models) or e.type = any(types))));
  return next;
end $$;
