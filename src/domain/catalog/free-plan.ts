import type { intervalUnits } from '#domain/model/catalog/price.ts';
import { perUnit } from '#domain/model/catalog/pricing.ts';
import type { CatalogProduct } from './catalog.ts';

/** The product that every new customer starts on, unless another is the default; free every month, or once. */
export const freePlan = (
  currency: string,
  intervalUnit: (typeof intervalUnits)[number] | null = 'month',
): CatalogProduct => ({
  slug: 'free',
  name: 'Free Plan',
  description: 'Default plan',
  imageURL: null,
  singularQuantityLabel: null,
  pluralQuantityLabel: null,
  taxCode: null,
  addOn: false,
  active: true,
  default: true,
  prices: [
    {
      slug: 'free',
      name: 'Free Plan',
      isDefault: true,
      type: intervalUnit ? 'subscription' : 'single_payment',
      unitPrice: 0,
      currency,
      intervalUnit,
      intervalCount: intervalUnit && 1,
      trialPeriodDays: null,
      usageEventsPerUnit: null,
      ...perUnit,
    },
  ],
  features: [],
});
