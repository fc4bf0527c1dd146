import { expect } from 'vitest';
import { readGuide } from '#rest/guides/index.ts';
import { test } from '../../../support/test.ts';

const yaml = { headers: { 'content-type': 'application/yaml' } };

test('each document of the guide can be applied as it is, and the whole one has every usual part', async ({
  api,
}) => {
  const guide = await readGuide('catalog');
  const documents = [...guide.matchAll(/<<'END'\n(.*?)\nEND\n/gs)].map(([, text = '']) => text);
  expect(documents).toHaveLength(2);
  for (const document of documents) {
    const { status, body } = await api('POST', '/pricing-models/setup', document, yaml);
    expect(status, JSON.stringify(body)).toBe(200);
  }
  const { body } = await api('POST', '/pricing-models/setup', documents[1], {
    headers: { ...yaml.headers, prefer: 'include=all' },
  });
  const { products, usageMeters } = body.pricingModel;
  const product = products.find(({ slug }: { slug: string }) => slug === 'tools');
  expect(product.defaultPrice).toMatchObject({ model: 'graduated', tiers: [{}, {}, {}] });
  expect(product.features.map(({ type }: { type: string }) => type).toSorted()).toEqual([
    'resource',
    'toggle',
    'usage_credit_grant',
  ]);
  expect(usageMeters).toMatchObject([{ slug: 'tool-calls', defaultPrice: { unitPrice: 2 } }]);
});

test('a wrong document is refused with all its problems at once, those of fields, slugs, references and defaults', async ({
  api,
  graphql,
}) => {
  const usage = { type: 'usage', usageEventsPerUnit: 1, intervalUnit: 'month', intervalCount: 1 };
  const document = {
    name: '',
    features: [
      { type: 'toggle', slug: 'sso', name: 'SSO', description: 'Sign on', amount: 5 },
      { type: 'toggle', slug: 'sso', name: 'SSO', description: 'Sign on', colour: 'red' },
      {
        type: 'resource',
        slug: 'seats',
        name: 'S',
        description: 'S',
        amount: 'five',
        resourceSlug: 'none',
      },
      { type: 'usage_credit_grant', slug: 'c', name: 'C', description: 'C' },
    ],
    usageMeters: [{ usageMeter: { name: 'Calls' }, prices: [{ ...usage, unitPrice: 1.5 }] }],
    products: [
      {
        product: { slug: 'free', name: 'Free', default: true },
        price: { type: 'subscription', unitPrice: 5, intervalCount: 0 },
        features: ['sso', 'unknown'],
      },
      { product: { slug: 'free' }, price: { type: 'monthly', unitPrice: 5 } },
    ],
  };
  const { status, body } = await api('POST', '/pricing-models/setup', document);
  expect(status).toBe(400);
  const paths = body.issues.map(({ message }: { message: string }) => message.split(': ')[0]);
  const wrong = [
    'features.0.amount',
    'features.1.colour',
    'features.1.slug',
    'features.2.amount',
    'features.2.resourceSlug',
    'features.3.amount',
    'features.3.renewalFrequency',
    'features.3.usageMeterSlug',
    'name',
    'products.0.features.1',
    'products.0.price.intervalCount',
    'products.0.price.intervalUnit',
    'products.0.price.unitPrice',
    'products.1.features',
    'products.1.price.type',
    'products.1.product.name',
    'products.1.product.slug',
    'usageMeters.0.prices.0.unitPrice',
    'usageMeters.0.usageMeter.slug',
  ];
  expect(paths.toSorted()).toEqual(wrong);

  const query = `mutation ($document: SetUpPricingModelInput!) {
    setUpPricingModel(pricingModel: $document) { pricingModel { id } }
  }`;
  const { errors } = await graphql(query, { document });
  type Issue = { path: (string | number)[]; message: string };
  const issues: Issue[] = errors.flatMap(
    ({ extensions }: { extensions: { issues: Issue[] } }) => extensions.issues,
  );
  const named = issues.map(({ path: [variable, ...path] }) => {
    expect(variable).toBe('document');
    return path.join('.');
  });
  expect(wrong.filter((path) => !named.includes(path))).toEqual([]);
});
