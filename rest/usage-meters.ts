import { fragment } from './engine/fragment.ts';
import { get, list, post, put } from './engine/route.ts';

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
        usageMeter: createUsageMeter(usageMeter: $usageMeter, price: $price) { ...UsageMeter }
      }
      ${usageMeter}
    `,
    { versioned: 'usageMeter' },
  ),
  put(
    '/usage-meters/:id',
    /* GraphQL */ `
      mutation UpdateUsageMeter($id: ID!, $usageMeter: UpdateUsageMeterInput!) {
        usageMeter: updateUsageMeter(id: $id, usageMeter: $usageMeter) { ...UsageMeter }
      }
      ${usageMeter}
    `,
    { versioned: 'usageMeter' },
  ),
];
