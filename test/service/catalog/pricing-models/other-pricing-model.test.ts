import { expect } from 'vitest';
import {
  aCustomer,
  aPricingModel,
  aProduct,
  aResource,
  aUsageMeter,
  fresh,
} from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

test('an object of another pricing model is named as such, with the key that is needed', async ({
  api,
  session,
}) => {
  const other = await aPricingModel(session, { name: 'Studio' });
  const product = await aProduct(other, { slug: 'there' });
  const [price] = await product.prices.loadItems();
  const slug = 'pro-there';
  const { em } = fresh(session);
  await em.execute('update price set slug = ? where id = ?', [slug, price?.id]);
  const meter = await aUsageMeter(other, { slug: 'calls' });
  const resource = await aResource(other, { slug: 'rooms' });
  const { externalId } = await aCustomer(session);
  const ofModel = { type: 'subscription', intervalUnit: 'month', unitPrice: 1 };
  const feature = { name: 'F', slug: 'f', description: 'F', amount: 1 };
  const calls: [path: string, body: object][] = [
    ['/subscriptions', { customerExternalId: externalId, priceId: price?.id }],
    ['/subscriptions', { customerExternalId: externalId, priceSlug: slug }],
    ['/subscriptions', { customerExternalId: externalId, items: [{ priceId: price?.id }] }],
    ['/prices', { price: { ...ofModel, productId: product.id, isDefault: false } }],
    [
      '/features',
      {
        feature: {
          ...{ ...feature, type: 'usage_credit_grant', usageMeterId: meter.id },
          renewalFrequency: 'once',
        },
      },
    ],
    ['/features', { feature: { ...feature, type: 'resource', resourceId: resource.id } }],
  ];
  for (const [path, body] of calls) {
    const answer = await api('POST', path, body);
    expect(answer.status).toBe(400);
    expect([path, answer.body.issues[0].message]).toEqual([
      path,
      expect.stringMatching(
        new RegExp(
          `Unknown .*: it is of the pricing model Studio \\(${other.pricingModelId}\\), so use an API key of that`,
        ),
      ),
    ]);
  }
  const unknown = await api('POST', '/subscriptions', {
    customerExternalId: externalId,
    priceId: 'price_x',
  });
  expect(unknown.body.issues).toEqual([{ message: 'priceId: Unknown price price_x' }]);
});
