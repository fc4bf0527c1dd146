import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

/** The times of reports in milliseconds. */
export interface Reports {
  readonly count: number;
  readonly median: number;
  readonly longest: number;
}

/**
 * Reports usage of one subscription over one connection all the time, one event after the other, and answers with the
 * times since the last answer.
 */
const [url = '', key = '', subscriptionId = '', usageMeterSlug = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
let times: number[] = [];

function report() {
  const started = performance.now();
  const body = JSON.stringify({
    usageEvent: {
      subscriptionId,
      usageMeterSlug,
      amount: 1,
      transactionId: randomUUID(),
      properties: { user: randomUUID() },
    },
  });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const sent = request(
    `${url}/api/v1/usage-events`,
    { method: 'POST', agent, headers },
    (answer) => {
      if (answer.statusCode !== 200) throw new Error(`A report is answered ${answer.statusCode}`);
      answer.resume().on('end', () => {
        times.push(performance.now() - started);
        report();
      });
    },
  );
  sent.end(body);
}

process.on('message', () => {
  const sorted = times.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  process.send?.({ count: sorted.length, median, longest: sorted.at(-1) ?? 0 } satisfies Reports);
  times = [];
});
process.on('disconnect', () => process.exit());
report();
