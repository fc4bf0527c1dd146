import { post } from '../engine/route.ts';
import { pricingModel } from './pricing-models.ts';

/** The older name and rendering of a pricing model. */
export const catalogs = [
  post(
    '/catalogs',
    /* GraphQL */ `
      mutation CreateCatalog($catalog: CreatePricingModelInput!) {
        body: createPricingModel(pricingModel: $catalog) { catalog: pricingModel { ...PricingModel } }
      }
      ${pricingModel}
    `,
    {
      legacy: { omit: [] },
      description:
        'Creates a pricing model under its older name; POST /pricing-models does the same. With `isDefault: true` it replaces the default pricing model, so that new API keys belong to it. Create an API key for it with `tollgate keys create --pricing-model ID`.',
    },
  ),
];
