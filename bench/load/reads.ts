import autocannon from 'autocannon';
import { freePort, startProgram } from '../running/processes.ts';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';

const connections = 16;
const secondsEach = 4;
const rounds = 3;

/**
 * A read over REST, through the whole pipeline (key, tenant, graph, rendering). The baseline is a bare `node:http` +
 * `pg` handler that returns the same JSON. The two take turns, so that other load on the machine affects both.
 * `prepare` stores what is read and returns the path.
 */
export async function measureRead(
  title: string,
  prepare: (service: MeasuredService) => Promise<string>,
) {
  await using opened = new AsyncDisposableStack();
  const measured = opened.use(await startMeasuredService());
  const { url: service, databaseUrl, key } = measured;
  const barePort = await freePort();
  const bare = `http://127.0.0.1:${barePort}`;
  const path = await prepare(measured);
  opened.use(
    await startProgram(
      'bench/baselines/bare-server.ts',
      [databaseUrl, String(barePort)],
      {},
      bare + path,
    ),
  );

  await expectSame(service + path, bare + path, key);
  await load(service + path, 2, key);
  await load(bare + path, 2, key);
  const results = { service: [] as Result[], bare: [] as Result[] };
  for (let round = 0; round < rounds; round++) {
    results.service.push(await load(service + path, secondsEach, key));
    results.bare.push(await load(bare + path, secondsEach, key));
  }
  report(title, results);
}

interface Result {
  readonly perSecond: number;
  readonly p99Milliseconds: number;
}

async function load(url: string, seconds: number, key: string): Promise<Result> {
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${key}` },
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors at ${url}`);
  return { perSecond: requests.average, p99Milliseconds: latency.p99 };
}

async function expectSame(one: string, other: string, key: string) {
  const [a, b] = await Promise.all(
    [one, other].map((url) =>
      fetch(url, { headers: { authorization: key } }).then((answer) => answer.json()),
    ),
  );
  if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error('The two answers differ');
}

function report(title: string, { service, bare }: Record<'service' | 'bare', Result[]>) {
  const [ours, theirs] = [median(service), median(bare)];
  const line = (name: string, { perSecond, p99Milliseconds }: Result) =>
    `${name.padEnd(24)} ${perSecond.toFixed(0).padStart(7)} requests/s   p99 ${p99Milliseconds} ms\n`;
  process.stdout.write(
    `${title}, ${connections} connections, median of ${rounds} × ${secondsEach} s\n` +
      line('service', ours) +
      line('bare node:http + pg', theirs) +
      `ratio ${(ours.perSecond / theirs.perSecond).toFixed(2)}\n`,
  );
}

const median = (results: Result[]) =>
  results.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(results.length / 2)] as Result;
