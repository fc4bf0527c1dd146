import { describe, expect } from 'vitest';
import {
  aLiveSession,
  aPricingModel,
  aProduct,
  aToggle,
  aUsageMeter,
} from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { type graphqlOf, test } from '../../../support/test.ts';

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
      pricingModel {
        id isDefault livemode
      }
    }
  }
`;

const update = /* GraphQL */ `
  mutation Update($id: ID!, $pricingModel: UpdatePricingModelInput!) {
    updatePricingModel(id: $id, pricingModel: $pricingModel) { pricingModel { id name isDefault } }
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
      '{ pricingModels(where: { isDefault: true }) { totalCount nodes { id } } }',
    );
    expect(data.pricingModels).toEqual({ totalCount: 1, nodes: [{ id: session.pricingModelId }] });
  });
});

describe('createPricingModel and updatePricingModel', () => {
  test('move the default from one model to the other', async ({ graphql, session }) => {
    const pricingModel = { name: 'Spring', isDefault: true };
    const { data } = await graphql(create, { pricingModel, unit: 'year' });
    expect(data.createPricingModel.pricingModel).toMatchObject({
      isDefault: true,
      livemode: false,
    });
    const back = { id: session.pricingModelId, pricingModel: { isDefault: true } };
    expect((await graphql(update, back)).data.updatePricingModel.pricingModel.isDefault).toBe(true);
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

describe('setUpPricingModel, clonePricingModel and exportPricingModel', () => {
  const document = {
    name: 'Default',
    usageMeters: [],
    features: [{ type: 'toggle', slug: 'sso', name: 'SSO', description: '' }],
    products: [
      {
        product: { slug: 'pro', name: 'Pro' },
        price: { type: 'subscription', slug: 'pro', unitPrice: 500, intervalUnit: 'month' },
        otherPrices: [
          { type: 'subscription', slug: 'pro-yearly', unitPrice: 5_000, intervalUnit: 'year' },
        ],
        features: ['sso'],
      },
    ],
  };
  const setUp = /* GraphQL */ `
    mutation ($document: SetUpPricingModelInput!) {
      setUpPricingModel(pricingModel: $document) {
        pricingModel { id name }
        plan {
          created { type objectId slug owner reason fields { name from to } }
          changed { type objectId slug fields { name from to } }
          retired { type slug owner reason }
        }
      }
    }
  `;
  const exporting = 'query ($id: ID!) { exportPricingModel(id: $id) { pricingModel updatedAt } }';
  const exported = async (graphql: ReturnType<typeof graphqlOf>, id: string) =>
    (await graphql(exporting, { id })).data.exportPricingModel.pricingModel;
  const nothing = { created: [], changed: [], retired: [] };

  test('the plan is in the payload, and the exported document is a value of the input', async ({
    graphql,
    session,
  }) => {
    const { data, errors } = await graphql(setUp, { document });
    expect(errors).toBeUndefined();
    const { pricingModel, plan } = data.setUpPricingModel;
    expect(pricingModel).toEqual({ id: session.pricingModelId, name: 'Default' });
    expect(plan).toMatchObject({
      created: [
        { type: 'feature', objectId: null, slug: 'sso', owner: null, fields: [] },
        { type: 'product', slug: 'pro' },
        { type: 'price', slug: 'pro', owner: 'pro' },
        { type: 'price', slug: 'pro-yearly', owner: 'pro' },
        { type: 'product_feature', slug: 'sso', owner: 'pro' },
      ],
      changed: [],
      retired: [],
    });
    const written = await exported(graphql, session.pricingModelId);
    const again = await graphql(setUp, { document: written });
    expect(again.data.setUpPricingModel.plan).toMatchObject(nothing);
    const changed = {
      ...document,
      features: [{ ...document.features[0], name: 'Single sign-on' }],
    };
    const objects = /* GraphQL */ `
      mutation ($document: SetUpPricingModelInput!) {
        setUpPricingModel(pricingModel: $document) {
          plan { changed { object { id ... on Feature { name } } objectId } }
        }
      }
    `;
    const [feature] = (await graphql(objects, { document: changed })).data.setUpPricingModel.plan
      .changed;
    expect(feature.object).toEqual({ id: feature.objectId, name: 'Single sign-on' });
  });

  test('a dry run with `dryRun` has the plan as an effect and writes nothing, also of updatePricingModel', async ({
    gateway,
    graphql,
    session,
    tenant,
  }) => {
    const dry = async (query: string, variables: object) => {
      const response = await gateway.fetch('http://test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tenant.key}` },
        body: JSON.stringify({ query, variables, extensions: { dryRun: true } }),
      });
      return ((await response.json()) as { extensions: { effects: { catalog: object } } })
        .extensions.effects.catalog;
    };
    const planned = await dry(setUp, { document });
    expect(planned).toMatchObject({ created: { length: 5 }, changed: [], retired: [] });
    const { name: _, ...structure } = document;
    const update = /* GraphQL */ `
      mutation ($id: ID!, $pricingModel: UpdatePricingModelInput!) {
        updatePricingModel(id: $id, pricingModel: $pricingModel) { pricingModel { id } }
      }
    `;
    const id = session.pricingModelId;
    const pricingModel = { ...structure, resources: [] };
    expect(await dry(update, { id, pricingModel })).toEqual(planned);
    expect((await exported(graphql, id)).features).toEqual([]);
    const { data } = await graphql(update, { id, pricingModel });
    expect(data.updatePricingModel.pricingModel).toEqual({ id });
    expect(await dry(setUp, { document })).toMatchObject(nothing);
  });

  test('a copy equals its original; an unknown one is null with NOT_FOUND', async ({
    graphql,
    session,
  }) => {
    await graphql(setUp, { document });
    const clone =
      'mutation ($id: ID!) { clonePricingModel(id: $id, name: "Copy") { pricingModel { id isDefault products { slug activePrices { slug } } } } }';
    const { data } = await graphql(clone, { id: session.pricingModelId });
    const { id, ...copy } = data.clonePricingModel.pricingModel;
    expect(copy).toMatchObject({ isDefault: false, products: [{}, {}] });
    expect(copy.products).toContainEqual({
      slug: 'pro',
      activePrices: [{ slug: 'pro' }, { slug: 'pro-yearly' }],
    });
    const original = await exported(graphql, session.pricingModelId);
    expect(await exported(graphql, id)).toEqual({ ...original, name: 'Copy', isDefault: false });
    for (const answer of [
      await graphql(clone, { id: 'x' }),
      await graphql(exporting, { id: 'x' }),
    ]) {
      expect(Object.values(answer.data)).toEqual([null]);
      expect(answer.errors[0].extensions.code).toBe('NOT_FOUND');
    }
  });

  test('a wrong document names the path of each field with its code', async ({ graphql }) => {
    const wrong = { ...document, products: [{ ...document.products[0], features: ['sso', 'x'] }] };
    const { errors } = await graphql(setUp, { document: wrong });
    expect(errors[0].extensions.issues).toEqual([
      {
        code: 'NOT_FOUND',
        path: ['pricingModel', 'products', 0, 'features', 1],
        message: 'Unknown feature x: the document has none with this slug',
      },
    ]);
  });
});
