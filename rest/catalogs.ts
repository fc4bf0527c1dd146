import { post } from './engine/route.ts';
import { pricingModel } from './pricing-models.ts';

/** The older name and rendering of a pricing model. */
export const catalogs = [
  post(
    '/catalogs',
    /* GraphQL */ `
      mutation CreateCatalog($catalog: CreatePricingModelInput!) {
        catalog: createPricingModel(pricingModel: $catalog) { ...PricingModel }
      }
      ${pricingModel}
    `,
    {
      legacy: { omit: [] },
      description:
        'Creates a pricing model under its older name; POST /pricing-models does the same. With `isDefault: true` it takes the place of the default one: new keys are then made for it. A key for it: `npm run keys -- create --pricing-model ID`.',
    },
  ),
];
