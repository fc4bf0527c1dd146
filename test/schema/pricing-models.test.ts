import { describe, expect } from 'vitest';
import {
  aLiveSession,
  aPricingModel,
  aProduct,
  aToggle,
  aUsageMeter,
} from '../support/factories.ts';
import { aKey, aTenant, test } from '../support/test.ts';

const contents = /* GraphQL */ `
  query Contents {
    pricingModels(first: 100) {
      totalCount
      nodes {
        id
        products { slug pricingModelId prices { pricingModelId } features { slug pricingModelId } }
        usageMeters { slug pricingModelId prices { slug pricingModelId } defaultPrice { slug } }
        defaultProduct { slug pricingModelId }
      }
    }
  }
`;

const create = /* GraphQL */ `
  mutation Create($pricingModel: CreatePricingModelInput!, $unit: IntervalUnit) {
    createPricingModel(pricingModel: $pricingModel, defaultPlanIntervalUnit: $unit) {
      id isDefault livemode
    }
  }
`;

const update = /* GraphQL */ `
  mutation Update($id: ID!, $pricingModel: UpdatePricingModelInput!) {
    updatePricingModel(id: $id, pricingModel: $pricingModel) { id name isDefault }
  }
`;

describe('pricingModels', () => {
  test('shows several models side by side, and of one’s own what is in it', async ({
    graphql,
    session,
  }) => {
    const models = [session, await aPricingModel(session), await aPricingModel(session)];
    for (const [n, model] of models.entries()) {
      const toggle = await aToggle(model, { slug: `toggle-${n}` });
      await aProduct(model, { slug: `product-${n}`, featureIds: [toggle.id] });
      await aUsageMeter(model, { slug: `meter-${n}` });
    }
    const { data, errors } = await graphql(contents);
    expect(errors).toBeUndefined();
    expect(data.pricingModels.totalCount).toBe(3);
    for (const [n, { pricingModelId }] of models.entries()) {
      const shown = data.pricingModels.nodes.find(
        ({ id }: { id: string }) => id === pricingModelId,
      );
      if (n > 0) {
        const nothing = { products: [], usageMeters: [], defaultProduct: null };
        expect(shown).toEqual({ id: pricingModelId, ...nothing });
        continue;
      }
      const own = { pricingModelId };
      expect(shown).toEqual({
        id: pricingModelId,
        products: expect.arrayContaining([
          { slug: 'free', ...own, prices: [own], features: [] },
          {
            slug: `product-${n}`,
            ...own,
            prices: [own],
            features: [{ slug: `toggle-${n}`, ...own }],
          },
        ]),
        usageMeters: [
          {
            slug: `meter-${n}`,
            ...own,
            prices: [{ slug: `meter-${n}_no_charge`, ...own }],
            defaultPrice: { slug: `meter-${n}_no_charge` },
          },
        ],
        defaultProduct: { slug: 'free', ...own },
      });
      expect(shown.products).toHaveLength(2);
    }
  });

  test('of a publishable key is its own one', async ({ graphql, session }) => {
    const { pricingModelId } = await aPricingModel(session);
    const key = await aKey(session, 'publishable');
    const own = '{ pricingModels(first: 10) { totalCount nodes { id } } }';
    const { data } = await graphql(own, {}, { key });
    expect(data.pricingModels).toMatchObject({
      totalCount: 1,
      nodes: [{ id: session.pricingModelId }],
    });
    const node = 'query Node($id: ID!) { node(id: $id) { id } }';
    expect((await graphql(node, { id: pricingModelId }, { key })).data.node).toBeNull();
    expect((await graphql(node, { id: pricingModelId })).data.node).toEqual({ id: pricingModelId });
  });

  test('are those of one organization and mode', async ({ graphql, session, database }) => {
    await aLiveSession(session);
    await aTenant(database.orm.em);
    const { data } = await graphql(contents);
    expect(data.pricingModels).toMatchObject({
      totalCount: 1,
      nodes: [{ id: session.pricingModelId }],
    });
  });

  test('can be filtered by being the default', async ({ graphql, session }) => {
    await aPricingModel(session);
    const { data } = await graphql(
      '{ pricingModels(filter: { isDefault: true }) { totalCount nodes { id } } }',
    );
    expect(data.pricingModels).toEqual({ totalCount: 1, nodes: [{ id: session.pricingModelId }] });
  });
});

describe('createPricingModel and updatePricingModel', () => {
  test('move the default from one model to the other', async ({ graphql, session }) => {
    const pricingModel = { name: 'Spring', isDefault: true };
    const { data } = await graphql(create, { pricingModel, unit: 'year' });
    expect(data.createPricingModel).toMatchObject({
      isDefault: true,
      livemode: false,
    });
    const back = { id: session.pricingModelId, pricingModel: { isDefault: true } };
    expect((await graphql(update, back)).data.updatePricingModel.isDefault).toBe(true);
    const current = await graphql('{ defaultPricingModel { id } }');
    expect(current.data.defaultPricingModel.id).toBe(session.pricingModelId);
  });

  test('refuse a second live model', async ({ graphql, session }) => {
    const key = await aKey(await aLiveSession(session), 'secret');
    const { data, errors } = await graphql(create, { pricingModel: { name: 'Two' } }, { key });
    expect(data).toEqual({ createPricingModel: null });
    expect(errors).toMatchObject([
      {
        message: 'Invalid input data',
        extensions: { code: 'BAD_REQUEST', issues: [{ path: ['pricingModel', 'livemode'] }] },
      },
    ]);
  });

  test('take a secret key', async ({ graphql, session }) => {
    const key = await aKey(session, 'publishable');
    const pricingModel = { name: 'Spring' };
    const answers = [
      await graphql(create, { pricingModel }, { key }),
      await graphql(update, { id: session.pricingModelId, pricingModel }, { key }),
    ];
    for (const { errors } of answers)
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});
