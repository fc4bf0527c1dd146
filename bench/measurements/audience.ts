import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connect } from '#server/database/database.ts';
import { addSeatedSubscriptions, slug } from '../data/seated-subscriptions.ts';
import type { Seen, SubscribeRequest } from '../load/live-subscribers.ts';
import { startWorker, type Worker } from '../running/processes.ts';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';

const [given] = process.argv.slice(3).filter((text) => /^\d+$/.test(text));
const idle = given ? Number(given) : 10_000;
/** How many receive the bursts, and how many events each burst has. */
const receivers = [1, 10, 100];
const burst = 10_000;
/** All subscribers have one key and one address. */
const many = { LIVE_PER_KEY: '50000', SOCKETS_PER_KEY: '50000', SOCKETS_PER_ADDRESS: '50000' };
const settleMilliseconds = 3_000;
/** An idle process returns memory after half a minute. */
const idleMilliseconds = 50_000;
const longestWaitMilliseconds = 300_000;

/**
 * The memory of the service with many idle subscribers of `events`. Then bursts: one call claims many seats, and each
 * claim is an event. Prints when all subscribers have all of them, and the times of other requests meanwhile.
 */
export async function audience() {
  await using opened = new AsyncDisposableStack();
  const service = opened.use(await startMeasuredService(1, many));
  const database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
  opened.defer(() => database.end());
  const orm = await connect({ databaseUrl: service.databaseUrl, poolSize: 2 });
  const [subscription = ''] = await addSeatedSubscriptions(orm, 1);
  await orm.close();
  const write = (line: string) => process.stdout.write(`${line}\n`);
  const resident = () => {
    const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  };
  const listeners = opened.use(startWorker('bench/load/live-subscribers.ts', []));
  // A first round warms the process up.
  await subscribe(100);
  await listeners.ask({ do: 'close' });

  const before = resident();
  await subscribe(idle);
  await sleep(idleMilliseconds);
  const all = resident();
  write(
    `${idle} idle subscribers   ${all.toFixed(0)} MiB   ${(((all - before) * 1_024) / idle).toFixed(1)} KiB each   ${before.toFixed(0)} MiB without them`,
  );
  await listeners.ask({ do: 'close' });
  const requests = opened.use(
    startWorker('bench/load/ordinary-requests.ts', [service.url, service.key]),
  );
  await subscribe(1);
  await emit(1, '');
  for (const count of receivers) {
    await subscribe(count);
    await emit(count, `${burst} events to ${count}`);
  }

  async function subscribe(count: number) {
    await sleep(settleMilliseconds);
    const { rows } = await database.query(
      'select coalesce(max(sequence), 0)::int as last from event',
    );
    const { url, key } = service;
    const request: SubscribeRequest = {
      do: 'subscribe',
      url: `${url.replace('http', 'ws')}/graphql`,
      key,
      count,
      after: rows[0].last,
    };
    await listeners.ask(request);
    await sleep(settleMilliseconds);
  }

  /** Claims and releases seats, so that each burst begins without claims. A round without a title warms up. */
  async function emit(count: number, title: string) {
    for (const verb of ['claim', 'release']) {
      await listeners.ask({ do: 'reset' });
      await requests.ask('');
      const began = performance.timeOrigin + performance.now();
      await change(service, `${subscription}/${verb}`);
      const committed = performance.timeOrigin + performance.now();
      const { lastAt, wrong } = await whenAllHave(listeners, count * burst);
      const { p99 } = await requests.ask<{ p99: number }>('');
      if (!title) continue;
      write(
        `${title}, ${verb}   ${((lastAt - began) / 1_000).toFixed(2)} s from before the call   ${((lastAt - committed) / 1_000).toFixed(2)} s from its answer   ` +
          `p99 of requests ${p99.toFixed(0)} ms   lost or out of order ${wrong}`,
      );
    }
    await listeners.ask({ do: 'close' });
  }
}

async function whenAllHave(listeners: Worker, messages: number): Promise<Seen> {
  const deadline = performance.now() + longestWaitMilliseconds;
  for (;;) {
    const seen = await listeners.ask<Seen>({ do: 'report' });
    if (seen.messages >= messages) return seen;
    if (performance.now() > deadline) throw new Error(`Only ${seen.messages} of ${messages} came`);
    await sleep(100);
  }
}

async function change({ url, key }: MeasuredService, path: string) {
  const answer = await fetch(`${url}/api/v1/resource-claims/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSlug: slug, quantity: burst }),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
