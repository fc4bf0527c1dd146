-- Trigger function: refuses a change of a row of an organization that is frozen or elsewhere, whichever process makes it.
-- Each transaction that changes rows of a moving organization shares its lock until its end, so a process that has
-- the lock alone knows that none is under way. The state is read by a statement of its own: its snapshot is newer than the lock.
-- The argument is the organization.
create or replace function fence_organization()
returns trigger
language plpgsql as $$
declare
  is_free boolean;
begin
  is_free := pg_try_advisory_xact_lock_shared(${moveLock}, hashtext(tg_argv[0]));
  if not is_free or exists (
    select from organization_move where organization_id = tg_argv[0] and state in ('moved', 'arriving'))
  then
    raise exception 'Organization % is being moved to another cell', tg_argv[0] using errcode = '57M01';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
