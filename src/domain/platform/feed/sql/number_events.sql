-- Reserves the next numbers of a feed for events that the caller writes in the same statement, and returns the number
-- before them. Events that were committed without a number get theirs first. The lock of the head admits one transaction
-- at a time until it commits, so a transaction calls this as its last step. Returns null where the events must be numbered
-- later: an endpoint needs deliveries, or many others wait.
create or replace function number_events(wanted int, of_organization text, of_mode boolean)
returns bigint
language plpgsql as $$
declare
  last bigint;
begin
  if exists (select 1 from webhook where organization_id = of_organization and livemode = of_mode and active) then
    return null;
  end if;
  select sequence into last from event_head
    where organization_id = of_organization and livemode = of_mode for update;
  if last is null or sequence_events(${mostNumberedFirst}, of_organization, of_mode) = ${mostNumberedFirst} then
    return null;
  end if;
  -- An endpoint that was created during the wait gets all events after its own one.
  if exists (select 1 from webhook where organization_id = of_organization and livemode = of_mode and active) then
    return null;
  end if;
  update event_head set sequence = sequence + wanted
    where organization_id = of_organization and livemode = of_mode returning sequence - wanted into last;
  return last;
end $$;
