import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post, put } from '../engine/route.ts';

export const price = fragment(/* GraphQL */ `
  fragment Price on Price {
    id createdAt updatedAt livemode intervalUnit name intervalCount type trialPeriodDays isDefault
    unitPrice usageEventsPerUnit productId active currency slug usageMeterId pricingModelId
    model @extra tiers @extra { upTo unitPrice flatFee } packageSize @extra percentage @extra fixedFee @extra
    freeUnits @extra minimumAmount @extra maximumAmount @extra
    matrix @extra { dimensions cells { values unitPrice } otherUnitPrice }
  }
`);

export const prices = [
  list('/prices', 'prices', price),
  one('/prices/:id', { price }, { versioned: 'price' }),
  post('/prices', mutation('createPrice', '$price: CreatePriceInput!', { price }), {
    versioned: 'body.price',
  }),
  put('/prices/:id', mutation('updatePrice', '$id: ID!, $price: UpdatePriceInput!', { price }), {
    versioned: 'body.price',
  }),
];
