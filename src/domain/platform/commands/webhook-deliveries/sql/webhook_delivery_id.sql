-- Returns the id of the delivery of an event to a webhook: a digest of both, so that it exists once.
create or replace function webhook_delivery_id(webhook_id text, event_id text)
returns text
language sql immutable as $$
  select 'webhook_delivery_' || left(regexp_replace(
    encode(sha256(convert_to(webhook_id || event_id, 'utf8')), 'base64'), '[^0-9A-Za-z]', '', 'g'), ${idLength})
$$;
