import { expect } from 'vitest';
import { updateProduct } from '#domain/catalog/commands/products/update-product.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { connect } from '#server/database/database.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import {
  aProduct,
  aProductFeature,
  aSubscription,
  aToggle,
  fresh,
} from '../../../support/factories.ts';
import { graphqlOf, test } from '../../../support/test.ts';

test('products with prices and features take as many statements for 100 products as for one', async ({
  database,
  hub,
  session,
  tenant,
}) => {
  const statements: string[] = [];
  const orm = await connect({ databaseUrl: database.databaseUrl, poolSize: 5 });
  const log = orm.config.getLogger();
  log.logQuery = ({ query }) => statements.push(query ?? '');
  const gateway = createGateway({
    orm,
    hub,
    logger: createLogger('silent'),
    production: true,
    operationTimeLimitSeconds: 30,
  });
  const graphql = graphqlOf(gateway, tenant.key);
  const query = `query($first: Int) { products(first: $first) {
    nodes { slug defaultPrice { id unitPrice product { id } } prices { id } features { id slug } }
  } }`;
  const feature = await aToggle(session);
  for (let n = 0; n < 99; n++) await aProduct(session, { featureIds: [feature.id] });

  // The key is looked up once and then known; that statement is not the query's.
  await graphql('{ __typename }');
  const counts: number[] = [];
  for (const first of [2, 100]) {
    statements.length = 0;
    const { data, errors } = await graphql(query, { first });
    expect(errors).toBeUndefined();
    expect(data.products.nodes).toHaveLength(first);
    for (const product of data.products.nodes) {
      expect(product.prices).toHaveLength(1);
      expect(product.features).toEqual(
        product.slug === 'free' ? [] : [{ id: feature.id, slug: feature.slug }],
      );
    }
    counts.push(statements.length);
  }
  await orm.close();
  expect(counts[0]).toBeGreaterThan(2);
  expect(counts[0]).toBeLessThan(8);
  expect(counts[1]).toBe(counts[0]);
});

test('what a mutation answers can be followed into what belongs to it', async ({
  graphql,
  session,
}) => {
  const feature = await aToggle(session);
  const { data, errors } = await graphql(
    `mutation($features: [ID!]) { createProduct(
      product: { name: "Team", slug: "team" }
      price: { type: subscription, unitPrice: 1500, intervalUnit: year, slug: "team" }
      featureIds: $features
    ) { product { slug prices { unitPrice product { slug } } defaultPrice { intervalCount } features { id } } } }`,
    { features: [feature.id] },
  );
  expect(errors).toBeUndefined();
  expect(data.createProduct.product).toEqual({
    slug: 'team',
    prices: [{ unitPrice: 1500, product: { slug: 'team' } }],
    defaultPrice: { intervalCount: 1 },
    features: [{ id: feature.id }],
  });
});

test('a changed price shows in the same answer, the retired one next to it', async ({
  graphql,
  session,
}) => {
  const product = await aProduct(session);
  const { data } = await graphql(
    `mutation($id: ID!) { updateProduct(id: $id, price: { unitPrice: 1200 }) {
      product {
        prices { unitPrice active } defaultPrice { unitPrice }
      }
    } }`,
    { id: product.id },
  );
  expect(data.updateProduct.product.defaultPrice).toEqual({ unitPrice: 1200 });
  expect(data.updateProduct.product.prices).toHaveLength(2);
  expect(data.updateProduct.product.prices).toContainEqual({ unitPrice: 1000, active: false });
});

test('node(id) gives any object by the prefix of its id', async ({ graphql, session }) => {
  const product = await aProduct(session);
  const query = 'query($id: ID!) { node(id: $id) { __typename id ... on Product { slug } } }';
  expect((await graphql(query, { id: product.id })).data).toEqual({
    node: { __typename: 'Product', id: product.id, slug: product.slug },
  });
  for (const id of ['prod_unknown', 'nothing', 'usage_meter_', '']) {
    expect((await graphql(query, { id })).data, id).toEqual({ node: null });
  }
});

test('lists can be filtered, ordered and counted', async ({ graphql, session }) => {
  for (const name of ['A', 'B', 'C']) await aProduct(session, { name });
  const { data, errors } = await graphql(`{
    all: products { totalCount }
    others: products(where: { default: false }, orderBy: created_at_desc, first: 2) {
      totalCount
      pageInfo { hasNextPage }
      edges { cursor node { default } }
    }
  }`);
  expect(errors).toBeUndefined();
  expect(data.all.totalCount).toBe(4);
  expect(data.others).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
  expect(data.others.edges).toHaveLength(2);
});

test('a product grants 1,000 features at most, and so does a subscription item by hand', async ({
  session,
  graphql,
}) => {
  const product = await aProduct(session);
  const { id, items } = await aSubscription(session, { doNotCharge: true });
  const [first] = await items.loadItems();
  await addFeatureToSubscription(fresh(session), { id, featureId: (await aToggle(session)).id });
  const { em, organizationId, pricingModelId, livemode } = fresh(session);
  const own = [livemode, organizationId, pricingModelId];
  await em.execute(
    `insert into feature (id, created_at, updated_at, livemode, organization_id, pricing_model_id, type, slug, name, description)
     select 'feature_many_' || n, now(), now(), ?, ?, ?, 'toggle', 'many-' || n, 'Many', 'Many' from generate_series(1, 999) n`,
    own,
  );
  await em.execute(
    `insert into product_feature (id, created_at, updated_at, livemode, organization_id, pricing_model_id, product_id, feature_id)
     select 'product_feature_many_' || n, now(), now(), ?, ?, ?, ?, 'feature_many_' || n from generate_series(1, 999) n`,
    [...own, product.id],
  );
  await em.execute(
    `insert into subscription_item_feature (id, created_at, updated_at, livemode, organization_id, pricing_model_id,
       subscription_item_id, feature_id, type, customer_id, subscription_id)
     select 'subscription_item_feature_many_' || n, now(), now(), ?, ?, ?, i.id, 'feature_many_' || n, 'toggle', i.customer_id, i.subscription_id
     from generate_series(1, 999) n, subscription_item i where i.subscription_id = ? and i.id <> ?`,
    [...own, id, first?.id],
  );
  const [last, further] = [await aToggle(session), await aToggle(session)];
  const refusal = { code: 'BAD_REQUEST', issues: [{ code: 'OUT_OF_RANGE' }] };
  await aProductFeature(session, product.id, last.id);
  await expect(aProductFeature(session, product.id, further.id)).rejects.toMatchObject(refusal);
  const change = { id: product.id, featureIds: [further.id] };
  await expect(updateProduct(fresh(session), change)).rejects.toMatchObject(refusal);
  const added = addFeatureToSubscription(fresh(session), { id, featureId: further.id });
  await expect(added).rejects.toMatchObject(refusal);
  const { data } = await graphql('query($id: ID!) { product(id: $id) { features { id } } }', {
    id: product.id,
  });
  expect(data.product.features).toHaveLength(1_000);
});
