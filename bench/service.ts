import { startMeasuredDatabase } from './database.ts';
import { freePort, type Program, startProgram } from './processes.ts';
import { secretsKey } from './secrets-key.ts';

/** The service as benchmarks measure it: on an empty database, without the request log. */
export interface MeasuredService extends Program {
  readonly url: string;
  readonly databaseUrl: string;
  /** A secret key of its only organization. */
  readonly key: string;
}

const key = 'sk_test_fake_key_for_the_benchmark_only';

/** Starts a database and the service in a process of its own. */
export async function startMeasuredService(): Promise<MeasuredService> {
  await using opened = new AsyncDisposableStack();
  const { databaseUrl } = opened.use(await startMeasuredDatabase());
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: databaseUrl,
    PORT: port,
    BOOTSTRAP_SECRET_KEY: key,
    SECRETS_KEY: secretsKey,
    LOG_LEVEL: 'warn',
    CRON: 'off',
  };
  const { pid } = opened.use(await startProgram('src/main.ts', [], settings, `${url}/ready`));
  const kept = opened.move();
  return { url, databaseUrl, key, pid, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Creates a usage meter over REST and returns its id. */
export async function createMeter({ url, key }: MeasuredService, slug: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/usage-meters`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ usageMeter: { name: 'API calls', slug } }),
  });
  const { usageMeter } = (await answer.json()) as { usageMeter: { id: string } };
  return usageMeter.id;
}
