import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';

const usageMeter = fragment(
  'UsageMeter',
  /* GraphQL */ `
    fragment UsageMeter on UsageMeter {
      id createdAt updatedAt livemode organizationId name pricingModelId slug aggregationType
    }
  `,
);

export const usageMeters = [
  list('/usage-meters', 'usageMeters', usageMeter),
  get(
    '/usage-meters/:id',
    /* GraphQL */ `
      query GetUsageMeter($id: ID!) { usageMeter(id: $id) { ...UsageMeter } }
      ${usageMeter}
    `,
    { versioned: 'usageMeter' },
  ),
  post(
    '/usage-meters',
    /* GraphQL */ `
      mutation CreateUsageMeter($usageMeter: CreateUsageMeterInput!, $price: CreateUsageMeterPriceInput) {
        body: createUsageMeter(usageMeter: $usageMeter, price: $price) { usageMeter { ...UsageMeter } }
      }
      ${usageMeter}
    `,
    { versioned: 'body.usageMeter' },
  ),
  put(
    '/usage-meters/:id',
    /* GraphQL */ `
      mutation UpdateUsageMeter($id: ID!, $usageMeter: UpdateUsageMeterInput!) {
        body: updateUsageMeter(id: $id, usageMeter: $usageMeter) { usageMeter { ...UsageMeter } }
      }
      ${usageMeter}
    `,
    { versioned: 'body.usageMeter' },
  ),
];
