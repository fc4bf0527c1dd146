import pg from 'pg';
import { sealToken } from '#domain/payment-methods/payment-method.ts';
import { executeDueRuns } from '#domain/rules/collection/execute-due-runs.ts';
import { connect } from '#server/database.ts';
import { countStatements } from './count-statements.ts';
import { useSecrets } from './own-secrets.ts';
import { type MeasuredService, startMeasuredService } from './service.ts';

const sizes = [200, 1_000];
const workers = 4;

/**
 * Billing runs in real time that are due at the same instant, all paid by `sandbox_success`. The baseline is a bare
 * `pg` loop that writes the same rows of one run in one transaction, over as many connections.
 */
export async function billingRuns() {
  await using opened = new AsyncDisposableStack();
  useSecrets();
  const measured = opened.use(await startMeasuredService());
  const database = new pg.Client({ connectionString: measured.databaseUrl });
  await database.connect();
  opened.defer(() => database.end());
  const payer = await aPayer(measured);
  const orm = await connect({ databaseUrl: measured.databaseUrl, poolSize: 20 });
  opened.defer(() => orm.close(true));
  await multiply(database, payer, 100);
  await execute();

  const took: number[] = [];
  for (const size of sizes) {
    await multiply(database, payer, size);
    const statements = countStatements();
    const memory = process.memoryUsage().rss;
    const began = performance.now();
    await execute(size);
    const seconds = (performance.now() - began) / 1_000;
    took.push(seconds);
    const each = statements.stop() / size;
    const grown = (process.memoryUsage().rss - memory) / 2 ** 20;
    const bare = await bareSeconds(measured.databaseUrl, size);
    const [ours, theirs] = [size / seconds, size / bare];
    process.stdout.write(
      `${String(size).padStart(6)} runs ${ours.toFixed(0).padStart(5)} runs/s   bare pg ${theirs.toFixed(0)} runs/s   ` +
        `ratio ${(ours / theirs).toFixed(2)}   ${each.toFixed(1)} statements a run   memory +${grown.toFixed(0)} MiB\n`,
    );
  }
  const [few = 1, many = 1] = took;
  process.stdout.write(`growth ${(many / few).toFixed(1)} for 5 times as many (5 is linear)\n`);

  async function execute(expected?: number) {
    const failed = (error: unknown) => {
      throw error;
    };
    const count = await executeDueRuns(orm.em, new Date(), 'bench', failed);
    if (expected !== undefined && count !== expected) throw new Error(`${count} runs were due`);
    const { rows } = await database.query(
      `select count(*)::int as open from billing_run where status <> 'succeeded'`,
    );
    if (rows[0].open > 0) throw new Error(`${rows[0].open} runs have not succeeded`);
  }
}

/** A customer with a paid subscription, whose rows are the pattern for others. */
async function aPayer(service: MeasuredService): Promise<string> {
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  await post('/products', {
    product: { name: 'Pro', slug: 'pro' },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month', slug: 'pro' },
  });
  const customer = { externalId: 'payer', email: 'ada@example.com', name: 'Ada' };
  const made = await post('/customers', { customer });
  const customerId = (made.data ?? made).customer.id;
  const paymentMethod = { customerId, type: 'card', token: 'sandbox_success' };
  const method = await post('/payment-methods', { paymentMethod });
  const defaultPaymentMethodId = method.paymentMethod.id;
  await post('/subscriptions', { customerId, priceSlug: 'pro', defaultPaymentMethodId });
  return customerId;
}

let generation = 0;

/** Copies a customer with its records `count` times; the copies have a run that is due and no invoice. */
async function multiply(database: pg.Client, customerId: string, count: number) {
  const suffix = `'_${++generation}_' || n`;
  const copies: readonly (readonly [table: string, of: string, changes: string])[] = [
    [
      'customer',
      'r.id',
      `'id', r.id || ${suffix}, 'external_id', r.external_id || ${suffix}, 'invoice_count', 0,
       'invoice_number_base', upper(lpad(to_hex(${generation} * 1000000 + n), 7, '0'))`,
    ],
    [
      'payment_method',
      'r.customer_id',
      `'id', r.id || ${suffix}, 'customer_id', r.customer_id || ${suffix}`,
    ],
    [
      'subscription',
      `not r.is_free_plan and r.customer_id`,
      `'id', r.id || ${suffix}, 'customer_id', r.customer_id || ${suffix},
       'default_payment_method_id', r.default_payment_method_id || ${suffix}`,
    ],
    [
      'billing_period',
      'r.id in (select billing_period_id from billing_run) and r.customer_id',
      `'id', r.id || ${suffix}, 'customer_id', r.customer_id || ${suffix},
       'subscription_id', r.subscription_id || ${suffix}`,
    ],
    [
      'billing_run',
      'r.customer_id',
      `'id', r.id || ${suffix}, 'customer_id', r.customer_id || ${suffix},
       'subscription_id', r.subscription_id || ${suffix}, 'billing_period_id', r.billing_period_id || ${suffix},
       'invoice_id', null, 'status', 'scheduled', 'due_at', r.scheduled_for`,
    ],
  ];
  for (const [table, of, changes] of copies) {
    await database.query(
      `insert into ${table} select copy.* from ${table} r, generate_series(1, $2::int) n,
         jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object(${changes})) copy
       where ${of} = $1`,
      [customerId, count],
    );
  }
  await database.query(
    `insert into billing_period_item select copy.* from billing_period_item r
       join billing_run b on b.billing_period_id = r.billing_period_id and b.customer_id = $1, generate_series(1, $2::int) n,
       jsonb_populate_record(null::billing_period_item, to_jsonb(r) || jsonb_build_object('id', r.id || ${suffix},
         'billing_period_id', r.billing_period_id || ${suffix})) copy`,
    [customerId, count],
  );
  await sealTokens(database);
  await database.query('analyze');
}

/** A token is sealed for its payment method, so each copy needs its own. */
async function sealTokens(database: pg.Client) {
  const { rows } = await database.query<{ id: string }>(
    `select id from payment_method where id like '%\\_${generation}\\_%'`,
  );
  const ids = rows.map(({ id }) => id);
  await database.query(
    `update payment_method m set token = sealed.token from unnest($1::text[], $2::text[]) as sealed (id, token)
     where m.id = sealed.id`,
    [ids, ids.map((id) => sealToken(id, 'sandbox_success'))],
  );
}

/** Copies the rows of an existing run, in one transaction for each copy. */
async function bareSeconds(databaseUrl: string, count: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: workers });
  try {
    for (const table of ['invoice', 'invoice_line_item', 'payment', 'sandbox_charge']) {
      await pool.query(
        `create table if not exists bare_${table} (like ${table} including indexes)`,
      );
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
  const put = (table: string, changes: string) =>
    client.query({
      name: `put-${table}`,
      text: `insert into bare_${table} select copy.* from (select * from ${table} limit 1) r,
        jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object(${changes})) copy`,
      values: [key],
    });
  try {
    await client.query('begin');
    await client.query(
      'select from customer where id = (select id from customer limit 1) for share',
    );
    await put(
      'invoice',
      `'id', $1::text, 'invoice_number', $1::text, 'billing_period_id', $1::text`,
    );
    await put('invoice_line_item', `'id', $1::text`);
    await put('payment', `'id', $1::text, 'idempotency_key', $1::text, 'invoice_id', $1::text`);
    await put('sandbox_charge', `'idempotency_key', $1::text`);
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
