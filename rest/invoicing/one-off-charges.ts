import { fragment } from '../engine/fragment.ts';
import { del, get, list, post, put } from '../engine/route.ts';

const charge = fragment(
  'OneOffCharge',
  /* GraphQL */ `
    fragment OneOffCharge on OneOffCharge {
      id createdAt updatedAt livemode organizationId pricingModelId customerId subscriptionId status name description
      quantity unitPrice amount priceId invoiceId billedAt
    }
  `,
);

export const oneOffCharges = [
  list('/one-off-charges', 'oneOffCharges', charge),
  get(
    '/one-off-charges/:id',
    /* GraphQL */ `
      query GetOneOffCharge($id: ID!) { oneOffCharge(id: $id) { ...OneOffCharge } }
      ${charge}
    `,
    { versioned: 'oneOffCharge' },
  ),
  post(
    '/one-off-charges',
    /* GraphQL */ `
      mutation CreateOneOffCharge($oneOffCharge: CreateOneOffChargeInput!) {
        body: createOneOffCharge(oneOffCharge: $oneOffCharge) { oneOffCharge { ...OneOffCharge } }
      }
      ${charge}
    `,
    { versioned: 'body.oneOffCharge' },
  ),
  put(
    '/one-off-charges/:id',
    /* GraphQL */ `
      mutation UpdateOneOffCharge($id: ID!, $oneOffCharge: UpdateOneOffChargeInput!) {
        body: updateOneOffCharge(id: $id, oneOffCharge: $oneOffCharge) { oneOffCharge { ...OneOffCharge } }
      }
      ${charge}
    `,
    { versioned: 'body.oneOffCharge' },
  ),
  del(
    '/one-off-charges/:id',
    /* GraphQL */ `
      mutation DeleteOneOffCharge($id: ID!) {
        body: deleteOneOffCharge(id: $id) { oneOffCharge { ...OneOffCharge } }
      }
      ${charge}
    `,
  ),
];
