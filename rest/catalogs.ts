import { pricingModel } from './pricing-models.ts';
import { post } from './route.ts';

/** The documented older name and rendering of a pricing model (specification, endpoint 19). */
export const catalogs = [
  post(
    '/catalogs',
    /* GraphQL */ `
      mutation CreateCatalog($catalog: CreatePricingModelInput!) {
        catalog: createPricingModel(pricingModel: $catalog) { ...PricingModel }
      }
      ${pricingModel}
    `,
    { legacy: { omit: [] } },
  ),
];
