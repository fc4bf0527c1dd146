import { z } from 'zod';

/** An object, or its id where the export does not expand it. */
const idOf = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);
const instant = z.number().transform((seconds) => new Date(seconds * 1_000));
const texts = z.record(z.string(), z.string());
const currency = z.string().transform((code) => code.toUpperCase());

/** A list within an object; it may have more records than it shows. */
const listOf = <T extends z.ZodType>(one: T) =>
  z.object({ data: z.array(one), has_more: z.boolean().optional() });

const address = z.object({
  line1: z.string().nullish(),
  line2: z.string().nullish(),
  city: z.string().nullish(),
  state: z.string().nullish(),
  postal_code: z.string().nullish(),
  country: z.string().nullish(),
});

/** A coupon, also within a discount. */
export const stripeCoupon = z.object({
  id: z.string(),
  name: z.string().nullish(),
  valid: z.boolean().default(true),
  percent_off: z.number().nullish(),
  amount_off: z.int().nullish(),
  currency: currency.nullish(),
  currency_options: z.record(z.string(), z.object({ amount_off: z.int() })).nullish(),
  duration: z.enum(['once', 'repeating', 'forever']),
  duration_in_months: z.int().min(1).nullish(),
  applies_to: z.object({ products: z.array(z.string()) }).nullish(),
  max_redemptions: z.int().nullish(),
  times_redeemed: z.int().default(0),
  redeem_by: instant.nullish(),
  deleted: z.boolean().optional(),
});

/** A coupon, or its id where the export does not show all of it. */
const couponOrId = z.union([z.string(), stripeCoupon, idOf]);

/** Present versions of the API name the coupon in `source`, former ones in the discount. */
const discount = z
  .object({
    id: z.string().optional(),
    source: z.object({ coupon: couponOrId.nullish() }).nullish(),
    coupon: couponOrId.nullish(),
    start: instant.nullish(),
    end: instant.nullish(),
  })
  .transform(({ source, coupon, ...own }) => ({ ...own, coupon: source?.coupon ?? coupon }));

const discounts = z.array(z.union([z.string(), discount])).nullish();

const taxRate = z.object({
  percentage: z.number(),
  inclusive: z.boolean(),
  display_name: z.string().nullish(),
  tax_type: z.string().nullish(),
  country: z.string().nullish(),
  state: z.string().nullish(),
});

const taxRates = z.array(z.union([z.string(), taxRate])).nullish();

export const stripeCustomer = z.object({
  id: z.string(),
  email: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  deleted: z.boolean().optional(),
  business_name: z.string().nullish(),
  individual_name: z.string().nullish(),
  phone: z.string().nullish(),
  address: address.nullish(),
  balance: z.int().default(0),
  invoice_credit_balance: z.record(z.string(), z.int()).nullish(),
  currency: currency.nullish(),
  discount: discount.nullish(),
  preferred_locales: z.array(z.string()).nullish(),
  tax_exempt: z.enum(['none', 'exempt', 'reverse']).nullish(),
  tax_ids: listOf(z.object({ type: z.string(), value: z.string() })).nullish(),
  metadata: texts.nullish(),
  default_source: idOf.nullish(),
  invoice_settings: z.object({ default_payment_method: idOf.nullish() }).nullish(),
});

/** A code that customers type to redeem a coupon. */
export const stripePromotion = z.object({
  id: z.string(),
  code: z.string(),
  active: z.boolean().default(true),
  // Former versions of the API name the coupon in the promotion code.
  promotion: z.object({ coupon: couponOrId.nullish() }).nullish(),
  coupon: couponOrId.nullish(),
  customer: idOf.nullish(),
  expires_at: instant.nullish(),
  max_redemptions: z.int().nullish(),
  times_redeemed: z.int().default(0),
});

export const stripeMeter = z.object({
  id: z.string(),
  display_name: z.string().nullish(),
  default_aggregation: z.object({ formula: z.enum(['sum', 'count', 'last']) }),
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
  tax_code: idOf.nullish(),
});

/** An exact decimal; its zeros at the end have no meaning. */
const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform((text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text));

/** The amounts of a price in one currency. */
const amounts = {
  unit_amount: z.int().nullish(),
  unit_amount_decimal: decimal.nullish(),
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
  custom_unit_amount: z.looseObject({}).nullish(),
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).nullish(),
};

