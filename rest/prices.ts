import { fragment } from './engine/fragment.ts';
import { get, list, post, put } from './engine/route.ts';

export const price = fragment(
  'Price',
  /* GraphQL */ `
    fragment Price on Price {
      id createdAt updatedAt livemode intervalUnit name intervalCount type trialPeriodDays isDefault
      unitPrice usageEventsPerUnit productId active currency slug usageMeterId pricingModelId
      model tiers { upTo unitPrice flatFee } packageSize percentage fixedFee freeUnits minimumAmount
      maximumAmount matrix { dimensions cells { values unitPrice } otherUnitPrice }
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
        price: createPrice(price: $price) { ...Price }
      }
      ${price}
    `,
    { versioned: 'price' },
  ),
  put(
    '/prices/:id',
    /* GraphQL */ `
      mutation UpdatePrice($id: ID!, $price: UpdatePriceInput!) {
        price: updatePrice(id: $id, price: $price) { ...Price }
      }
      ${price}
    `,
    { versioned: 'price' },
  ),
];
