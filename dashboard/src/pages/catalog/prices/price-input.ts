import type { PriceFields } from './price-fields.tsx';
import { modelInputOf, needsAmount } from './price-model.ts';

/** The input of a price of a product; undefined while it is incomplete. */
export function priceInputOf(fields: PriceFields) {
  const { amount, intervalUnit, intervalCount, trialDays } = fields;
  if (intervalUnit === 'once') {
    if (amount === undefined) return undefined;
    return { ...commonOf(fields), unitPrice: amount, type: 'single_payment' as const };
  }
  const terms = termsOf(fields);
  if (!terms || intervalCount === undefined) return undefined;
  return {
    ...commonOf(fields),
    ...terms,
    type: 'subscription' as const,
    intervalUnit: intervalUnit as 'month',
    intervalCount,
    ...(trialDays && { trialPeriodDays: trialDays }),
  };
}

/** The input of a price of usage; undefined while it is incomplete. */
export function usagePriceInputOf(fields: PriceFields) {
  const usageEventsPerUnit = fields.eventsPerUnit;
  const terms = termsOf(fields);
  if (!terms || usageEventsPerUnit === undefined) return undefined;
  return {
    ...commonOf(fields),
    ...terms,
    type: 'usage' as const,
    intervalUnit: 'month' as const,
    usageEventsPerUnit,
  };
}

const commonOf = ({ currency, slug }: PriceFields) => ({
  currency,
  ...(slug.trim() && { slug: slug.trim() }),
});

/** The model with its amount. */
function termsOf({ amount, currency, model }: PriceFields) {
  const own = modelInputOf(model, currency);
  if (!own) return undefined;
  if (!needsAmount(model.model)) return own;
  return amount === undefined ? undefined : { unitPrice: amount, ...own };
}