export const stripePrice = z.object({
  id: z.string(),
  product: idOf,
  nickname: z.string().nullish(),
  active: z.boolean().default(true),
  currency,
  currency_options: z.record(z.string(), z.object(amounts)).nullish(),
  type: z.enum(['recurring', 'one_time']),
  billing_scheme: z.enum(['per_unit', 'tiered']).default('per_unit'),
  ...amounts,
  tiers_mode: z.enum(['graduated', 'volume']).nullish(),
  transform_quantity: z.object({ divide_by: z.int(), round: z.enum(['up', 'down']) }).nullish(),
  recurring: z
    .object({
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: z.int().default(1),
      trial_period_days: z.int().min(0).nullish(),
      usage_type: z.enum(['licensed', 'metered']).default('licensed'),
      meter: z.string().nullish(),
      aggregate_usage: z.enum(['sum', 'max', 'last_during_period', 'last_ever']).nullish(),
    })
    .nullish(),
});

/** An item; former versions of the API name a plan in place of the price. */
const item = z
  .object({
    price: idOf.nullish(),
    plan: idOf.nullish(),
    quantity: z.int().default(1),
    discounts,
    tax_rates: taxRates,
    billed_until: instant.nullish(),
    // Newer versions of the API state the period on each item.
    current_period_start: instant.optional(),
    current_period_end: instant.optional(),
  })
  .transform(({ price, plan, ...own }, context) => {
    const id = price ?? plan;
    if (id) return { ...own, price: id };
    context.addIssue({ code: 'custom', path: ['price'], message: 'is required' });
    return z.NEVER;
  });

const automaticTax = z.object({ enabled: z.boolean().nullish() }).nullish();

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
  default_source: idOf.nullish(),
  currency: currency.nullish(),
  discount: discount.nullish(),
  discounts,
  default_tax_rates: taxRates,
  automatic_tax: automaticTax,
  metadata: texts.nullish(),
  pause_collection: z.object({ behavior: z.string(), resumes_at: instant.nullish() }).nullish(),
  trial_settings: z
    .object({ end_behavior: z.object({ missing_payment_method: z.string().nullish() }).nullish() })
    .nullish(),
  items: listOf(item),
});

const phaseDiscounts = z
  .array(
    z.object({
      coupon: couponOrId.nullish(),
      discount: z.union([z.string(), discount]).nullish(),
      promotion_code: z.unknown().optional(),
    }),
  )
  .nullish();

/** How a schedule collects money, in all of its phases or in one. */
const phaseCollection = {
  collection_method: z.string().nullish(),
  default_payment_method: idOf.nullish(),
  invoice_settings: z.object({ days_until_due: z.int().nullish() }).nullish(),
};

export const stripeSchedule = z.object({
  id: z.string(),
  status: z.string(),
  subscription: idOf.nullish(),
  end_behavior: z.string().default('release'),
  current_phase: z.object({ start_date: instant }).nullish(),
  default_settings: z.object({ automatic_tax: automaticTax, ...phaseCollection }).nullish(),
  phases: z.array(
    z.object({
      start_date: instant,
      end_date: instant.nullish(),
      trial_end: instant.nullish(),
      trial: z.boolean().nullish(),
      automatic_tax: automaticTax,
      proration_behavior: z.string().nullish(),
      billing_cycle_anchor: z.string().nullish(),
      currency: currency.nullish(),
      ...phaseCollection,
      discounts: phaseDiscounts,
      items: z.array(
        z
          .object({
            price: idOf.nullish(),
            plan: idOf.nullish(),
            quantity: z.int().default(1),
            discounts: phaseDiscounts,
          })
          .transform(({ price, plan, ...own }) => ({ ...own, price: price ?? plan ?? '' })),
      ),
    }),
  ),
});

export type StripeCustomer = z.output<typeof stripeCustomer>;
export type StripeMethod = z.output<typeof stripeMethod>;
export type StripeProduct = z.output<typeof stripeProduct>;
export type StripePrice = z.output<typeof stripePrice>;
export type StripeDiscount = z.output<typeof discount>;
export type StripeTaxRate = z.output<typeof taxRate>;
export type StripePhaseDiscounts = z.output<typeof phaseDiscounts>;
export type StripeCoupon = z.output<typeof stripeCoupon>;
export type StripeSubscription = z.output<typeof stripeSubscription>;
export type StripePromotion = z.output<typeof stripePromotion>;
export type StripeMeter = z.output<typeof stripeMeter>;
export type StripeSchedule = z.output<typeof stripeSchedule>;
