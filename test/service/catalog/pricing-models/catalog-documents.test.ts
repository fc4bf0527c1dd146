// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { StoredPrice } from '#domain/catalog/catalog.ts';
import { exportPricingModel } from '#domain/catalog/commands/pricing-models/export-pricing-model.ts';
import {
  setUpPricingModel,
  setUpPricingModelInput,
} from '#domain/catalog/commands/pricing-models/set-up-pricing-model.ts';
import { planPrices } from '#domain/catalog/plan-prices.ts';
import { enterPricingModel, type Session } from '#domain/kernel/session.ts';
import { perUnit } from '#domain/model/catalog/pricing.ts';
import { effort } from '../../../support/effort.ts';
import { fresh } from '../../../support/factories.ts';
import { type Document, documents, normal } from '../../../support/records/catalogs.ts';
import { statementsOf } from '../../../support/tables/statements.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import '../../../support/properties.ts';

const setUp = (session: Session, document: Document) =>
  setUpPricingModel(fresh(session), setUpPricingModelInput.parse({ pricingModel: document }));

const exported = async (session: Session): Promise<Document> =>
  (await exportPricingModel(fresh(session), session.pricingModelId)).pricingModel;

/** A document that keeps the usage meters and the types of features of an earlier one. */
function following(earlier: Document, next: Document): Document {
  const known = new Set(next.usageMeters.map(({ usageMeter }: Document) => usageMeter.slug));
  const types = new Map(earlier.features.map(({ slug, type }: Document) => [slug, type]));
  const fits = ({ slug, type }: Document) => !types.has(slug) || types.get(slug) === type;
  const features = next.features.filter(fits);
  const slugs = new Set(features.map(({ slug }: Document) => slug));
  return {
    ...next,
    features,
    usageMeters: [
      ...next.usageMeters,
      ...earlier.usageMeters.filter(({ usageMeter }: Document) => !known.has(usageMeter.slug)),
    ],
    products: next.products.map((product: Document) => ({
      ...product,
      features: product.features.filter((slug: string) => slugs.has(slug)),
    })),
  };
}

const many = <T>(count: number, of: (slug: string, n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => of(`s-${n}`, n));

describe('catalog documents', () => {
  test('export, set up in an empty organization and export again are the identity', async ({
    database,
  }) => {
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const [one, two] = [await aTenant(database.orm.em), await aTenant(database.orm.em)];
        await setUp(one.session, document);
        const first = await exported(one.session);
        expect(normal(first)).toEqual(normal(document));
        await setUp(two.session, JSON.parse(JSON.stringify(first)));
        expect(await exported(two.session)).toEqual(first);
      }),
      { numRuns: 8 * effort },
    );
  });

  test('a changed document is applied exactly: its plan names the changed objects and is empty afterwards', async ({
    database,
  }) => {
    await fc.assert(
      fc.asyncProperty(documents, documents, async (earlier, draft) => {
        const { session } = await aTenant(database.orm.em);
        await setUp(session, earlier);
        const next = following(earlier, draft);
        const before = await versions(session);
        const { plan } = await setUp(session, next);
        expect(normal(await exported(session))).toEqual(normal(next));

        const now = await versions(session);
        const created = [...now.keys()].filter((id) => !before.has(id));
        const touched = [...now].filter(([id, version]) => (before.get(id) ?? version) !== version);
        const named = [...plan.changed, ...plan.retired].map(({ objectId }) => objectId);
        expect(named.toSorted()).toEqual(touched.map(([id]) => id).toSorted());
        // The fallback price of a new usage meter is a part of it.
        const meters = plan.created.filter(({ type }) => type === 'usage_meter');
        expect(plan.created.length + meters.length).toBe(created.length);

        const nothing = { created: [], changed: [], retired: [] };
        expect((await setUp(session, next)).plan).toMatchObject(nothing);
        expect((await setUp(session, await exported(session))).plan).toMatchObject(nothing);
        expect(await versions(session)).toEqual(now);
      }),
      { numRuns: 8 * effort },
    );
  });

  test('the plan of a large catalog takes few statements, also with all of its prices changed', async ({
    database,
  }) => {
    const { session } = await aTenant(database.orm.em);
    const document = (count: number, unitPrice: number): Document => ({
      name: 'Default',
      resources: [],
      usageMeters: [],
      features: many(count, (slug) => ({ type: 'toggle', slug, name: slug, description: '' })),
      products: many(count, (slug) => ({
        product: { slug, name: slug },
        price: { type: 'subscription', unitPrice, intervalUnit: 'month' },
        otherPrices: [{ type: 'subscription', unitPrice: unitPrice + 1, intervalUnit: 'year' }],
        features: [slug],
      })),
    });
    const small = await statementsOf(() => setUp(session, document(1, 5)));
    await setUp(session, document(450, 5));
    const none = await statementsOf(() => setUp(session, document(450, 5)));
    expect(none.length).toBeLessThan(small.length + 20);
    const all = await statementsOf(() => setUp(session, document(450, 7)));
    // 900 prices end and 900 begin, in batches of 200, of which each is read, written and recorded.
    expect(all.length).toBeLessThan(none.length + 2 * 5 * 8);
    const { products } = await exported(session);
    expect(products).toHaveLength(451);
    expect(products[1]).toMatchObject({ price: { unitPrice: 7 }, otherPrices: [{ unitPrice: 8 }] });
  });

  test('the prices of a product are matched in linear time', async () => {
    const prices = (first: number): StoredPrice[] =>
      many(4_000, (id, n) => ({
        ...{ id, slug: null, name: null, isDefault: n === 0, type: 'subscription' },
        ...{ unitPrice: first + n, currency: 'USD', intervalUnit: 'month', intervalCount: 1 },
        ...{ trialPeriodDays: null, usageEventsPerUnit: null, ...perUnit },
      }));
    const owner = { owner: 'p', ownerType: 'product' } as const;
    const begun = performance.now();
    const changes = planPrices(prices(0), prices(10_000), owner);
    // Comparing each price with each other one takes some minutes.
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(changes).toHaveLength(8_000);
    expect(changes.filter(({ replaces }) => replaces)).toHaveLength(1);
    expect(planPrices(prices(0), prices(0), owner)).toEqual([]);
  });

  test('two documents at once are applied one after the other, never half', async ({
    database,
  }) => {
    await fc.assert(
      fc.asyncProperty(documents, documents, async (one, draft) => {
        const { session } = await aTenant(database.orm.em);
        await setUp(session, one);
        const other = following(one, draft);
        // Both have all usage meters, since the later one removes none.
        const first = following(other, one);
        await Promise.all([setUp(session, first), setUp(session, other), setUp(session, first)]);
        const wholes = [first, other].map(normal);
        expect(wholes).toContainEqual(normal(await exported(session)));
      }),
      { numRuns: 3 * effort },
    );
  });
});

const tables = [
  'pricing_model',
  'resource',
  'usage_meter',
  'feature',
  'product',
  'price',
  'product_feature',
];

/** The versions of all rows of the pricing model's catalog, by their ids. */
async function versions(session: Session): Promise<Map<string, number>> {
  const { em, pricingModelId } = enterPricingModel(session, session.pricingModelId);
  const statement = tables
    .map(
      (table) =>
        `select id, updated_at, version from ${table} where ${table === 'pricing_model' ? 'id' : 'pricing_model_id'} = ?`,
    )
    .join(' union all ');
  const rows = await em.fork().execute<{ id: string; version: number }[]>(
    statement,
    tables.map(() => pricingModelId),
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}
