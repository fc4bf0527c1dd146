import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';
import { price } from './prices.ts';
import { productOnSale } from './products.ts';

export const pricingModel = fragment(
  'PricingModel',
  /* GraphQL */ `
    fragment PricingModel on PricingModel {
      id createdAt updatedAt livemode organizationId isDefault name
    }
  `,
);

/** A pricing model with its products, usage meters and default product. */
export const pricingModelDetails = fragment(
  'PricingModelDetails',
  /* GraphQL */ `
    fragment PricingModelDetails on PricingModel {
      ...PricingModel
      products { ...ProductOnSale }
      usageMeters {
        id createdAt updatedAt livemode organizationId name pricingModelId slug aggregationType
        prices { ...Price }
        defaultPrice { ...Price }
      }
      defaultProduct { ...ProductOnSale }
    }
  `,
  [pricingModel, price, productOnSale],
);

/** Keys of a catalog document that the published one does not have. */
const documentExtras = [
  ...['otherPrices', 'taxCode', 'addOn', 'rollover'],
  ...['model', 'tiers', 'packageSize', 'percentage', 'fixedFee', 'freeUnits', 'minimumAmount'],
  ...['maximumAmount', 'matrix'],
];

/** The largest document of a catalog. */
const documentBytes = 8 * 1024 * 1024;

export const pricingModels = [
  list('/pricing-models', 'pricingModels', pricingModel),
  get(
    '/pricing-models/default',
    /* GraphQL */ `
      query GetDefaultPricingModel { pricingModel: defaultPricingModel { ...PricingModelDetails } }
      ${pricingModelDetails}
    `,
    { versioned: 'pricingModel' },
  ),
  get(
    '/pricing-models/:id',
    /* GraphQL */ `
      query GetPricingModel($id: ID!) { pricingModel(id: $id) { ...PricingModelDetails } }
      ${pricingModelDetails}
    `,
    { versioned: 'pricingModel' },
  ),
  post(
    '/pricing-models',
    /* GraphQL */ `
      mutation CreatePricingModel(
        $pricingModel: CreatePricingModelInput!
        $defaultPlanIntervalUnit: IntervalUnit
      ) {
        body: createPricingModel(
          pricingModel: $pricingModel
          defaultPlanIntervalUnit: $defaultPlanIntervalUnit
        ) { pricingModel { ...PricingModel } }
      }
      ${pricingModel}
    `,
    { versioned: 'body.pricingModel' },
  ),
  post(
    '/pricing-models/setup',
    /* GraphQL */ `
      mutation SetUpPricingModel($input: SetUpPricingModelInput!, $expectedCatalog: String) {
        body: setUpPricingModel(pricingModel: $input, expectedCatalog: $expectedCatalog) { pricingModel { ...PricingModelDetails } }
      }
      ${pricingModelDetails}
    `,
    { limitBytes: documentBytes, yaml: { body: true }, strict: 'all' },
  ),
  post(
    '/pricing-models/:id/clone',
    /* GraphQL */ `
      mutation ClonePricingModel(
        $id: ID!
        $name: String!
        $destinationEnvironment: PricingModelEnvironment
      ) {
        body: clonePricingModel(
          id: $id
          name: $name
          destinationEnvironment: $destinationEnvironment
        ) { pricingModel { ...PricingModelDetails } }
      }
      ${pricingModelDetails}
    `,
  ),
  get(
    '/pricing-models/:id/export',
    /* GraphQL */ `
      query ExportPricingModel($id: ID!) {
        body: exportPricingModel(id: $id) { pricingModel updatedAt }
      }
    `,
    {
      yaml: { answer: 'pricingModel', schema: 'SetUpPricingModelInput' },
      extraKeys: documentExtras,
    },
  ),
  put(
    '/pricing-models/:id',
    /* GraphQL */ `
      mutation UpdatePricingModel(
        $id: ID!
        $pricingModel: UpdatePricingModelInput!
        $expectedCatalog: String
      ) {
        body: updatePricingModel(
          id: $id
          pricingModel: $pricingModel
          expectedCatalog: $expectedCatalog
        ) { pricingModel { ...PricingModel } }
      }
      ${pricingModel}
    `,
    { versioned: 'body.pricingModel', limitBytes: documentBytes, strict: 'nested' },
  ),
];
