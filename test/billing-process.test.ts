import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { jobs } from '#cron/jobs.ts';
import { connect } from '#server/database.ts';
import { preparedUrl } from './support/database.ts';
import { type Running, startService } from './support/process.ts';
import { templateKey } from './support/secrets.ts';

const payers = 8;

test('SIGKILL between the attempt and the charge: the next process charges each run once', async () => {
  const { database, DATABASE_URL, service, subscribe } = await aServiceWithPayers();
  const processor = await aTransaction(DATABASE_URL, 'lock table sandbox_charge');
  const answers = subscribe();
  await eventually(() => count(database, 'payment')).toBe(payers);
  service.kill('SIGKILL');
  await Promise.all([service.ended(), answers]);
  await processor.release();
  expect(await count(database, 'sandbox_charge')).toBe(0);
  await expectAllPaidAfterwards(DATABASE_URL, database);
});

test('SIGKILL between the charge and its outcome: the next process finds the charge, and makes none', async () => {
  const { database, DATABASE_URL, service, subscribe } = await aServiceWithPayers();
  const processor = await aTransaction(DATABASE_URL, 'lock table sandbox_charge');
  const answers = subscribe();
  await eventually(() => count(database, 'payment')).toBe(payers);
  const outcomes = await aTransaction(DATABASE_URL, 'select from customer for update');
  await processor.release();
  await eventually(() => count(database, 'sandbox_charge')).toBe(payers);
  service.kill('SIGKILL');
  await Promise.all([service.ended(), answers]);
  await outcomes.release();
  const before = await database.query('select idempotency_key from sandbox_charge order by 1');
  await expectAllPaidAfterwards(DATABASE_URL, database);
  const after = await database.query('select idempotency_key from sandbox_charge order by 1');
  expect(after.rows).toEqual(before.rows);
});

test('SIGKILL in the midst of charges: a client that asks again is charged once in the end', async () => {
  const { database, DATABASE_URL, service, subscribe } = await aServiceWithPayers();
  const answers = subscribe();
  await eventually(() => count(database, 'sandbox_charge')).toBeGreaterThan(1);
  service.kill('SIGKILL');
  await Promise.all([service.ended(), answers]);
  const next = await startService({ DATABASE_URL, CRON: 'off' });
  // Those who are subscribed are refused, whether they have paid yet or not.
  await subscribe(next);
  await expectAllPaidAfterwards(DATABASE_URL, database);
});

/** A service on a database of its own with customers who have something to pay with. */
async function aServiceWithPayers() {
  const DATABASE_URL = await preparedUrl();
  const service = await startService({ DATABASE_URL, CRON: 'off' });
  const { product } = await post(service, '/products', {
    product: { name: 'Pro', slug: 'pro' },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month', slug: 'pro' },
  });
  expect(product.id).toBeDefined();
  const methods = await Promise.all(
    Array.from({ length: payers }, async (_, place) => {
      const customer = { externalId: `payer-${place}`, email: 'ada@example.com', name: 'Ada' };
      const answer = await post(service, '/customers', { customer });
      const customerId = answer.data?.customer.id ?? answer.customer.id;
      const paymentMethod = { customerId, type: 'card', token: 'sandbox_success' };
      return [
        customerId,
        (await post(service, '/payment-methods', { paymentMethod })).paymentMethod.id,
      ];
    }),
  );
  /** Everybody subscribes at once; who is subscribed already, or gets no answer, is left as it is. */
  const subscribe = (running = service) =>
    Promise.allSettled(
      methods.map(([customerId, defaultPaymentMethodId]) =>
        send(running, '/subscriptions', { customerId, priceSlug: 'pro', defaultPaymentMethodId }),
      ),
    );
  return { service, subscribe, DATABASE_URL, database: await connectTo(DATABASE_URL) };
}

/** The next process, whose jobs find the claims run out. */
async function expectAllPaidAfterwards(DATABASE_URL: string, database: pg.Client) {
  const next = await startService({ DATABASE_URL, CRON: 'off' });
  await database.query(
    `update billing_run set due_at = now() - interval '1 s' where due_at is not null`,
  );
  await database.query(
    `update payment set check_due_at = now() - interval '1 s' where check_due_at is not null`,
  );
  await execute(DATABASE_URL, ['execute-billing-runs', 'check-payments']);
  const { rows } = await database.query(
    `select s.status, r.status as run, i.status as invoice, p.status as payment, c.status as charge, p.amount
     from subscription s join billing_run r on r.subscription_id = s.id join invoice i on i.id = r.invoice_id
     join payment p on p.invoice_id = i.id join sandbox_charge c using (idempotency_key)`,
  );
  const paid = {
    status: 'active',
    run: 'succeeded',
    invoice: 'paid',
    payment: 'succeeded',
    charge: 'succeeded',
  };
  expect(rows).toEqual(Array(payers).fill({ ...paid, amount: '1000' }));
  expect(await count(database, 'sandbox_charge')).toBe(payers);
  expect(await count(database, 'payment')).toBe(payers);
  expect((await send(next, '/payments?limit=100')).data).toHaveLength(payers);
}

/** What a process does at the times of these jobs. */
async function execute(databaseUrl: string, names: readonly string[]) {
  const orm = await connect({ databaseUrl, poolSize: 5 });
  const onFailure = (error: unknown) => {
    throw error;
  };
  const parts = {
    eventDays: 30,
    auditDays: 0,
    usageEventMonths: 0,
    deliverer: { sweep: async () => 0 },
    onFailure,
  };
  try {
    for (const job of jobs.filter(({ name }) => names.includes(name))) {
      await job.run({ em: orm.em.fork(), now: new Date(), runId: job.name, ...parts });
    }
  } finally {
    await orm.close(true);
  }
}

/** Waits for a condition, also on a machine that is busy. */
function eventually<T>(value: () => T) {
  return expect.poll(value, { timeout: 60_000, interval: 5 });
}

async function count(database: pg.Client, table: string): Promise<number> {
  return (await database.query(`select count(*)::int as count from ${table}`)).rows[0].count;
}

/** Keeps the locks of a statement until it is released. */
async function aTransaction(databaseUrl: string, statement: string) {
  const client = await connectTo(databaseUrl);
  await client.query('begin');
  await client.query(statement);
  return { release: () => client.query('rollback') };
}

async function connectTo(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function send({ url }: Running, path: string, body?: unknown) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${templateKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
}

async function post(service: Running, path: string, body: unknown) {
  const answer = await send(service, path, body);
  expect(answer.code, JSON.stringify(answer)).toBeUndefined();
  return answer;
}
