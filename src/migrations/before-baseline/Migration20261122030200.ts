import { Migration } from '@mikro-orm/migrations';

/**
 * Idempotency keys belong to a pricing model, and their rows are written by the transaction that does the work. An
 * answer that was kept before is of another form: its key stays used for its 24 hours, so that nothing is done
 * twice, and answers a refusal that says so. A try that was not committed leaves no row.
 */
export class Migration20261122030200 extends Migration {
  override up() {
    this.addSql(`alter table "idempotency_key" add column "pricing_model_id" varchar(255) null, add column "progress" jsonb null, add column "answer" text null;`);
    this.addSql(`update "idempotency_key" k set pricing_model_id = a.pricing_model_id from "api_key" a where a.id = k.api_key_id;`);
    this.addSql(`delete from "idempotency_key" where pricing_model_id is null or (status is null and not committed);`);
    this.addSql(`delete from "idempotency_key" k using "idempotency_key" newer
      where newer.pricing_model_id = k.pricing_model_id and newer.key = k.key
        and (newer.created_at, newer.api_key_id) > (k.created_at, k.api_key_id);`);
    this.addSql(`update "idempotency_key" set answer = '{"data":null,"errors":[{"message":"This Idempotency-Key was used before the service was upgraded, and the answer is no longer available: read the object before you try again with a new key","extensions":{"code":"CONFLICT"}}]}';`);
    this.addSql(`alter table "idempotency_key" drop constraint "idempotency_key_pkey";`);
    this.addSql(`alter table "idempotency_key" drop column "api_key_id", drop column "attempt", drop column "leased_until", drop column "committed", drop column "status", drop column "headers", drop column "body", alter column "pricing_model_id" set not null;`);
    this.addSql(`alter table "idempotency_key" add constraint "idempotency_key_pkey" primary key ("pricing_model_id", "key");`);
    this.addSql(`alter table "idempotency_key" add constraint "idempotency_key_done" check (answer is not null or progress is not null);`);
    this.addSql(`create function lock_idempotency_key(model text, wanted text)
returns table (fingerprint text, progress jsonb, answer text) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(model || ' ' || wanted, 7011447002));
  -- A statement of its own, so that it sees what the holder before has committed.
  delete from idempotency_key as k where k.pricing_model_id = model and k.key = wanted
    and k.created_at < now() - interval '24 hours';
  return query select k.fingerprint::text, k.progress, k.answer from idempotency_key as k
    where k.pricing_model_id = model and k.key = wanted;
end $$`);
  }
}
