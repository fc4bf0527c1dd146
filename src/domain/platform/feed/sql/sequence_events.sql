-- Assigns feed sequences to committed events of an organization in one mode, in the order in which they were written,
-- and creates the deliveries of each matching webhook and the mails to customers. One process at a time; other organizations do not wait. Returns
-- the number of events, at most `largest`.
create or replace function sequence_events(largest int, of_organization text, of_mode boolean)
returns int
language plpgsql as $$
declare
  last bigint;
  given int;
begin
  if not exists (select 1 from event
    where organization_id = of_organization and livemode = of_mode and sequence is null) then return 0; end if;
  -- The lock of this row admits one process at a time, until it commits.
  select sequence into last from event_head
    where organization_id = of_organization and livemode = of_mode for update;
  if last is null then
    insert into event_head (organization_id, livemode, sequence, purged) values (of_organization, of_mode, 0, 0)
      on conflict do nothing;
    select sequence into last from event_head
      where organization_id = of_organization and livemode = of_mode for update;
  end if;
  if not exists (select 1 from webhook where organization_id = of_organization and livemode = of_mode and active) then
    update event set sequence = place.sequence
      from (select id, last + row_number() over (order by position) as sequence from event
            where organization_id = of_organization and livemode = of_mode and sequence is null
            order by position limit largest) as place
      where event.id = place.id;
    get diagnostics given = row_count;
  else
    with numbered as (
      update event set sequence = place.sequence
        from (select id, last + row_number() over (order by position) as sequence from event
              where organization_id = of_organization and livemode = of_mode and sequence is null
              order by position limit largest) as place
        where event.id = place.id
        returning event.id, event.sequence, event.type, event.object_id, event.livemode, event.organization_id,
          event.pricing_model_id
    ), fanned_out as (
      insert into webhook_delivery (id, created_at, updated_at, livemode, organization_id, pricing_model_id,
        webhook_id, event_id, event_type, sequence, object_id, next_attempt_at)
      select webhook_delivery_id(wanted.webhook_id, id), now(), now(), livemode, organization_id, pricing_model_id,
        wanted.webhook_id, id, type, sequence, object_id, now()
      from (
        -- The lock leaves out a webhook that is being deleted; a delivery to it would fail.
        select w.id as webhook_id, e.* from numbered e join webhook w on w.pricing_model_id = e.pricing_model_id and w.active
        where case when e.type = 'webhook.test' then w.id = e.object_id else e.type = any(w.filter_types) end
        for key share of w) as wanted
    )
    select count(*) into given from numbered;
  end if;
  if given > 0 then perform write_mails(of_organization, of_mode, last, last + given); end if;
  update event_head set sequence = last + given
    where organization_id = of_organization and livemode = of_mode and given > 0;
  return given;
end $$;
