import { NotFoundError } from '@flowglad/node';
import { describe, expect } from 'vitest';
import { errorOf, serves, test } from '../sdk.ts';
import { aCatalog } from '../shop.ts';

describe.skipIf(!serves('POST /pricing-models/{id}/clone'))('pricingModels, cloned', () => {
  test('have the products and meters of the original', async ({ client, session }) => {
    await aCatalog(client, session);
    const { pricingModel } = await client.pricingModels.clone(session.pricingModelId, {
      name: 'Copy',
    });
    expect(pricingModel).toMatchObject({ name: 'Copy', isDefault: false });
    expect(pricingModel.id).not.toBe(session.pricingModelId);
    const missing = errorOf(client.pricingModels.clone('pricing_model_none', { name: 'Copy' }));
    expect(await missing).toBeInstanceOf(NotFoundError);
  });
});
