-- Locks an idempotency key until the transaction ends, and returns what is stored for it, if it is not older than
-- ${answersKeptHours} hours.
create or replace function lock_idempotency_key(model text, wanted text)
returns table (fingerprint text, progress jsonb, answer text)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(model || ' ' || wanted, 7011447002));
  -- A separate statement after the lock, so that it sees what the previous lock holder has committed.
  delete from idempotency_key as k where k.pricing_model_id = model and k.key = wanted
    and k.created_at < now() - interval '${answersKeptHours} hours';
  return query select k.fingerprint::text, k.progress, k.answer from idempotency_key as k
    where k.pricing_model_id = model and k.key = wanted;
end $$;
