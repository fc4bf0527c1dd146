import { expect } from 'vitest';
import { startService } from '../../support/process.ts';
import { systemTest as test } from '../../support/test.ts';

const connections = 4;

/** The last collections of the young generation to compare. */
const compared = 6;

/**
 * The part of the memory of requests that collections of the young generation leave: how much the heap grows from one to
 * the next, of what they collect. A collection of the old generation in between says nothing about them.
 */
function partLeft(output: string): number {
  const lines = output.matchAll(/(Scavenge|Mark-Compact) ([\d.]+) \([\d.]+\) -> ([\d.]+)/g);
  const all = [...lines].map(([, kind, before, after]) => ({
    isYoung: kind === 'Scavenge',
    before: Number(before),
    after: Number(after),
  }));
  const parts = all.flatMap(({ isYoung, before, after }, place) => {
    const last = all[place - 1];
    return isYoung && last?.isYoung ? (after - last.after) / (before - last.after) : [];
  });
  expect(parts.length, 'collections to compare').toBeGreaterThan(compared);
  return parts.slice(-compared).reduce((sum, part) => sum + part, 0) / compared;
}

/** Reads from an address over several connections. */
async function read(url: string, key: string, times: number) {
  const one = async () => {
    for (let time = 0; time < times / connections; time++) {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      expect(answer.status, await answer.text()).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
}

test('reads leave next to nothing in the old generation of the heap', async ({
  database: { databaseUrl },
  tenant: { key },
  api,
}) => {
  const customer = { email: 'a@example.com', name: 'Ada', externalId: 'ada' };
  expect((await api('POST', '/customers', { customer })).status).toBe(200);
  const service = await startService(
    { DATABASE_URL: databaseUrl, CRON: 'off', RATE_LIMIT_SECRET: '0' },
    ['--trace-gc'],
  );

  await read(`${service.url}/api/v1/customers/ada`, key, 8_000);
  expect(partLeft(service.stdout())).toBeLessThan(0.08);
});
