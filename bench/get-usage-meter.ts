import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts';
import { freePort, startProgram } from './processes.ts';

const connections = 16;
const secondsEach = 4;
const rounds = 3;
const key = 'sk_test_fake_key_for_the_benchmark_only';

/**
 * `GET /api/v1/usage-meters/{id}` through the whole pipeline (key, tenant, graph, rendering), beside a
 * bare `node:http` + `pg` handler that answers the same JSON. The two take turns, so that whatever
 * else the machine does meets both.
 */
export async function getUsageMeter() {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  await chmod(dataDir, 0o711);
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { databaseUrl } = opened.use(await startEmbeddedPostgres({ dataDir, durable: false }));
  const [port, barePort] = [await freePort(), await freePort()];
  const service = `http://127.0.0.1:${port}`;
  const bare = `http://127.0.0.1:${barePort}`;
  opened.use(
    await startProgram(
      'src/main.ts',
      [],
      {
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        BOOTSTRAP_SECRET_KEY: key,
        LOG_LEVEL: 'warn',
      },
      `${service}/ready`,
    ),
  );
  const path = `/api/v1/usage-meters/${await createMeter(service)}`;
  opened.use(
    await startProgram('bench/bare-server.ts', [databaseUrl, String(barePort)], {}, bare + path),
  );

  await expectSame(service + path, bare + path);
  await load(service + path, 2);
  await load(bare + path, 2);
  const results = { service: [] as Result[], bare: [] as Result[] };
  for (let round = 0; round < rounds; round++) {
    results.service.push(await load(service + path, secondsEach));
    results.bare.push(await load(bare + path, secondsEach));
  }
  report(results);
}

interface Result {
  readonly perSecond: number;
  readonly p99Milliseconds: number;
}

async function load(url: string, seconds: number): Promise<Result> {
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${key}` },
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors at ${url}`);
  return { perSecond: requests.average, p99Milliseconds: latency.p99 };
}

async function createMeter(service: string): Promise<string> {
  const answer = await fetch(`${service}/api/v1/usage-meters`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ usageMeter: { name: 'API calls', slug: 'api-calls' } }),
  });
  const { usageMeter } = (await answer.json()) as { usageMeter: { id: string } };
  return usageMeter.id;
}

async function expectSame(one: string, other: string) {
  const [a, b] = await Promise.all(
    [one, other].map((url) =>
      fetch(url, { headers: { authorization: key } }).then((answer) => answer.json()),
    ),
  );
  if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error('The two answers differ');
}

function report({ service, bare }: Record<'service' | 'bare', Result[]>) {
  const [ours, theirs] = [median(service), median(bare)];
  const line = (name: string, { perSecond, p99Milliseconds }: Result) =>
    `${name.padEnd(24)} ${perSecond.toFixed(0).padStart(7)} requests/s   p99 ${p99Milliseconds} ms\n`;
  process.stdout.write(
    `GET /api/v1/usage-meters/{id}, ${connections} connections, median of ${rounds} × ${secondsEach} s\n` +
      line('service', ours) +
      line('bare node:http + pg', theirs) +
      `ratio ${(ours.perSecond / theirs.perSecond).toFixed(2)}\n`,
  );
}

const median = (results: Result[]) =>
  results.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(results.length / 2)] as Result;
