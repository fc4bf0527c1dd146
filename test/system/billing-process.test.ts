import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { jobs } from '#cron/jobs.ts';
import { connect } from '#server/database/database.ts';
import { preparedUrl } from '../support/database.ts';
import { type Running, startService } from '../support/process.ts';
import { templateKey } from '../support/secrets.ts';

const payers = 8;

test('SIGKILL between the attempt and the charge, between the charge and its outcome, or in the midst of charges: the next process charges each run once', async () => {
  const DATABASE_URL = await preparedUrl();
  const database = await connectTo(DATABASE_URL);
  const start = () => startService({ DATABASE_URL, CRON: 'off' });
  const counts = (table: string) => eventually(() => count(database, table));
  const charges = () => database.query('select idempotency_key from sandbox_charge order by 1');

  const first = await start();
  await aProduct(first);
  const early = await subscribersOf(first, 'early');
  const attempts = await aTransaction(DATABASE_URL, 'lock table sandbox_charge');
  const unattempted = early(first);
  await counts('payment').toBe(payers);
  await kill(first, unattempted);
  await attempts.release();
  expect(await count(database, 'sandbox_charge')).toBe(0);
  const second = await start();
  await expectAllPaid(second, DATABASE_URL, database, payers);

  const late = await subscribersOf(second, 'late');
  const processor = await aTransaction(DATABASE_URL, 'lock table sandbox_charge');
  const unsettled = late(second);
  await counts('payment').toBe(2 * payers);
  const outcomes = await aTransaction(DATABASE_URL, 'select from customer for update');
  await processor.release();
  await counts('sandbox_charge').toBe(2 * payers);
  await kill(second, unsettled);
  await outcomes.release();
  const before = await charges();
  const third = await start();
  await expectAllPaid(third, DATABASE_URL, database, 2 * payers);
  // The next process finds the charges, and makes none.
  expect((await charges()).rows).toEqual(before.rows);

  const impatient = await subscribersOf(third, 'impatient');
  const interrupted = impatient(third);
  await counts('sandbox_charge').toBeGreaterThan(2 * payers + 1);
  await kill(third, interrupted);
  const fourth = await start();
  // Those who are subscribed are refused, whether they have paid yet or not.
  await impatient(fourth);
  await expectAllPaid(fourth, DATABASE_URL, database, 3 * payers);
  // As long as three tests.
}, 540_000);

const aProduct = (service: Running) =>
  post(service, '/products', {
    product: { name: 'Pro', slug: 'pro' },
    price: { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month', slug: 'pro' },
  });

/**
 * Customers with a payment method, who all subscribe at once. A customer who is subscribed already, or gets no
 * answer, is left as it is.
 */
async function subscribersOf(service: Running, name: string) {
  const methods = await Promise.all(
    Array.from({ length: payers }, async (_, place) => {
      const customer = { externalId: `${name}-${place}`, email: 'ada@example.com', name: 'Ada' };
      const answer = await post(service, '/customers', { customer });
      const customerId = answer.data?.customer.id ?? answer.customer.id;
      const paymentMethod = { customerId, type: 'card', token: 'sandbox_success' };
      return [
        customerId,
        (await post(service, '/payment-methods', { paymentMethod })).paymentMethod.id,
      ];
    }),
  );
  return (running: Running) =>
    Promise.allSettled(
      methods.map(([customerId, defaultPaymentMethodId]) =>
        send(running, '/subscriptions', { customerId, priceSlug: 'pro', defaultPaymentMethodId }),
      ),
    );
}

/** Kills a process with requests in flight. */
async function kill(service: Running, answers: Promise<unknown>) {
  service.kill('SIGKILL');
  await Promise.all([service.ended(), answers]);
}

/** The jobs find that the claims of the killed process have run out. */
async function expectAllPaid(
  next: Running,
  DATABASE_URL: string,
  database: pg.Client,
  total: number,
) {
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
  expect(rows).toEqual(Array(total).fill({ ...paid, amount: '1000' }));
  expect(await count(database, 'sandbox_charge')).toBe(total);
  expect(await count(database, 'payment')).toBe(total);
  expect((await send(next, '/payments?limit=100')).data).toHaveLength(total);
}

/** The work of a process at the times of these jobs. */
async function execute(databaseUrl: string, names: readonly string[]) {
  const orm = await connect({ databaseUrl, poolSize: 5 });
  const onFailure = (error: unknown) => {
    throw error;
  };
  const parts = {
    eventDays: 30,
    auditDays: 0,
    usageEventMonths: 0,
    checkoutDays: 14,
    processorEventDays: 35,
    sessionDays: 30,
    cronRunDays: 7,
    deliverer: { sweep: async () => 0 },
    mailer: { sweep: async () => 0 },
    mailDays: 90,
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
  return expect.poll(value, { interval: 5 });
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
