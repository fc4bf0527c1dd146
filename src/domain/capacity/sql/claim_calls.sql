-- Parses the calls of a batch from JSON. The fields are written by change-claims.ts.
create or replace function claim_calls(calls jsonb)
returns table (
  place int, verb text, subscription text, model text, slug text, now timestamptz, quantity bigint, names jsonb, ids
  jsonb, metadata jsonb, largest bigint, cause text
)
language sql immutable as $$
  select c.place::int, c.verb, c.subscription, c.model, c.slug, c.now, c.quantity, c.names, c.ids, c.metadata,
    c.largest, c.cause
  from rows from (jsonb_to_recordset(calls) as (verb text, subscription text, model text, slug text,
    now timestamptz, quantity bigint, names jsonb, ids jsonb, metadata jsonb, largest bigint, cause text))
    with ordinality as c (verb, subscription, model, slug, now, quantity, names, ids, metadata, largest, cause, place)
$$;
