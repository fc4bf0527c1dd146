-- Returns the organizations and modes that have events without a sequence. Each costs one look into the index, however
-- many events it has.
create or replace function unsequenced_feeds()
returns table (organization_id text, livemode boolean)
language sql stable as $$
  with recursive feed as (
    (select e.organization_id, e.livemode from event e where e.sequence is null
     order by e.organization_id, e.livemode limit 1)
    union all
    select next.organization_id, next.livemode from feed cross join lateral (
      select e.organization_id, e.livemode from event e
      where e.sequence is null and (e.organization_id, e.livemode) > (feed.organization_id, feed.livemode)
      order by e.organization_id, e.livemode limit 1) as next
  )
  select feed.organization_id::text, feed.livemode from feed
  where feed.organization_id not in (select absent.organization_id from absent_organizations() absent)
$$;
