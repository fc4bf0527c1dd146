import pg from 'pg';

const workers = 4;
const tables = ['invoice', 'invoice_line_item', 'payment', 'sandbox_charge'] as const;

/** The columns of a copied row that are unique, or lead to another copied row. */
const changes: Readonly<Record<(typeof tables)[number], string>> = {
  invoice: `'id', $1::text, 'invoice_number', $1::text, 'billing_period_id', $1::text`,
  invoice_line_item: `'id', $1::text || r.id, 'invoice_id', $1::text`,
  payment: `'id', $1::text, 'idempotency_key', $1::text, 'invoice_id', $1::text`,
  sandbox_charge: `'idempotency_key', $1::text`,
};

/** Writes the rows of an executed run, with all lines of its invoice, in one transaction for each copy. */
export async function bareSeconds(
  databaseUrl: string,
  invoiceId: string,
  count: number,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: workers });
  const rowsOf = {
    invoice: 'select * from invoice where id = $1',
    invoice_line_item: 'select * from invoice_line_item where invoice_id = $1',
    payment: 'select * from payment where invoice_id = $1',
    sandbox_charge: `select c.* from sandbox_charge c join payment p using (idempotency_key) where p.invoice_id = $1`,
  };
  try {
    for (const table of tables) {
      await pool.query(`drop table if exists bare_${table}, pattern_${table}`);
      await pool.query(`create table bare_${table} (like ${table} including indexes)`);
      await pool.query(`create table pattern_${table} (like ${table})`);
      await pool.query(`insert into pattern_${table} ${rowsOf[table]}`, [invoiceId]);
    }
    const queue = Array.from({ length: count }).keys();
    const began = performance.now();
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (const _ of queue) await bareRun(pool);
      }),
    );
    return (performance.now() - began) / 1_000;
  } finally {
    await pool.end();
  }
}

async function bareRun(pool: pg.Pool) {
  const key = crypto.randomUUID();
  const client = await pool.connect();
  const put = (table: (typeof tables)[number]) =>
    client.query({
      name: `put-${table}`,
      text: `insert into bare_${table} select copy.* from pattern_${table} r,
        jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object(${changes[table]})) copy`,
      values: [key],
    });
  try {
    await client.query('begin');
    await client.query(
      'select from customer where id = (select id from customer limit 1) for share',
    );
    for (const table of tables) await put(table);
    await client.query({
      name: 'paid',
      text: `update bare_invoice set status = 'paid' where id = $1`,
      values: [key],
    });
    await client.query('commit');
  } finally {
    client.release();
  }
}
