import type { PriceFields } from './price-fields.tsx';

/** The input of a price of a product; undefined while it is incomplete. */
export function priceInputOf(fields: PriceFields) {
  const { amount, currency, intervalUnit, slug } = fields;
  const [intervalCount, trialDays] = [Number(fields.intervalCount), Number(fields.trialDays)];
  if (amount === undefined) return undefined;
  const common = { unitPrice: amount, currency, ...(slug.trim() && { slug: slug.trim() }) };
  if (intervalUnit === 'once') return { ...common, type: 'single_payment' as const };
  if (!(intervalCount > 0)) return undefined;
  return {
    ...common,
    type: 'subscription' as const,
    intervalUnit: intervalUnit as 'month',
    intervalCount,
    ...(trialDays > 0 && { trialPeriodDays: trialDays }),
  };
}

/** The input of a price of usage; undefined while it is incomplete. */
export function usagePriceInputOf({ amount, currency, eventsPerUnit, slug }: PriceFields) {
  const usageEventsPerUnit = Number(eventsPerUnit);
  if (amount === undefined || !(usageEventsPerUnit > 0)) return undefined;
  return {
    type: 'usage' as const,
    unitPrice: amount,
    currency,
    intervalUnit: 'month' as const,
    usageEventsPerUnit,
    ...(slug.trim() && { slug: slug.trim() }),
  };
}
