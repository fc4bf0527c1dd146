import { expect } from 'vitest';
import { derivedName } from '#domain/catalog/derived-name.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { aCustomer } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';

const long = 'x'.repeat(255);

test('a name that fits is left as it is; of a longer one the ending stays', () => {
  expect(derivedName('Pro', ' x 3')).toBe('Pro x 3');
  expect(derivedName(long.slice(4), ' x 3')).toBe(`${long.slice(4)} x 3`);
  expect(derivedName(long, ' x 3')).toBe(`${long.slice(5)}… x 3`);
});

test('no character is cut in halves', () => {
  for (const text of ['💸'.repeat(200), `x${'💸'.repeat(200)}`]) {
    const name = derivedName(text, ' x 3');
    expect(name.isWellFormed()).toBe(true);
    expect(name.length).toBeLessThanOrEqual(255);
  }
});

test('a product and a price with the longest names can be subscribed to', async ({
  api,
  session,
}) => {
  const { body } = await api('POST', '/products', {
    product: { name: long, slug: 'long' },
    price: { type: 'subscription', unitPrice: 1, intervalUnit: 'month', name: long, slug: 'long' },
  });
  expect(body.product.name).toBe(long);
  const { id: customerId } = await aCustomer(session);
  const answer = await api('POST', '/subscriptions', {
    customerId,
    priceSlug: 'long',
    quantity: 9,
  });
  expect(answer.body.subscription.name).toBe(`${long.slice(1)}…`);
  const items = (
    await api('GET', `/subscription-items?subscriptionId=${answer.body.subscription.id}`)
  ).body.data;
  expect(items[0].name).toBe(long);
});

test('a free product with the longest name does not keep customers away', async ({
  api,
  session,
}) => {
  const { id } = (await api('GET', '/products')).body.data[0];
  expect((await api('PUT', `/products/${id}`, { product: { name: long } })).status).toBe(200);
  const customer = await aCustomer(session);
  const [{ name } = { name: '' }] = await session.em.find(Subscription, { customer });
  expect(name).toBe(`${long.slice(14)}… Subscription`);
});
