-- Splits the cause that SQL functions pass on, `<actor type> <actor id> <request or job> <cause as JSON>`, into the columns
-- of an event, and writes the row of the cause. The text is built by `originText` in rules/feed/origin.ts; no part before
-- the JSON contains a space. Statements that write many events call it once.
create or replace function keep_origin(origin text)
returns table (actor_type text, actor_id text, cause_id text, cause text)
language plpgsql as $$
declare
  parts constant text[] := string_to_array(split_part(origin, '{', 1), ' ');
  given constant jsonb := nullif(substr(origin, length(split_part(origin, '{', 1)) + 1), '')::jsonb;
begin
  if given is not null then
    insert into cause (id, livemode, organization_id, pricing_model_id, actor_type, actor_id, request_id, cron_run_id,
      subject_id, operation, idempotency_key, address)
    values (given ->> 'id', (given ->> 'livemode')::boolean, given ->> 'organizationId', given ->> 'pricingModelId',
      given ->> 'actorType', given ->> 'actorId', given ->> 'requestId', given ->> 'cronRunId', given ->> 'subjectId',
      nullif(given -> 'operation', 'null'), given ->> 'idempotencyKey', given ->> 'address')
    on conflict (id) do nothing;
  end if;
  return query select parts[1], parts[2], nullif(parts[3], ''), given ->> 'id';
end $$;
