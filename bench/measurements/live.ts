import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Seen, SubscribeRequest } from '../load/live-subscribers.ts';
import { freePort, startProgram, startWorker, type Worker } from '../running/processes.ts';
import { createMeter, type MeasuredService, startMeasuredService } from '../running/service.ts';

const subscribers = 1_000;
const eventsPerSecond = 50;
const secondsEach = 7;
const warmUpSeconds = 5;
const rounds = 3;
/** Written in turn, so that no change waits for the row of the previous one. */
const meters = 10;
const settleMilliseconds = 3_000;
const longestWaitMilliseconds = 60_000;

/** One side of the comparison: the service or the baseline. */
interface Side {
  readonly name: string;
  readonly url: string;
  readonly audience: Worker;
  /** The sequence of the last event. */
  last: number;
  readonly results: Seen[];
}

/**
 * One writer at a steady rate over REST, and subscribers of `events` in a separate process. The baseline is a bare
 * `ws` server that broadcasts as many bytes to as many sockets. The two take turns. The time runs from just before a
 * request is sent to the receipt by each subscriber, so it includes the commit.
 */
export async function live() {
  await using opened = new AsyncDisposableStack();
  const service = opened.use(await startMeasuredService());
  const bareUrl = `http://127.0.0.1:${await freePort()}`;
  opened.use(
    await startProgram('bench/baselines/bare-broadcast.ts', [new URL(bareUrl).port], {}, bareUrl),
  );
  const ids: string[] = [];
  for (let n = 0; n < meters; n++) ids.push(await createMeter(service, `meter-${n}`));
  const side = (name: string, url: string, last: number): Side => ({
    name,
    url,
    last,
    audience: opened.use(startWorker('bench/load/live-subscribers.ts', [])),
    results: [],
  });
  const ours = side('service', service.url, await lastSequence(service));
  const theirs = side('bare ws', bareUrl, 0);

  await sleep(settleMilliseconds);
  const before = await residentBytes(service.pid);
  for (const { audience, url, last } of [ours, theirs]) {
    await audience.ask({
      do: 'subscribe',
      url: `${url.replace('http', 'ws')}/graphql`,
      key: service.key,
      count: subscribers,
      after: last,
    } satisfies SubscribeRequest);
  }
  await sleep(settleMilliseconds);
  const bytesEach = ((await residentBytes(service.pid)) - before) / subscribers;

  for (const each of [ours, theirs]) await turn(each, ids, service.key, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    for (const each of [ours, theirs]) {
      each.results.push(await turn(each, ids, service.key, secondsEach));
    }
  }
  for (const { audience } of [ours, theirs]) await audience.ask({ do: 'close' });
  report(ours, theirs, bytesEach);
}

/** Writes for some seconds at the steady rate, whatever the results, and waits until all events have arrived. */
async function turn(side: Side, ids: readonly string[], key: string, seconds: number) {
  await side.audience.ask({ do: 'reset' });
  const began = performance.now();
  const writes: Promise<void>[] = [];
  for (let n = 0; n < seconds * eventsPerSecond; n++) {
    await sleep(Math.max(0, began + (n * 1_000) / eventsPerSecond - performance.now()));
    writes.push(write(`${side.url}/api/v1/usage-meters/${ids[n % ids.length]}`, key));
  }
  await Promise.all(writes);
  side.last += writes.length;
  const deadline = performance.now() + longestWaitMilliseconds;
  for (;;) {
    const seen = await side.audience.ask<Seen>({ do: 'report' });
    if (seen.everyoneHas >= side.last || performance.now() > deadline) return seen;
    await sleep(100);
  }
}

async function write(url: string, key: string) {
  const name = (performance.timeOrigin + performance.now()).toFixed(3);
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ usageMeter: { name } }),
  });
  if (!answer.ok) throw new Error(`${answer.status} at ${url}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function lastSequence({ url, key }: MeasuredService): Promise<number> {
  const answer = await fetch(`${url}/api/v1/events?limit=100`, {
    headers: { authorization: key },
  });
  const { data } = (await answer.json()) as { data: { sequence: number }[] };
  return data.at(-1)?.sequence ?? 0;
}

/** The resident memory of a process, as Linux counts it. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1_024;
}

function report(ours: Side, theirs: Side, bytesEach: number) {
  const expected = subscribers * eventsPerSecond * secondsEach * rounds;
  const line = (side: Side) => {
    const { p50Milliseconds, p99Milliseconds, maxMilliseconds, bytesEach } = median(side);
    const got = side.results.reduce((sum, { messages }) => sum + messages, 0);
    const wrong = side.results.reduce((sum, { wrong }) => sum + wrong, 0);
    return (
      `${side.name.padEnd(8)} p50 ${p50Milliseconds.toFixed(1)} ms   p99 ${p99Milliseconds.toFixed(1)} ms   ` +
      `max ${maxMilliseconds.toFixed(1)} ms   ${bytesEach} bytes each   lost ${expected - got}   out of order or twice ${wrong}\n`
    );
  };
  process.stdout.write(
    `${subscribers} subscribers, ${eventsPerSecond} events/s, from before the request to receipt, ` +
      `median of ${rounds} × ${secondsEach} s\n` +
      line(ours) +
      line(theirs) +
      `ratio of p99 ${(median(ours).p99Milliseconds / median(theirs).p99Milliseconds).toFixed(1)}\n` +
      `memory of the service for each idle subscriber ${(bytesEach / 1_024).toFixed(1)} KiB\n`,
  );
}

const median = ({ results }: Side) =>
  results.toSorted((a, b) => a.p99Milliseconds - b.p99Milliseconds)[
    Math.floor(results.length / 2)
  ] as Seen;
