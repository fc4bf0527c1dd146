import type pg from 'pg';

const portion = 250_000;

/** Fills the tables of the service up to a number of events of other customers of its pricing model. */
export async function storeUsage(pool: pg.Pool, events: number) {
  for (let from = 0; from < events; from += portion) {
    await pool.query(
      `with made as (
         select 'usage_event_' || substr(md5(n::text || 'x'), 1, 21) as id, n
         from generate_series($1::int, $2::int) n),
       keys as (
         insert into usage_event_key (id, organization_id, created_at, recorded_at)
         select made.id, o.id, now() - interval '1 hour', now() from made, (select id from organization limit 1) o order by 1)
       insert into usage_event (pricing_model_id, created_at, id, recorded_at, updated_at, livemode, organization_id,
         customer_id, subscription_id, usage_meter_id, price_id, billing_period_id, amount, usage_date,
         transaction_id, properties)
       select s.pricing_model_id, now() - interval '1 hour', made.id, now(), now(), s.livemode, s.organization_id,
         s.customer_id, 'sub_stored_' || made.n % 1000, 'usage_meter_stored', 'price_stored', null, 1, now(),
         md5(made.n::text), '{"region":"eu","status":200}'
       from made, lateral (select * from subscription limit 1) s`,
      [from + 1, Math.min(events, from + portion)],
    );
  }
  await pool.query('vacuum (analyze) usage_event, usage_event_key');
}
