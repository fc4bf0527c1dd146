import { randomUUID } from 'node:crypto';
import type pg from 'pg';

const size = 1_000;
const connections = 8;

const insert = `insert into bare_usage_event (pricing_model_id, created_at, id, recorded_at, updated_at, livemode,
    organization_id, customer_id, subscription_id, usage_meter_id, price_id, billing_period_id, amount, usage_date,
    transaction_id, properties)
  select 'pricing_model_0', now(), id, now(), now(), false, 'org_0', 'cust_0', subscription_id, 'usage_meter_0',
    'price_0', 'billing_period_0', amount, now(), transaction_id, properties
  from unnest($1::text[], $2::text[], $3::numeric[], $4::text[], $5::jsonb[])
    as e (id, subscription_id, amount, transaction_id, properties)`;

/** Rows a second that a bare driver inserts: the same columns and indexes. */
export async function bareInserts(pool: pg.Pool, seconds: number): Promise<number> {
  await pool.query('drop table if exists bare_usage_event');
  await pool.query('create table bare_usage_event (like usage_event including all)');
  const started = Date.now();
  let rows = 0;
  const connection = async () => {
    while (Date.now() < started + seconds * 1_000) {
      const places = Array.from({ length: size }, (_, place) => place);
      await pool.query({
        name: 'insert',
        text: insert,
        values: [
          places.map(() => randomUUID()),
          places.map((place) => `sub_00000000000000000000${place % 100}`),
          places.map((place) => String((place % 7) + 1)),
          places.map(() => randomUUID()),
          places.map(() => '{"region":"eu","status":200}'),
        ],
      });
      rows += size;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return rows / ((Date.now() - started) / 1_000);
}
