import { describe, expect } from 'vitest';
import { anAdjustable } from '../../../support/adjustments.ts';
import { aCustomer, aProduct } from '../../../support/factories.ts';
import { type Answer, test } from '../../../support/test.ts';

type Api = (method: string, path: string, body?: unknown) => Promise<Answer>;

const monthly = { type: 'subscription', unitPrice: 900, intervalUnit: 'month' };
const yearly = { ...monthly, unitPrice: 9_000, intervalUnit: 'year', slug: 'pro-yearly' };

const inUse = async (api: Api, productId: string) =>
  (await api('GET', `/products/${productId}`)).body.prices
    .filter(({ active }: { active: boolean }) => active)
    .map(({ slug, isDefault }: { slug: string; isDefault: boolean }) => [slug, isDefault]);

const subscribed = (api: Api, price: object, customerExternalId: string) =>
  api('POST', '/subscriptions', { customerExternalId, doNotCharge: true, ...price });

const issueOf = ({ body }: Answer) => body.issues[0]?.message;

describe('Month and year', () => {
  test('are sold side by side, and a change of the one leaves the other', async ({
    api,
    session,
  }) => {
    const { id: productId } = await aProduct(session, { price: { slug: 'pro-monthly' } });
    const price = { ...yearly, productId, isDefault: false };
    const { body } = await api('POST', '/prices', { price });
    expect(body.price).toMatchObject({ isDefault: false, active: true, slug: 'pro-yearly' });
    const both = [
      ['pro-monthly', true],
      ['pro-yearly', false],
    ];
    expect(await inUse(api, productId)).toEqual(both);
    await aCustomer(session, { externalId: 'ada' });
    await aCustomer(session, { externalId: 'bob' });
    for (const [priceSlug, name] of [
      ['pro-monthly', 'ada'],
      ['pro-yearly', 'bob'],
    ] as const) {
      expect((await subscribed(api, { priceSlug }, name)).status).toBe(200);
    }
    await api('PUT', `/products/${productId}`, { price: { unitPrice: 1_000 } });
    const after = await inUse(api, productId);
    expect(after.sort()).toEqual(both);
  });

  test('take another step each: the default moves, the side price is retired', async ({
    api,
    session,
  }) => {
    const { id: productId } = await aProduct(session, { price: { slug: 'pro-monthly' } });
    const made = await api('POST', '/prices', {
      price: { ...yearly, productId, isDefault: false },
    });
    const { id } = made.body.price;
    await api('PUT', `/prices/${id}`, { price: { isDefault: true } });
    expect(await inUse(api, productId)).toEqual([
      ['pro-monthly', false],
      ['pro-yearly', true],
    ]);
  });

  test('are of one type, and not for the default product', async ({ api, session }) => {
    const { id: productId } = await aProduct(session);
    const once = { type: 'single_payment', unitPrice: 5, isDefault: false };
    expect((await api('POST', '/prices', { price: { ...once, productId } })).status).toBe(403);
    const { data } = (await api('GET', '/products')).body;
    const free = data.find((product: { default: boolean }) => product.default);
    const price = { ...yearly, productId: free.id, isDefault: false };
    expect((await api('POST', '/prices', { price })).status).toBe(403);
  });

  test('a price next to the default may begin inactive', async ({ api, session }) => {
    const { id: productId } = await aProduct(session);
    const price = { ...yearly, productId, isDefault: false, active: false };
    const { body } = await api('POST', '/prices', { price });
    expect(body.price).toMatchObject({ isDefault: false, active: false });
    const started = await api('PUT', `/prices/${body.price.id}`, { price: { active: true } });
    expect(started.body.price.active).toBe(true);
  });
});

describe('A retired price', () => {
  const named = (slug: string, successor: string) =>
    new RegExp(`^priceSlug: ${slug} is retired since 20\\d\\d-.*Z; use ${successor}$`);

  test('is named as that, with its successor, by slug and by id', async ({ api, session }) => {
    const { id: productId } = await aProduct(session, { price: { slug: 'pro-monthly' } });
    const [old] = (await api('GET', `/products/${productId}`)).body.prices;
    await aCustomer(session, { externalId: 'ada' });
    await api('POST', '/prices', { price: { ...yearly, productId } });
    const bySlug = await subscribed(api, { priceSlug: 'pro-monthly' }, 'ada');
    expect(bySlug.status).toBe(400);
    expect(issueOf(bySlug)).toMatch(named('pro-monthly', 'pro-yearly'));
    const byId = await subscribed(api, { priceId: old.id }, 'ada');
    expect(issueOf(byId)).toMatch(/^priceId: price_\w+ is retired since .*; use pro-yearly$/);
  });

  test('leads along several successors to the one in use', async ({ api, session }) => {
    const { id: productId } = await aProduct(session, { price: { slug: 'one' } });
    for (const slug of ['two', 'three']) {
      await api('PUT', `/products/${productId}`, { price: { slug, unitPrice: slug.length } });
    }
    await aCustomer(session, { externalId: 'ada' });
    expect(issueOf(await subscribed(api, { priceSlug: 'one' }, 'ada'))).toMatch(
      named('one', 'three'),
    );
  });

  test('retired by itself leads to the default, and revived it is for sale', async ({
    api,
    session,
  }) => {
    const { id: productId } = await aProduct(session, { price: { slug: 'pro-monthly' } });
    const made = await api('POST', '/prices', {
      price: { ...yearly, productId, isDefault: false },
    });
    const { id } = made.body.price;
    await api('PUT', `/prices/${id}`, { price: { active: false } });
    await aCustomer(session, { externalId: 'ada' });
    expect(issueOf(await subscribed(api, { priceSlug: 'pro-yearly' }, 'ada'))).toMatch(
      named('pro-yearly', 'pro-monthly'),
    );
    await api('PUT', `/prices/${id}`, { price: { active: true } });
    expect((await subscribed(api, { priceSlug: 'pro-yearly' }, 'ada')).status).toBe(200);
  });

  test('is refused by name in an adjustment, too', async ({ api, session }) => {
    const { id: productId } = await aProduct(session, { price: { slug: 'old' } });
    await api('PUT', `/products/${productId}`, { price: { slug: 'new', unitPrice: 1 } });
    await aCustomer(session, { externalId: 'ada' });
    const { id } = await anAdjustable(session);
    const adjustment = { timing: 'immediately', newSubscriptionItems: [{ priceSlug: 'old' }] };
    const path = `/subscriptions/${id}/adjust`;
    expect(issueOf(await api('POST', path, { adjustment }))).toMatch(
      /newSubscriptionItems\.0\.priceSlug: old is retired since .*; use new$/,
    );
  });
});
