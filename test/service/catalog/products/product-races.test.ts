import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { aProduct, aToggle } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

interface PriceRow {
  id: string;
  active: boolean;
  isDefault: boolean;
}

interface GrantRow {
  productId: string;
  featureId: string;
  expiredAt: number | null;
}

const inUse = (prices: PriceRow[]) => prices.filter(({ active, isDefault }) => active && isDefault);

/** One way to change what a product costs; `nth` picks one of its prices. */
const priceChange = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), unitPrice: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('post' as const), unitPrice: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    kind: fc.constant('flags' as const),
    nth: fc.nat(5),
    active: fc.option(fc.boolean()),
    isDefault: fc.option(fc.boolean()),
  }),
);

describe('however the prices of a product change', () => {
  test('exactly one is its active default', async ({ api, session }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(priceChange, { minLength: 1, maxLength: 8 }), async (changes) => {
        const { id: productId } = await aProduct(session);
        for (const change of changes) {
          const { prices } = (await api('GET', `/products/${productId}`)).body;
          const { status } = await apply(change, prices);
          expect([200, 400]).toContain(status);
          const stored = (await api('GET', `/products/${productId}`)).body;
          expect(inUse(stored.prices)).toEqual([stored.defaultPrice]);
        }

        function apply(change: (typeof changes)[number], prices: PriceRow[]) {
          if (change.kind === 'flags') {
            const { active, isDefault, nth } = change;
            const { id } = prices[nth % prices.length] as PriceRow;
            return api('PUT', `/prices/${id}`, { price: { active, isDefault } });
          }
          const { kind, unitPrice } = change;
          if (kind === 'put') return api('PUT', `/products/${productId}`, { price: { unitPrice } });
          const price = { type: 'subscription', intervalUnit: 'month', unitPrice, productId };
          return api('POST', '/prices', { price });
        }
      }),
      { numRuns: 15 },
    );
  });

  test('one is left when all change at once, and no request fails', async ({ api, session }) => {
    const { id } = await aProduct(session, { price: { slug: 'pro' } });
    const [original] = (await api('GET', `/products/${id}`)).body.prices;
    const monthly = { type: 'subscription', intervalUnit: 'month', productId: id, slug: 'pro' };
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        if (n % 3 === 0) return api('POST', '/prices', { price: { ...monthly, unitPrice: n } });
        if (n % 3 === 1)
          return api('PUT', `/prices/${original.id}`, { price: { name: `Name ${n}` } });
        return api('PUT', `/products/${id}`, {
          product: { name: `Pro ${n}` },
          price: { unitPrice: n },
        });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { prices, defaultPrice } = (await api('GET', `/products/${id}`)).body;
    expect(prices.filter(({ active }: PriceRow) => active)).toEqual([defaultPrice]);
    expect(prices).toHaveLength(17);
  });
});

describe('when the features of a product are set by several at once', () => {
  test('each is granted once, and the last list is what remains', async ({ api, session }) => {
    const features = await Promise.all(Array.from({ length: 4 }, () => aToggle(session)));
    const ids = features.map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.subarray(ids), { minLength: 2, maxLength: 6 }),
        async (lists) => {
          const { id } = await aProduct(session);
          const answers = await Promise.all(
            lists.map((featureIds) => api('PUT', `/products/${id}`, { featureIds })),
          );
          expect(answers.map(({ status }) => status)).toEqual(lists.map(() => 200));
          const grants = (await grantsOf(api)).filter(({ productId }) => productId === id);
          expect(new Set(grants.map(({ featureId }) => featureId)).size).toBe(grants.length);
          const granted = grants
            .filter(({ expiredAt }) => expiredAt === null)
            .map(({ featureId }) => featureId);
          expect(lists.map((list) => list.toSorted())).toContainEqual(granted.toSorted());
        },
      ),
      { numRuns: 15 },
    );
  });

  test('a feature that is deactivated meanwhile is granted nowhere', async ({ api, session }) => {
    for (let round = 0; round < 8; round++) {
      const { id: featureId } = await aToggle(session);
      const products = await Promise.all([1, 2, 3, 4].map(() => aProduct(session)));
      const [one, two, ...rest] = products.map(({ id }) => id);
      const answers = await Promise.all([
        ...rest.map((id) => api('PUT', `/products/${id}`, { featureIds: [featureId] })),
        api('POST', '/product-features', { productFeature: { productId: one, featureId } }),
        api('PUT', `/features/${featureId}`, { feature: { active: false } }),
        api('POST', '/product-features', { productFeature: { productId: two, featureId } }),
      ]);
      for (const { status } of answers) expect([200, 400]).toContain(status);
      const grants = (await grantsOf(api)).filter((grant) => grant.featureId === featureId);
      expect(grants.filter(({ expiredAt }) => expiredAt === null)).toEqual([]);
    }
  });

  test('every product is settled, whatever is deactivated and expired meanwhile', async ({
    api,
    session,
  }) => {
    const features = await Promise.all([1, 2, 3].map(() => aToggle(session)));
    const featureIds = features.map(({ id }) => id);
    const products = await Promise.all([1, 2, 3].map(() => aProduct(session, { featureIds })));
    const grants = (await api('GET', '/product-features?limit=100')).body.data;
    const answers = await Promise.all([
      ...products.map(({ id }) =>
        api('PUT', `/products/${id}`, { featureIds: featureIds.toReversed() }),
      ),
      ...featureIds.map((id) => api('PUT', `/features/${id}`, { feature: { active: false } })),
      ...grants.map(({ id }: { id: string }) => api('POST', `/product-features/${id}/expire`)),
      ...products.map(({ id }) => api('PUT', `/products/${id}`, { featureIds: [] })),
    ]);
    for (const { status } of answers) expect([200, 400]).toContain(status);
    expect((await grantsOf(api)).filter(({ expiredAt }) => expiredAt === null)).toEqual([]);
  });
});

type Api = (
  method: string,
  path: string,
) => Promise<{ body: { data: GrantRow[]; nextCursor?: string } }>;

async function grantsOf(api: Api) {
  const grants: GrantRow[] = [];
  let path: string | undefined = '/product-features?limit=100';
  while (path) {
    const { body } = await api('GET', path);
    grants.push(...body.data);
    path = body.nextCursor && `/product-features?limit=100&cursor=${body.nextCursor}`;
  }
  return grants;
}
