-- Trigger function: splits the cause that SQL functions write, `<actor type> <actor id> <request or job> <cause as JSON>`,
-- into columns, and writes the row of the cause. The text is built by `originText` in rules/feed/origin.ts; no part
-- before the JSON contains a space.
create or replace function split_origin()
returns trigger
language plpgsql as $$
declare
  origin constant text[] := string_to_array(split_part(new.cause_id, '{', 1), ' ');
  given constant jsonb := nullif(substr(new.cause_id, length(split_part(new.cause_id, '{', 1)) + 1), '')::jsonb;
begin
  new.actor_type := origin[1];
  new.actor_id := origin[2];
  new.cause_id := nullif(origin[3], '');
  new.cause := given ->> 'id';
  if given is null then return new; end if;
  insert into cause (id, livemode, organization_id, pricing_model_id, actor_type, actor_id, request_id, cron_run_id,
    subject_id, operation, idempotency_key, address)
  values (given ->> 'id', (given ->> 'livemode')::boolean, given ->> 'organizationId', given ->> 'pricingModelId',
    given ->> 'actorType', given ->> 'actorId', given ->> 'requestId', given ->> 'cronRunId', given ->> 'subjectId',
    nullif(given -> 'operation', 'null'), given ->> 'idempotencyKey', given ->> 'address')
  on conflict (id) do nothing;
  return new;
end $$;
