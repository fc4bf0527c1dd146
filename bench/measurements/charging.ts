import { Agent } from 'node:http';
import pg from 'pg';
import { openSession } from '#domain/kernel/session.ts';
import { ProcessorAccount, sealAccountSecret } from '#domain/model/money/processor-account.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { useStripe } from '#domain/money/processing/stripe/client.ts';
import { rateOf } from '#domain/money/processing/stripe/pace.ts';
import { connect } from '#server/database/database.ts';
import { addBilledCustomer } from '../data/billed-customer.ts';
import { CustomerPattern } from '../data/copy-customer.ts';
import { checkNightly } from '../running/nightly-checks.ts';
import { useSecrets } from '../running/own-secrets.ts';
import { freePort, startProgram } from '../running/processes.ts';
import { startMeasuredService } from '../running/service.ts';

const secretKey = 'sk_live_fake_key_for_the_benchmark_only';
const size = 2_000;

interface Seen {
  readonly requests: number;
  readonly refused: number;
  readonly charges: number;
  readonly first: number;
  readonly last: number;
  readonly mostInFlight: number;
}

/**
 * Due runs that a slow processor charges: a program of its own that answers after 100 to 700 ms and refuses requests
 * above the limit of the account. The figure is the share of the limit that is used. A charge has two requests.
 */
export async function charging() {
  await using opened = new AsyncDisposableStack();
  useSecrets();
  const { databaseUrl } = opened.use(await startMeasuredService());
  const port = String(await freePort());
  const processor = `http://127.0.0.1:${port}`;
  const limit = rateOf(secretKey);
  opened.use(
    await startProgram(
      'bench/load/slow-processor.ts',
      [port, String(limit)],
      {},
      `${processor}/figures`,
    ),
  );
  const agent = new Agent({ keepAlive: true });
  useStripe({ apiBase: processor, agent, requestsPerSecond: limit });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  opened.defer(() => database.end());
  const orm = await connect({ databaseUrl, poolSize: 20 });
  opened.defer(() => orm.close(true));
  opened.defer(() => agent.destroy());

  const customerId = await addBilledCustomer(orm, database, 'plain');
  const account = await connectAccount();
  await database.query(
    `update payment_method set processor = 'stripe', processor_account_id = $1`,
    [account],
  );
  const pattern = await CustomerPattern.of(database, customerId);
  await pattern.copy(100, { token: 'pm_fake' });
  await execute(100);
  await pattern.copy(size, { token: 'pm_fake' });
  const samples: number[] = [];
  const watch = setInterval(async () => {
    const { rows } = await database.query(
      `select count(*)::int as busy from pg_stat_activity
       where application_name = 'tollgate' and pid <> pg_backend_pid() and (state <> 'idle')`,
    );
    samples.push(rows[0].busy);
  }, 50);
  const began = performance.now();
  const cpu = process.cpuUsage();
  const seen = await execute(size);
  const seconds = (performance.now() - began) / 1_000;
  clearInterval(watch);
  const { user, system } = process.cpuUsage(cpu);
  const busy = samples.toSorted((one, other) => one - other);
  const at = (share: number) => busy[Math.floor((busy.length - 1) * share)] ?? 0;
  const asking = (seen.last - seen.first) / 1_000;
  const most = limit / 2;
  const write = (line: string) => process.stdout.write(`${line}\n`);
  write(
    `charges ${size}   ${(size / seconds).toFixed(1)} charges/s of ${most}   share ${(size / seconds / most).toFixed(2)} of the limit`,
  );
  write(
    `from the first request to the last answer   ${(seen.requests / asking).toFixed(1)} requests/s of ${limit}   share ${(seen.requests / asking / limit).toFixed(2)}`,
  );
  write(
    `requests ${seen.requests}, refused with 429: ${seen.refused}, at most ${seen.mostInFlight} in flight`,
  );
  write(
    `connections of the database in use: median ${at(0.5)}, p99 ${at(0.99)}; processor time of this process ${((user + system) / 1e6 / seconds).toFixed(2)}`,
  );
  await checkNightly(databaseUrl);

  async function connectAccount(): Promise<string> {
    const { rows } = await database.query(
      `select organization_id as "organizationId", pricing_model_id as "pricingModelId", livemode from customer limit 1`,
    );
    const scope = { ...rows[0], keyType: 'secret', now: new Date() } as const;
    const { em } = openSession(orm.em, scope);
    const account = em.create(ProcessorAccount, {
      kind: 'stripe',
      accountReference: 'acct_fake',
      apiVersion: 'fake',
      keyEnding: 'only',
      restricted: false,
    });
    account.secretKey = sealAccountSecret(account.id, secretKey);
    await em.flush();
    return account.id;
  }

  async function execute(expected: number): Promise<Seen> {
    await (await fetch(`${processor}/figures`)).json();
    const failed = (error: unknown) => process.stderr.write(`${error}\n`);
    const count = await executeDueRuns(orm.em, new Date(), 'bench', failed);
    if (count !== expected) throw new Error(`${count} runs were due`);
    const { rows } = await database.query(
      `select count(*)::int as open from billing_run where status <> 'succeeded' and customer_id ~ '_\\d+_\\d+$'`,
    );
    if (rows[0].open > 0) throw new Error(`${rows[0].open} runs have not succeeded`);
    return (await fetch(`${processor}/figures`)).json() as Promise<Seen>;
  }
}
