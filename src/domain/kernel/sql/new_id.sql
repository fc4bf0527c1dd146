-- Returns a new id: the prefix, `_` and ${idLength} characters of 0-9A-Za-z. As in `newId` of kernel/ids.ts the first ones
-- tell the instant, here 11 in base 16, and the others are random.
create or replace function new_id(prefix text)
returns text
language sql as $$
  select prefix || '_' || lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 11, '0')
    || left(translate(encode(sha256(uuid_send(gen_random_uuid())), 'base64'), '+/=', ''), ${idLength} - 11)
$$;
