import pg from 'pg';

/** The tables in which an import writes rows for each customer. */
const tables = [
  'customer',
  'payment_method',
  'subscription',
  'subscription_item',
  'billing_period',
  'billing_period_item',
  'event',
] as const;
const pageSize = 50;
const most = 5_000;

/**
 * The baseline: inserts the rows that an import has written into tables with the same indexes, with a transaction for 50
 * customers and one statement a table. Returns the customers and the seconds of the insertions.
 */
export async function bareImport(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const table of tables)
      await client.query(`create table bare_${table} (like ${table} including all)`);
    const { rows } = await client.query(
      `select id from customer where external_id like 'own-%' order by id limit $1`,
      [most],
    );
    const ids = rows.map(({ id }) => id as string);
    let milliseconds = 0;
    for (let from = 0; from < ids.length; from += pageSize) {
      const texts = await pageOf(client, ids.slice(from, from + pageSize));
      const began = performance.now();
      await client.query('begin');
      for (const [table, text] of texts) {
        await client.query({
          name: table,
          text: `insert into bare_${table} select * from jsonb_populate_recordset(null::bare_${table}, $1)`,
          values: [text],
        });
      }
      await client.query('commit');
      milliseconds += performance.now() - began;
    }
    return { customers: ids.length, seconds: milliseconds / 1_000 };
  } finally {
    await client.end();
  }
}

/** The rows of some customers, as JSON by table. */
async function pageOf(client: pg.Client, customers: readonly string[]) {
  const of: Record<(typeof tables)[number], string> = {
    customer: 'id = any($1)',
    payment_method: 'customer_id = any($1)',
    subscription: 'customer_id = any($1)',
    subscription_item: 'customer_id = any($1)',
    billing_period: 'customer_id = any($1)',
    billing_period_item:
      'billing_period_id in (select id from billing_period where customer_id = any($1))',
    event: 'customer_id = any($1)',
  };
  const texts: [string, string][] = [];
  for (const table of tables) {
    const { rows } = await client.query(
      `select coalesce(jsonb_agg(t), '[]')::text as rows from ${table} t where ${of[table]}`,
      [customers],
    );
    texts.push([table, rows[0].rows]);
  }
  return texts;
}
