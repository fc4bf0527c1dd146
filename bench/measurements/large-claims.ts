import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from '#server/database/database.ts';
import { addSeatedSubscriptions, slug } from '../data/seated-subscriptions.ts';
import { type MeasuredService, startMeasuredService } from '../running/service.ts';

const sizes = [1_000, 10_000, 100_000, 1_000_000];

/** Claims and releases by large numbers over REST, each with the worst wait of `/health` and the memory meanwhile. */
export async function largeClaims() {
  await using service = await startMeasuredService();
  const [subscription = ''] = await prepare(service);
  const poller = fork(new URL('../load/health-poller.ts', import.meta.url), [
    `${service.url}/health`,
  ]);
  const asked = process.argv.slice(3).map(Number);
  for (const quantity of asked.length > 0 ? asked : sizes) {
    for (const verb of ['claim', 'release'] as const) {
      poller.send('');
      await once(poller, 'message');
      const line = await measure(service, `${subscription}/${verb}`, quantity);
      poller.send('');
      const [worst] = await once(poller, 'message');
      process.stdout.write(`${verb} ${quantity}: ${line}; /health ≤ ${Math.round(worst)} ms\n`);
    }
  }
  poller.disconnect();
}

async function prepare({ databaseUrl }: MeasuredService) {
  const orm = await connect({ databaseUrl, poolSize: 2 });
  try {
    return await addSeatedSubscriptions(orm, 1);
  } finally {
    await orm.close();
  }
}

async function measure({ url, key, pid }: MeasuredService, path: string, quantity: number) {
  const began = performance.now();
  const answer = await fetch(`${url}/api/v1/resource-claims/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSlug: slug, quantity }),
  });
  const bytes = (await answer.arrayBuffer()).byteLength;
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  return `${answer.status} in ${seconds} s, ${size}, peak memory ${Math.round(Number(peak) / 1_024)} MiB`;
}
