import { BadRequestError, NotFoundError } from '@flowglad/node';
import { describe, expect } from 'vitest';
import { errorOf, test } from '../sdk.ts';
import { aCatalog } from '../shop.ts';

describe('products', () => {
  test('are created, read, changed and listed', async ({ client, session }) => {
    const { pro, team } = await aCatalog(client, session);
    expect(pro).toMatchObject({
      ...{ name: 'pro', slug: 'pro', active: true, default: false, livemode: false },
      pricingModelId: session.pricingModelId,
    });
    const read = await client.products.retrieve(pro.id);
    expect(read).toMatchObject({ id: pro.id, defaultPrice: { unitPrice: 1_000 } });
    expect(read.features.map(({ slug }) => slug)).toEqual(['ten-seats']);
    const { product } = await client.products.update(pro.id, {
      product: { id: pro.id, name: 'Pro', active: true, description: null },
      featureIds: [],
    });
    expect(product).toMatchObject({ id: pro.id, name: 'Pro', slug: 'pro', description: null });
    expect((await client.products.retrieve(pro.id)).features).toEqual([]);
    const { data, total, hasMore, nextCursor } = await client.products.list({ limit: '2' });
    expect({ total, hasMore, length: data.length }).toEqual({ total: 3, hasMore: true, length: 2 });
    const last = await client.products.list({ cursor: `${nextCursor}` });
    expect(last).toMatchObject({ hasMore: false, data: [{ id: team.id }] });
  });

  test('that are missing or wrong are typed errors', async ({ client, session }) => {
    const missing = await errorOf(client.products.retrieve('prod_none'));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ status: 404, error: { code: 'NOT_FOUND', issues: [] } });
    const product = {
      ...{ name: '', slug: 'x', active: true },
      pricingModelId: session.pricingModelId,
    };
    const refused = await errorOf(
      client.products.create({
        product,
        price: {
          ...{ type: 'subscription', unitPrice: -1, isDefault: true },
          ...{ intervalUnit: 'month', intervalCount: 1 },
        },
      }),
    );
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({
      error: {
        code: 'BAD_REQUEST',
        issues: [
          { message: expect.stringMatching(/^product\.name: /) },
          { message: expect.stringMatching(/^price\.unitPrice: /) },
        ],
      },
    });
  });
});

describe('prices', () => {
  test('are created, changed and listed', async ({ client, session }) => {
    const { pro } = await aCatalog(client, session);
    const { price } = await client.prices.create({
      price: {
        ...{ type: 'subscription', productId: pro.id, slug: 'pro-yearly', unitPrice: 10_000 },
        ...{ intervalUnit: 'year', intervalCount: 1, isDefault: false },
      },
    });
    expect(price).toMatchObject({ productId: pro.id, isDefault: false, intervalUnit: 'year' });
    const changed = await client.prices.update(price.id, {
      price: { id: price.id, type: 'subscription', isDefault: false, name: 'Yearly' },
    });
    expect(changed.price).toMatchObject({ id: price.id, name: 'Yearly', unitPrice: 10_000 });
    const { data } = await client.prices.list({ limit: '100' });
    expect(data.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(['pro-monthly', 'team-monthly', 'pro-yearly']),
    );
    const taken = errorOf(
      client.prices.create({
        price: {
          ...{ type: 'subscription', productId: pro.id, slug: 'pro-yearly', unitPrice: 1 },
          ...{ intervalUnit: 'year', intervalCount: 1, isDefault: false },
        },
      }),
    );
    expect(await taken).toBeInstanceOf(BadRequestError);
  });
});

describe('pricingModels', () => {
  test('are created, read, changed and listed', async ({ client, session }) => {
    await aCatalog(client, session);
    const { pricingModel } = await client.pricingModels.retrieveDefault();
    expect(pricingModel).toMatchObject({ id: session.pricingModelId, isDefault: true });
    const slugs = pricingModel.products.map(({ slug }) => slug);
    expect(slugs).toEqual(expect.arrayContaining(['pro', 'team']));
    expect(pricingModel.usageMeters.map(({ slug }) => slug)).toEqual(['calls']);
    const created = await client.pricingModels.create({
      pricingModel: { name: 'Resellers' },
      defaultPlanIntervalUnit: 'month',
    });
    expect(created.pricingModel).toMatchObject({ name: 'Resellers', isDefault: false });
    const updated = await client.pricingModels.update(session.pricingModelId, {
      pricingModel: { id: session.pricingModelId, name: 'Shop' },
    });
    expect(updated.pricingModel.name).toBe('Shop');
    const read = await client.pricingModels.retrieve(session.pricingModelId);
    expect(read.pricingModel).toMatchObject({ id: session.pricingModelId, name: 'Shop' });
    const { data, total } = await client.pricingModels.list();
    expect(data.map(({ name }) => name).sort()).toEqual(['Resellers', 'Shop']);
    expect(total).toBe(2);
    const missing = await errorOf(client.pricingModels.retrieve('pricing_model_none'));
    expect(missing).toBeInstanceOf(NotFoundError);
  });
});

describe('usageMeters', () => {
  test('are created, read, changed and listed', async ({ client, session }) => {
    const { usageMeter } = await aCatalog(client, session);
    expect(usageMeter).toMatchObject({ slug: 'calls', aggregationType: 'sum' });
    const changed = await client.usageMeters.update(usageMeter.id, {
      usageMeter: { id: usageMeter.id, name: 'API calls' },
    });
    expect(changed.usageMeter).toMatchObject({ id: usageMeter.id, name: 'API calls' });
    const read = await client.usageMeters.retrieve(usageMeter.id);
    expect(read.usageMeter).toEqual(changed.usageMeter);
    expect((await client.usageMeters.list()).data).toEqual([changed.usageMeter]);
    const missing = await errorOf(client.usageMeters.retrieve('usage_meter_none'));
    expect(missing).toBeInstanceOf(NotFoundError);
  });
});

describe('resources', () => {
  test('are created, read, changed and listed', async ({ client, session }) => {
    const { resource } = await aCatalog(client, session);
    expect(resource).toMatchObject({ slug: 'seats', active: true });
    const changed = await client.resources.update(resource.id, {
      resource: { id: resource.id, name: 'Team seats' },
    });
    expect(changed.resource).toMatchObject({ id: resource.id, name: 'Team seats' });
    expect((await client.resources.retrieve(resource.id)).resource).toEqual(changed.resource);
    const { resources } = await client.resources.list({ pricingModelId: session.pricingModelId });
    expect(resources).toEqual([changed.resource]);
    const missing = await errorOf(client.resources.retrieve('resource_none'));
    expect(missing).toBeInstanceOf(NotFoundError);
  });
});
