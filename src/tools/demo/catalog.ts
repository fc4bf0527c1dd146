import type { z } from 'zod';
import {
  type SetUpPricingModelInput,
  setUpPricingModelInput,
} from '#domain/catalog/commands/pricing-models/set-up-pricing-model.ts';

/** The paid plans, which customers move up and down; each has a monthly price in two currencies. */
export const plans = ['starter', 'team', 'scale'] as const;
export type Plan = (typeof plans)[number];

/** The plans with a price for a year. */
export const yearlyPlans: ReadonlySet<Plan> = new Set(['team', 'scale']);

/** The slugs of the prices of a plan and of usage, in the default currency or in the other one. */
export const slugs = {
  price: (plan: Plan, interval: 'month' | 'year', isAbroad: boolean) =>
    `${plan}-${interval}${isAbroad ? '-abroad' : ''}`,
  apiCalls: (isAbroad: boolean) => (isAbroad ? 'api-calls-abroad' : 'api-calls'),
};

/** The second currency of the catalog, and the countries of the customers that pay in it. */
export const abroadOf = (currency: string) =>
  currency === 'EUR'
    ? { currency: 'USD', countries: ['US', 'CA', 'EC', 'MX'] }
    : { currency: 'EUR', countries: ['DE', 'FR', 'GR', 'IE', 'AT', 'PT', 'NL', 'ES'] };

const amounts: Readonly<Record<Plan, number>> = { starter: 1_900, team: 9_900, scale: 49_900 };
const monthsOfYear = 10;

type Document = z.input<typeof setUpPricingModelInput>['pricingModel'];

function productOf(
  plan: Plan,
  name: string,
  description: string,
  features: string[],
  abroad: string,
) {
  const type = 'subscription' as const;
  const monthly = { type, unitPrice: amounts[plan], intervalUnit: 'month' as const };
  const yearly = {
    type,
    slug: slugs.price(plan, 'year', false),
    unitPrice: amounts[plan] * monthsOfYear,
    intervalUnit: 'year' as const,
  };
  return {
    product: { slug: plan, name, description, active: true },
    price: { ...monthly, slug: slugs.price(plan, 'month', false), isDefault: true },
    otherPrices: [
      { ...monthly, slug: slugs.price(plan, 'month', true), currency: abroad },
      ...(yearlyPlans.has(plan) ? [yearly] : []),
    ],
    features,
  };
}

const credits = (slug: string, amount: number) => ({
  type: 'usage_credit_grant' as const,
  slug,
  name: `${amount.toLocaleString('en')} API calls`,
  description: 'Included in each billing period',
  amount,
  usageMeterSlug: 'api-calls',
  renewalFrequency: 'every_billing_period' as const,
});

const seats = (slug: string, amount: number) => ({
  type: 'resource' as const,
  slug,
  name: `${amount} seats`,
  description: `Room for ${amount} people`,
  amount,
  resourceSlug: 'seats',
});

const usage = { type: 'usage' as const, intervalUnit: 'month' as const };

/** The catalog of the demo under a name, with prices in the organization's currency and in another one. */
export function demoCatalog(name: string, abroad: string): SetUpPricingModelInput {
  const pricingModel: Document = {
    name,
    resources: [{ slug: 'seats', name: 'Seats' }],
    usageMeters: [
      {
        usageMeter: { slug: 'api-calls', name: 'API calls' },
        prices: [
          { ...usage, slug: 'api-calls', isDefault: true, unitPrice: 2, usageEventsPerUnit: 10 },
          {
            ...usage,
            slug: 'api-calls-abroad',
            unitPrice: 2,
            usageEventsPerUnit: 10,
            currency: abroad,
          },
        ],
      },
      {
        usageMeter: {
          slug: 'active-users',
          name: 'Active users',
          aggregationType: 'count_distinct_properties',
        },
        prices: [
          { ...usage, slug: 'active-users', isDefault: true, unitPrice: 0, usageEventsPerUnit: 1 },
        ],
      },
    ],
    features: [
      { type: 'toggle', slug: 'sso', name: 'Single sign-on', description: 'Sign in by SAML' },
      { type: 'toggle', slug: 'support', name: 'Priority support', description: 'In 4 hours' },
      seats('ten-seats', 10),
      seats('fifty-seats', 50),
      seats('five-more-seats', 5),
      credits('calls', 10_000),
      credits('many-calls', 60_000),
    ],
    products: [
      productOf('starter', 'Starter', 'For one person', ['calls'], abroad),
      productOf('team', 'Team', 'For small companies', ['calls', 'ten-seats', 'sso'], abroad),
      productOf(
        'scale',
        'Scale',
        'For companies that grow',
        ['many-calls', 'fifty-seats', 'sso', 'support'],
        abroad,
      ),
      {
        product: { slug: 'more-seats', name: 'Five more seats', active: true },
        price: {
          ...usage,
          type: 'subscription',
          slug: 'more-seats',
          unitPrice: 2_500,
          isDefault: true,
        },
        features: ['five-more-seats'],
      },
      {
        product: { slug: 'onboarding', name: 'Onboarding workshop', active: true },
        price: { type: 'single_payment', slug: 'onboarding', unitPrice: 75_000, isDefault: true },
        features: [],
      },
    ],
  };
  return setUpPricingModelInput.parse({ pricingModel });
}
