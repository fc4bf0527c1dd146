-- Returns the organizations that this database does not serve now: those that have moved to another cell, that arrive from
-- one, or that are frozen for the last step of their move. The program that moves an organization has its lock, so a
-- program that dies leaves no organization frozen.
create or replace function absent_organizations()
returns table (organization_id text)
language sql stable as $$
  select m.organization_id::text from organization_move m
  where m.state in ('moved', 'arriving') or (m.state = 'frozen' and exists (
    select from pg_locks l
    where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
      and l.classid = ${moveLock} and l.objid = (hashtext(m.organization_id)::bigint & 4294967295)::oid
      and l.mode = 'ExclusiveLock'))
$$;
