import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { aUsageMeter, aUsagePrice } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

interface Row {
  id: string;
  usageMeterId: string | null;
  active: boolean;
  isDefault: boolean;
}

type Api = (method: string, path: string, body?: unknown) => Promise<{ body: { data: Row[] } }>;

const pricesOf = async (api: Api, meterId: string) =>
  (await api('GET', '/prices?limit=100')).body.data.filter(
    ({ usageMeterId }) => usageMeterId === meterId,
  );

/** New flags for one of the prices of a usage meter. */
const flags = fc.record({
  nth: fc.nat(3),
  active: fc.option(fc.boolean()),
  isDefault: fc.option(fc.boolean()),
});

const changes = fc.array(flags, { minLength: 1, maxLength: 8 });

describe('however the prices of a usage meter change', () => {
  test('exactly one is the default, and that one is active', async ({ api, session }) => {
    const meter = await aUsageMeter(session);
    for (let n = 0; n < 3; n++) await aUsagePrice(session, meter.id);
    const ids = (await pricesOf(api, meter.id)).map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(changes, async (changes) => {
        for (const { nth, ...price } of changes) {
          const { status } = await api('PUT', `/prices/${ids[nth]}`, { price });
          expect([200, 400]).toContain(status);
          const defaults = (await pricesOf(api, meter.id)).filter(({ isDefault }) => isDefault);
          expect(defaults).toEqual([expect.objectContaining({ active: true })]);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('one is left when all change at once, and no request fails', async ({ api, session }) => {
    const meter = await aUsageMeter(session);
    for (let n = 0; n < 3; n++) await aUsagePrice(session, meter.id);
    const ids = (await pricesOf(api, meter.id)).map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(changes, async (changes) => {
        const answers = await Promise.all(
          changes.map(({ nth, ...price }) => api('PUT', `/prices/${ids[nth]}`, { price })),
        );
        for (const { status } of answers) expect([200, 400]).toContain(status);
        const defaults = (await pricesOf(api, meter.id)).filter(({ isDefault }) => isDefault);
        expect(defaults).toEqual([expect.objectContaining({ active: true })]);
      }),
      { numRuns: 15 },
    );
  });
});
