import type pg from 'pg';

const portion = 100_000;

const firstNames =
  'Ada Alan Anders Anna Barbara Ben Boris Carl Clara Dana David Edith Elena Emil Eva Felix Frida Grace Hanna Hugo Ines Ivan Jan Judith Karl Lena Lisa Marie Max Nina Olga Omar Paula Peter Ruth Sara Theo Uma Vera Walter';
const lastNames =
  'Abel Adler Bauer Becker Berg Brandt Carter Cohen Dietrich Dupont Engel Evans Fischer Foster Garcia Gruber Haas Hansen Hopper Ivanov Jansen Jones Keller Klein Kowalski Lang Lopez Lovelace Meyer Miller Nagy Novak Olsen Ortiz Peters Popov Quinn Reyes Rossi Russo Sato Schmidt Silva Smith Tanaka Turing Ueda Unger Varga Vogel Wagner Weber Wong Yamada Young Zhang Ziegler';

/** The columns of every row, for the one customer, price and tenant that a customer's row names. */
const row = `now() - (n % 700000) * interval '1 minute', now(), false, o.organization_id, o.id`;
const columns = 'created_at, updated_at, livemode, organization_id, pricing_model_id';
const from = `from generate_series($2::int, $3::int) n cross join (select * from pricing_model where id = $1) o`;
const picked = (n: string, values: string) =>
  `(string_to_array('${values}', ' '))[1 + abs(hashint4(${n})) % ${values.split(' ').length}]`;

/** Statements that fill the tables, in their order; the parameters are the pricing model and a range of numbers. */
const statements: Readonly<Record<string, string>> = {
  customer: `insert into customer (id, ${columns}, email, currency, name, invoice_number_base, external_id, domain)
    select 'cust_' || o.id || n, ${row}, lower(first || '.' || last) || n || '@' || lower(last) || n % 5000 || '.example', 'USD',
      case when n % 40000 = 7 then 'Xqerxes ' when n % 400 = 3 then 'Zoe ' else first || ' ' end || last,
      lpad(to_hex(n), 7, '0'), 'user-' || md5(n::text), lower(last) || n % 5000 || '.example'
    ${from} cross join lateral (select ${picked('n', firstNames)} as first, ${picked('n + 7', lastNames)} as last) named`,
  subscription: `insert into subscription (id, ${columns}, currency, start_date, customer_id, price_id, status, is_free_plan,
      do_not_charge, run_billing_at_period_start, renews, interval, interval_count, sole, metadata,
      billing_cycle_anchor_date, current_billing_period_start, current_billing_period_end, canceled_at, mrr)
    select 'sub_' || o.id || n, ${row}, 'USD', now(), 'cust_' || o.id || n, (select id from price limit 1),
      case when n % 500 = 1 then 'past_due' when n % 10 = 0 then 'canceled' else 'active' end,
      false, false, true, true, 'month', 1, true, jsonb_build_object('seat', n % 1000), now(), now(),
      now() + (n % 43200) * interval '1 minute', case when n % 500 <> 1 and n % 10 = 0 then now() end,
      case when n % 10 = 0 then 0 else abs(hashint4(n)) % 100000 end ${from}`,
  invoice: `insert into invoice (id, ${columns}, customer_id, invoice_number, invoice_date, due_date, status, type, purpose, currency,
      subtotal, total)
    select 'inv_' || o.id || n, ${row}, 'cust_' || o.id || n, lpad(to_hex(n), 7, '0') || '-00001',
      now() - (n % 700000) * interval '1 minute', now() - (n % 700000 - 20000) * interval '1 minute',
      case when n % 100 = 1 then 'open' when n % 50 = 2 then 'void' else 'paid' end, 'standalone', 'manual', 'USD',
      abs(hashint4(n)) % 100000, abs(hashint4(n)) % 100000 ${from}`,
  payment: `insert into payment (id, ${columns}, invoice_id, amount, payment_method, currency, status, charge_date,
      customer_id, tax_amount, subtotal, idempotency_key, failure_code)
    select 'pym_' || o.id || n, ${row}, 'inv_' || o.id || n, 1 + abs(hashint4(n)) % 100000, 'card', 'USD',
      case when n % 50 = 1 then 'failed' else 'succeeded' end, now() - (n % 700000) * interval '1 minute',
      'cust_' || o.id || n, 0, 1, o.id || n, case when n % 50 = 1 then 'card_declined' end ${from}`,
  usage_event: `with made as (
      select 'usage_event_' || substr(md5(o.id || n), 1, 21) as id, n, o.id as model, o.organization_id,
        date_trunc('hour', now()) - (n % 28800) * interval '1 minute' as at ${from}),
    keys as (
      insert into usage_event_key (id, organization_id, created_at, position, recorded_at)
      select id, organization_id, at, n, now() from made)
    insert into usage_event (pricing_model_id, created_at, position, id, recorded_at, updated_at, livemode, organization_id, customer_id,
      subscription_id, usage_meter_id, price_id, amount, usage_date, transaction_id, properties)
    select model, at, n, id, now(), now(), false, organization_id, 'cust_' || model || n % 1000,
      'sub_' || model || n % 1000, 'usage_meter_stored', 'price_stored', 1, at, md5(n::text), '{"region":"eu"}' from made`,
};

interface Index {
  readonly name: string;
  readonly definition: string;
}

/** Fills each table up to a number of rows of a pricing model: without triggers, and with the indexes afterwards. */
export async function storeLists(pool: pg.Pool, pricingModelId: string, rows: number) {
  await pool.query(`set session_replication_role = replica; set maintenance_work_mem = '1GB'`);
  for (const [table, sql] of Object.entries(statements)) {
    const started = performance.now();
    const indexes = rows > portion && table !== 'usage_event' ? await dropIndexes(pool, table) : [];
    for (let from = 1; from <= rows; from += portion) {
      await pool.query(sql, [pricingModelId, from, Math.min(rows, from + portion - 1)]);
    }
    for (const { definition } of indexes) await pool.query(definition);
    await pool.query(
      `insert into row_count (relation, pricing_model_id, organization_id, slot, rows)
       select $1, id, organization_id, 1000000, $3 from pricing_model where id = $2`,
      [table, pricingModelId, rows],
    );
    await pool.query(`vacuum (analyze) "${table}"`);
    const took = Math.round((performance.now() - started) / 1000);
    process.stderr.write(`${table}: ${rows} rows in ${took} s\n`);
  }
}

/** Drops the indexes of a table that belong to no constraint. */
async function dropIndexes(pool: pg.Pool, table: string): Promise<Index[]> {
  const { rows } = await pool.query<Index>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { name } of rows) await pool.query(`drop index ${name}`);
  return rows;
}
