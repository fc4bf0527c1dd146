import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post, put } from '../engine/route.ts';

const usageMeter = fragment(/* GraphQL */ `
  fragment UsageMeter on UsageMeter {
    id createdAt updatedAt livemode organizationId name pricingModelId slug aggregationType
  }
`);

export const usageMeters = [
  list('/usage-meters', 'usageMeters', usageMeter),
  one('/usage-meters/:id', { usageMeter }, { versioned: 'usageMeter' }),
  post(
    '/usage-meters',
    mutation(
      'createUsageMeter',
      '$usageMeter: CreateUsageMeterInput!, $price: CreateUsageMeterPriceInput',
      { usageMeter },
    ),
    { versioned: 'body.usageMeter' },
  ),
  put(
    '/usage-meters/:id',
    mutation('updateUsageMeter', '$id: ID!, $usageMeter: UpdateUsageMeterInput!', { usageMeter }),
    { versioned: 'body.usageMeter' },
  ),
];
