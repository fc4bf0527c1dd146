import { otherFiles, type Records, readJsonList } from '../source/read-lists.ts';
import type { Source } from '../source/source.ts';
import { type Situation, type StripeExport, sourceOf } from './export.ts';
import {
  stripeCoupon,
  stripeCustomer,
  stripeMeter,
  stripeMethod,
  stripePrice,
  stripeProduct,
  stripePromotion,
  stripeSchedule,
  stripeSubscription,
} from './shapes.ts';

const files = {
  customers: ['customers.json', 'customer', stripeCustomer],
  methods: ['payment_methods.json', 'payment method', stripeMethod],
  products: ['products.json', 'product', stripeProduct],
  prices: ['prices.json', 'price', stripePrice],
  coupons: ['coupons.json', 'coupon', stripeCoupon],
  promotions: ['promotion_codes.json', 'promotion code', stripePromotion],
  meters: ['meters.json', 'usage meter', stripeMeter],
  subscriptions: ['subscriptions.json', 'subscription', stripeSubscription],
  schedules: ['subscription_schedules.json', 'subscription schedule', stripeSchedule],
} as const;

/**
 * Reads the lists of Stripe's API from the files of a folder; a file that is not there has no records, and one that is
 * not read is reported. Errors: ImportError.
 */
export async function readStripe(folder: string, situation: Situation): Promise<Source> {
  const entries = await Promise.all(
    Object.entries(files).map(async ([name, [file, kind, shape]]) => {
      const records: Records<unknown> = await readJsonList<unknown>(folder, file, kind, shape);
      return [name, records] as const;
    }),
  );
  const read = Object.fromEntries(entries) as unknown as StripeExport;
  const source = sourceOf(read, situation);
  const others = await otherFiles(
    folder,
    '.json',
    Object.values(files).map(([file]) => file),
  );
  return { ...source, problems: [...others, ...source.problems] };
}
