import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';

export const price = fragment(
  'Price',
  /* GraphQL */ `
    fragment Price on Price {
      id createdAt updatedAt livemode intervalUnit name intervalCount type trialPeriodDays isDefault
      unitPrice usageEventsPerUnit productId active currency slug usageMeterId pricingModelId
      model @extra tiers @extra { upTo unitPrice flatFee } packageSize @extra percentage @extra fixedFee @extra
      freeUnits @extra minimumAmount @extra maximumAmount @extra
      matrix @extra { dimensions cells { values unitPrice } otherUnitPrice }
    }
  `,
);

export const prices = [
  list('/prices', 'prices', price),
  get(
    '/prices/:id',
    /* GraphQL */ `
      query GetPrice($id: ID!) { price(id: $id) { ...Price } }
      ${price}
    `,
    { versioned: 'price' },
  ),
  post(
    '/prices',
    /* GraphQL */ `
      mutation CreatePrice($price: CreatePriceInput!) {
        body: createPrice(price: $price) { price { ...Price } }
      }
      ${price}
    `,
    { versioned: 'body.price' },
  ),
  put(
    '/prices/:id',
    /* GraphQL */ `
      mutation UpdatePrice($id: ID!, $price: UpdatePriceInput!) {
        body: updatePrice(id: $id, price: $price) { price { ...Price } }
      }
      ${price}
    `,
    { versioned: 'body.price' },
  ),
];
