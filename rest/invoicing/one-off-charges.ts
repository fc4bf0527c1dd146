import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { del, list, one, post, put } from '../engine/route.ts';

const charge = fragment(/* GraphQL */ `
  fragment OneOffCharge on OneOffCharge {
    id createdAt updatedAt livemode organizationId pricingModelId customerId subscriptionId status name description
    quantity unitPrice amount priceId invoiceId billedAt
  }
`);

export const oneOffCharges = [
  list('/one-off-charges', 'oneOffCharges', charge),
  one('/one-off-charges/:id', { oneOffCharge: charge }, { versioned: 'oneOffCharge' }),
  post(
    '/one-off-charges',
    mutation('createOneOffCharge', '$oneOffCharge: CreateOneOffChargeInput!', {
      oneOffCharge: charge,
    }),
    { versioned: 'body.oneOffCharge' },
  ),
  put(
    '/one-off-charges/:id',
    mutation('updateOneOffCharge', '$id: ID!, $oneOffCharge: UpdateOneOffChargeInput!', {
      oneOffCharge: charge,
    }),
    { versioned: 'body.oneOffCharge' },
  ),
  del('/one-off-charges/:id', mutation('deleteOneOffCharge', '$id: ID!', { oneOffCharge: charge })),
];
