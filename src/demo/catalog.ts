import type { z } from 'zod';
import {
  type SetUpPricingModelInput,
  setUpPricingModelInput,
} from '#domain/pricing-models/set-up-pricing-model.ts';

const subscription = (
  slug: string,
  unitPrice: number,
  intervalUnit: 'month' | 'year',
  more = {},
) => ({
  type: 'subscription' as const,
  slug,
  unitPrice,
  intervalUnit,
  intervalCount: 1,
  ...more,
});

/** The catalog of the demo, as a document. */
const document: z.input<typeof setUpPricingModelInput> = {
  pricingModel: {
    name: 'Demo',
    resources: [{ slug: 'seats', name: 'Seats' }],
    usageMeters: [
      {
        usageMeter: { slug: 'api-calls', name: 'API calls' },
        prices: [
          {
            type: 'usage',
            slug: 'api-calls',
            isDefault: true,
            unitPrice: 2,
            usageEventsPerUnit: 10,
            intervalUnit: 'month',
            intervalCount: 1,
          },
        ],
      },
    ],
    features: [
      { type: 'toggle', slug: 'sso', name: 'Single sign-on', description: 'Sign in by SAML' },
      { type: 'toggle', slug: 'support', name: 'Priority support', description: 'In 4 hours' },
      {
        type: 'resource',
        slug: 'ten-seats',
        name: 'Seats',
        description: 'Room for ten people',
        amount: 10,
        resourceSlug: 'seats',
      },
      {
        type: 'usage_credit_grant',
        slug: 'calls',
        name: 'API calls included',
        description: 'In each billing period',
        amount: 10_000,
        usageMeterSlug: 'api-calls',
        renewalFrequency: 'every_billing_period',
      },
      {
        type: 'usage_credit_grant',
        slug: 'many-calls',
        name: 'API calls included',
        description: 'In each billing period',
        amount: 60_000,
        usageMeterSlug: 'api-calls',
        renewalFrequency: 'every_billing_period',
      },
    ],
    products: [
      {
        product: { slug: 'starter', name: 'Starter', active: true },
        price: subscription('starter-monthly', 1_900, 'month', { isDefault: true }),
        features: ['calls'],
      },
      {
        product: { slug: 'team', name: 'Team', active: true },
        price: subscription('team-monthly', 9_900, 'month', { isDefault: true }),
        features: ['calls', 'ten-seats', 'sso'],
      },
      {
        product: { slug: 'scale', name: 'Scale', active: true },
        price: subscription('scale-monthly', 49_900, 'month', { isDefault: true }),
        features: ['many-calls', 'ten-seats', 'sso', 'support'],
      },
      {
        product: { slug: 'scale-year', name: 'Scale, yearly', active: true },
        price: subscription('scale-yearly', 499_000, 'year', { isDefault: true }),
        features: ['many-calls', 'ten-seats', 'sso', 'support'],
      },
    ],
  },
};

/** The catalog of the demo under a name. */
export function demoCatalog(name: string): SetUpPricingModelInput {
  const { pricingModel, ...rest } = setUpPricingModelInput.parse(document);
  return { ...rest, pricingModel: { ...pricingModel, name } };
}
