import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { get, list, one, post, put } from '../engine/route.ts';
import { price } from './prices.ts';
import { productOnSale } from './products.ts';

export const pricingModel = fragment(/* GraphQL */ `
  fragment PricingModel on PricingModel {
    id createdAt updatedAt livemode organizationId isDefault name
  }
`);

/** A pricing model with its products, usage meters and default product. */
export const pricingModelDetails = fragment(
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
  one('/pricing-models/:id', { pricingModel: pricingModelDetails }, { versioned: 'pricingModel' }),
  post(
    '/pricing-models',
    mutation(
      'createPricingModel',
      /* GraphQL */ `
        $pricingModel: CreatePricingModelInput!
        $defaultPlanIntervalUnit: IntervalUnit
      `,
      { pricingModel },
    ),
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
    mutation(
      'clonePricingModel',
      '$id: ID!, $name: String!, $destinationEnvironment: PricingModelEnvironment',
      { pricingModel: pricingModelDetails },
    ),
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
    mutation(
      'updatePricingModel',
      '$id: ID!, $pricingModel: UpdatePricingModelInput!, $expectedCatalog: String',
      { pricingModel },
    ),
    { versioned: 'body.pricingModel', limitBytes: documentBytes, strict: 'nested' },
  ),
];
