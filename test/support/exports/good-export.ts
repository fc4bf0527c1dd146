import { checkRecords } from '../../../src/tools/import/source/read-lists.ts';
import type { Source } from '../../../src/tools/import/source/source.ts';
import * as catalog from '../../../src/tools/import/stripe/catalog-fields.ts';
import { customerFields, methodFields } from '../../../src/tools/import/stripe/customer-fields.ts';
import {
  type Situation,
  type StripeExport,
  sourceOf,
} from '../../../src/tools/import/stripe/export.ts';
import * as shapes from '../../../src/tools/import/stripe/shapes.ts';
import {
  scheduleFields,
  subscriptionFields,
} from '../../../src/tools/import/stripe/subscription-fields.ts';
import {
  aStripeCoupon,
  aStripeCustomer,
  aStripeDiscount,
  aStripeItem,
  aStripePhase,
  aStripePrice,
  aStripeProduct,
  aStripeSchedule,
  aStripeSubscription,
  aStripeTaxRate,
  listOf,
  monthly,
} from './stripe-export.ts';

/** A record as a file has it. */
export type Raw = Readonly<Record<string, unknown>>;
/** A list of an export. */
export type List = keyof typeof lists;

const { productFields, priceFields, couponFields, promotionFields, meterFields } = catalog;

/** The lists of an export, with their shapes and known fields. */
export const lists = {
  products: [shapes.stripeProduct, productFields],
  prices: [shapes.stripePrice, priceFields],
  coupons: [shapes.stripeCoupon, couponFields],
  promotions: [shapes.stripePromotion, promotionFields],
  meters: [shapes.stripeMeter, meterFields],
  customers: [shapes.stripeCustomer, customerFields],
  methods: [shapes.stripeMethod, methodFields],
  subscriptions: [shapes.stripeSubscription, subscriptionFields],
  schedules: [shapes.stripeSchedule, scheduleFields],
} as const;

/** An address without a country. */
export const address = {
  line1: 'Weg 1',
  line2: null,
  city: 'Bonn',
  postal_code: '53111',
  state: null,
};

/** An export without a problem. */
export const good: Readonly<Record<List, readonly Raw[]>> = {
  products: [aStripeProduct('prod_plan', { default_price: 'plan' })],
  prices: [
    aStripePrice('plan', 2_000, { product: 'prod_plan' }),
    aStripePrice('tiers', null, {
      product: 'prod_plan',
      billing_scheme: 'tiered',
      tiers_mode: 'graduated',
      tiers: [{ up_to: null, unit_amount: 100, unit_amount_decimal: '100', flat_amount: null }],
    }),
    aStripePrice('calls', 3, {
      product: 'prod_calls',
      recurring: { ...monthly, usage_type: 'metered', meter: 'mtr_calls' },
    }),
  ],
  coupons: [aStripeCoupon('HALF', { percent_off: 50 })],
  promotions: [
    {
      id: 'promo_one',
      object: 'promotion_code',
      active: true,
      code: 'SUMMER',
      promotion: { type: 'coupon', coupon: 'HALF' },
      customer: null,
      restrictions: {
        first_time_transaction: false,
        minimum_amount: null,
        minimum_amount_currency: null,
      },
      expires_at: null,
      max_redemptions: null,
      times_redeemed: 0,
    },
  ],
  meters: [
    {
      id: 'mtr_calls',
      object: 'billing.meter',
      default_aggregation: { formula: 'sum' },
      display_name: 'Calls',
      event_name: 'calls',
    },
  ],
  customers: [
    aStripeCustomer('cus_one', {
      address: { ...address, country: 'DE' },
      tax_ids: listOf([{ id: 'txi_1', object: 'tax_id', type: 'us_ein', value: '123456789' }]),
    }),
  ],
  methods: [
    {
      id: 'pm_one',
      object: 'payment_method',
      type: 'card',
      customer: 'cus_one',
      card: { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 },
    },
  ],
  subscriptions: [
    aStripeSubscription('sub_one', 'cus_one', [
      aStripeItem('plan', { tax_rates: [aStripeTaxRate(19)] }),
    ]),
    aStripeSubscription(
      'sub_two',
      'cus_one',
      [aStripeItem('tiers', { tax_rates: [aStripeTaxRate(19)] })],
      {
        discounts: [aStripeDiscount('HALF')],
      },
    ),
  ],
  schedules: [
    aStripeSchedule('sched_one', 'sub_one', [
      aStripePhase('2026-03-01T00:00:00Z', '2026-06-01T00:00:00Z', [
        { price: 'plan', quantity: 1 },
      ]),
      aStripePhase('2026-06-01T00:00:00Z', '2026-09-01T00:00:00Z', [
        { price: 'plan', quantity: 2 },
      ]),
    ]),
  ],
};

/** The records of an export in the words of this service. */
export function readLists(
  records: Readonly<Record<List, readonly unknown[]>>,
  situation: Partial<Situation> = {},
): Source {
  const checked = Object.fromEntries(
    Object.entries(lists).map(([name, [shape]]) => [
      name,
      checkRecords<unknown>(records[name as List], name, shape),
    ]),
  ) as unknown as StripeExport;
  return sourceOf(checked, {
    known: new Map(),
    meters: new Set(),
    tax: { isInclusive: false, taxes: false },
    ...situation,
  });
}

/** A copy of a value with an object at a path changed. */
function changed(value: unknown, [key, ...rest]: readonly string[], more: Raw): unknown {
  if (key === undefined) return { ...(value as Raw), ...more };
  const own = changed((value as Raw)[key], rest, more);
  return Array.isArray(value)
    ? value.map((one, place) => (String(place) === key ? own : one))
    : { ...(value as Raw), [key]: own };
}

/** Reads that export with an object at a path of one record changed. */
export const withChange = (list: List, place: number, path: readonly string[], more: Raw) =>
  readLists({ ...good, [list]: changed(good[list], [String(place), ...path], more) });
