-- Trigger function: a process of an earlier version has changed a total without the digest of its events. So the digest
-- is not known any more, and billing reads the events.
create or replace function forget_digest()
returns trigger
language plpgsql as $$
begin
  new.digest := null;
  return new;
end $$;
