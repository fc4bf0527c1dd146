-- Returns a new id: the prefix, `_` and ${idLength} random characters of 0-9A-Za-z, as `newId` in kernel/ids.ts.
create or replace function new_id(prefix text)
returns text
language sql as $$
  select prefix || '_' || left(translate(encode(sha256(uuid_send(gen_random_uuid())), 'base64'), '+/=', ''), ${idLength})
$$;
