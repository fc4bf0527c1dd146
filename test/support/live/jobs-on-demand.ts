import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MikroORM } from '@mikro-orm/postgresql';
import { jobs } from '#cron/jobs.ts';
import { useStripe } from '#domain/money/processing/stripe/client.ts';
import { connect } from '#server/database/database.ts';

/**
 * Loaded before a process of the service (`--import`): the jobs of the process run when a test asks for them, and not by
 * the clock. SIGKILL meets them as it meets requests. It also shortens the patience with Stripe.
 */
// biome-ignore lint/style/noProcessEnv: the settings of the process that it is loaded into
const { DATABASE_URL = '', STRIPE_API_BASE } = process.env;
let orm: Promise<MikroORM> | undefined;

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://jobs');
  const names = (searchParams.get('names') ?? '').split(',').filter(Boolean);
  run(names, new Date(Number(searchParams.get('now')))).then(
    (failures) => response.end(JSON.stringify(failures)),
    (error) => response.writeHead(500).end(String(error?.stack ?? error)),
  );
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`Jobs at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);

async function run(names: readonly string[], now: Date): Promise<string[]> {
  useStripe({ apiBase: STRIPE_API_BASE, timeoutMilliseconds: 500, maxNetworkRetries: 0 });
  orm ??= connect({ databaseUrl: DATABASE_URL, poolSize: 5 });
  const { em } = await orm;
  const failures: string[] = [];
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
    onFailure: (error: unknown) => void failures.push(String(error)),
  };
  for (const name of names) {
    const job = jobs.find((job) => job.name === name);
    if (!job) throw new Error(`There is no job ${name}`);
    await job.run({ em: em.fork(), now, runId: name, ...parts });
  }
  return failures;
}
