import { type MeasuredService, startMeasuredService } from '../running/service.ts';
import { subscribed } from './usage.ts';

const connections = 8;
const requests = 1_000;
const untilWarm = 10_000;

/** The request with a number. */
type Ask = (number: number) => readonly [method: string, path: string, body?: object];

/**
 * The first requests of a process beside the same number of them when it is warm, in milliseconds. The baseline is the
 * process itself.
 */
export async function young() {
  await using service = await startMeasuredService();
  const [subscriptionId = ''] = await subscribed(service, 1);
  const ask: Ask = (number) => ordinary(number, subscriptionId);
  const first = await times(service, ask, requests);
  await times(service, ask, untilWarm);
  const warm = await times(service, ask, requests);
  for (const [name, part] of Object.entries({ p50: 0.5, p99: 0.99 })) {
    const [one, other] = [at(first, part), at(warm, part)];
    process.stdout.write(
      `${name}: first ${one.toFixed(1)} ms, warm ${other.toFixed(1)} ms, ratio ${(one / other).toFixed(2)}\n`,
    );
  }
}

/** Reads and writes of a shop: lists, records, customers and usage. */
function ordinary(number: number, subscriptionId: string): ReturnType<Ask> {
  const externalId = `young-${number}-${Math.random()}`;
  const usageEvent = {
    ...{ subscriptionId, usageMeterSlug: 'calls', amount: 1, transactionId: externalId },
  };
  const all: readonly ReturnType<Ask>[] = [
    ['GET', '/customers?limit=10'],
    ['GET', `/subscriptions/${subscriptionId}`],
    ['GET', '/pricing-models/default'],
    ['POST', '/usage-events', { usageEvent }],
    ['POST', '/customers', { customer: { email: 'a@example.com', name: 'Ada', externalId } }],
    ['GET', '/usage-events?limit=10'],
  ];
  return all[number % all.length] as ReturnType<Ask>;
}

async function times({ url, key }: MeasuredService, ask: Ask, count: number): Promise<number[]> {
  const all: number[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const [method, path, body] = ask(next++);
      const began = performance.now();
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      all.push(performance.now() - began);
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return all.toSorted((one, other) => one - other);
}

const at = (sorted: readonly number[], part: number) =>
  sorted[Math.floor(sorted.length * part)] ?? 0;
