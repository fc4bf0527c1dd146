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

/** The settings of each process of a measured service. */
export const settingsOf = (databaseUrl: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: databaseUrl,
  BOOTSTRAP_SECRET_KEY: key,
  SECRETS_KEY: secretsKey,
  LOG_LEVEL: 'warn',
  CRON: 'off',
  // The load has one key.
  RATE_LIMIT_SECRET: '1000000',
});

/**
 * Starts a database and the service in processes of their own, with some settings changed; `urls` has those of all
 * processes.
 */
export async function startMeasuredService(
  processes = 1,
  changed: Readonly<Record<string, string>> = {},
): Promise<MeasuredService & { readonly urls: readonly string[] }> {
  await using opened = new AsyncDisposableStack();
  const { databaseUrl } = opened.use(await startMeasuredDatabase());
  const settings = { ...settingsOf(databaseUrl), ...changed };
  const urls: string[] = [];
  let first = 0;
  for (let place = 0; place < processes; place++) {
    const port = String(await freePort());
    const own = `http://127.0.0.1:${port}`;
    const environment = { ...settings, PORT: port };
    const { pid } = opened.use(await startProgram('src/main.ts', [], environment, `${own}/ready`));
    urls.push(own);
    first ||= pid;
  }
  const [url = ''] = urls;
  const kept = opened.move();
  return {
    url,
    urls,
    databaseUrl,
    key,
    pid: first,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
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
