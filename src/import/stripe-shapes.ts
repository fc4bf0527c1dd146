import { z } from 'zod';

/** An object, or its id where the export does not expand it. */
const idOf = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);
const instant = z.number().transform((seconds) => new Date(seconds * 1_000));
const texts = z.record(z.string(), z.string());

const address = z.object({
  line1: z.string().nullish(),
  line2: z.string().nullish(),
  city: z.string().nullish(),
  state: z.string().nullish(),
  postal_code: z.string().nullish(),
  country: z.string().nullish(),
});

export const stripeCustomer = z.object({
  id: z.string(),
  email: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  deleted: z.boolean().optional(),
  address: address.nullish(),
  metadata: texts.nullish(),
  default_source: idOf.nullish(),
  invoice_settings: z.object({ default_payment_method: idOf.nullish() }).nullish(),
});

export const stripeMethod = z.object({
  id: z.string(),
  customer: idOf.nullish(),
  type: z.string(),
  card: z
    .object({
      brand: z.string(),
      last4: z.string(),
      exp_month: z.number(),
      exp_year: z.number(),
    })
    .optional(),
});

export const stripeProduct = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  active: z.boolean().default(true),
  default_price: idOf.nullish(),
});

/** An exact decimal; its zeros at the end have no meaning. */
const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform((text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text));

export const stripePrice = z.object({
  id: z.string(),
  product: idOf,
  nickname: z.string().nullish(),
  lookup_key: z.string().nullish(),
  active: z.boolean().default(true),
  currency: z.string().transform((code) => code.toUpperCase()),
  type: z.enum(['recurring', 'one_time']),
  billing_scheme: z.string().default('per_unit'),
  unit_amount: z.int().nullish(),
  unit_amount_decimal: decimal.nullish(),
  tiers_mode: z.enum(['graduated', 'volume']).nullish(),
  tiers: z
    .array(
      z.object({
        up_to: z.number().nullish(),
        unit_amount: z.int().nullish(),
        unit_amount_decimal: decimal.nullish(),
        flat_amount: z.int().nullish(),
        flat_amount_decimal: decimal.nullish(),
      }),
    )
    .nullish(),
  transform_quantity: z.object({ divide_by: z.int(), round: z.enum(['up', 'down']) }).nullish(),
  recurring: z
    .object({
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: z.int().default(1),
      trial_period_days: z.int().min(0).nullish(),
      usage_type: z.string().default('licensed'),
      meter: z.string().nullish(),
      aggregate_usage: z.string().nullish(),
    })
    .nullish(),
});

export const stripeCoupon = z.object({
  id: z.string(),
  name: z.string().nullish(),
  valid: z.boolean().default(true),
  percent_off: z.number().nullish(),
  amount_off: z.int().nullish(),
  currency: z
    .string()
    .transform((code) => code.toUpperCase())
    .nullish(),
  duration: z.enum(['once', 'repeating', 'forever']),
  duration_in_months: z.int().nullish(),
});

const discount = z.object({
  coupon: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).optional(),
  end: instant.nullish(),
});

export const stripeSubscription = z.object({
  id: z.string(),
  customer: idOf,
  status: z.string(),
  billing_cycle_anchor: instant,
  current_period_start: instant.optional(),
  current_period_end: instant.optional(),
  trial_start: instant.nullish(),
  trial_end: instant.nullish(),
  cancel_at_period_end: z.boolean().default(false),
  cancel_at: instant.nullish(),
  collection_method: z
    .enum(['charge_automatically', 'send_invoice'])
    .default('charge_automatically'),
  days_until_due: z.int().nullish(),
  default_payment_method: idOf.nullish(),
  discount: discount.nullish(),
  metadata: texts.nullish(),
  pause_collection: z.unknown().optional(),
  items: z.object({
    data: z.array(
      z.object({
        price: idOf,
        quantity: z.int().default(1),
        // Newer versions of the API state the period on each item.
        current_period_start: instant.optional(),
        current_period_end: instant.optional(),
      }),
    ),
  }),
});

const discounts = z.array(z.unknown()).nullish();

export const stripeSchedule = z.object({
  id: z.string(),
  status: z.string(),
  subscription: idOf.nullish(),
  end_behavior: z.string().default('release'),
  current_phase: z.object({ start_date: instant }).nullish(),
  phases: z.array(
    z.object({
      start_date: instant,
      end_date: instant.nullish(),
      trial_end: instant.nullish(),
      proration_behavior: z.string().nullish(),
      discounts,
      items: z.array(z.object({ price: idOf, quantity: z.int().default(1), discounts })),
    }),
  ),
});

export type StripeCustomer = z.output<typeof stripeCustomer>;
export type StripeMethod = z.output<typeof stripeMethod>;
export type StripeProduct = z.output<typeof stripeProduct>;
export type StripePrice = z.output<typeof stripePrice>;
export type StripeCoupon = z.output<typeof stripeCoupon>;
export type StripeSubscription = z.output<typeof stripeSubscription>;
export type StripeSchedule = z.output<typeof stripeSchedule>;
