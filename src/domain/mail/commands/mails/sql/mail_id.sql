-- Returns the id of the mail of a kind about an event: a digest of both, so that it exists once.
create or replace function mail_id(kind text, event_id text)
returns text
language sql immutable as $$
  select 'mail_' || left(regexp_replace(
    encode(sha256(convert_to(kind || event_id, 'utf8')), 'base64'), '[^0-9A-Za-z]', '', 'g'), ${idLength})
$$;
