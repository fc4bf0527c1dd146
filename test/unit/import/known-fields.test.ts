import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fields, isSet } from '../../../src/tools/import/source/known-fields.ts';
import * as catalog from '../../../src/tools/import/stripe/catalog-fields.ts';
import { customerFields, methodFields } from '../../../src/tools/import/stripe/customer-fields.ts';
import {
  itemFields,
  scheduleFields,
  subscriptionFields,
} from '../../../src/tools/import/stripe/subscription-fields.ts';
import {
  address,
  good,
  type List,
  lists,
  type Raw,
  readLists,
  withChange,
} from '../../support/exports/good-export.ts';
import {
  aStripeDiscount,
  aStripeItem,
  aStripeTaxRate,
  listOf,
  monthly,
  seconds,
} from '../../support/exports/stripe-export.ts';
import '../../support/properties.ts';

const { productFields, priceFields, couponFields, discountFields, taxRateFields } = catalog;
const { promotionFields, meterFields } = catalog;

test('an export without special terms is imported without a problem', () => {
  expect(readLists(good).problems).toEqual([]);
});

/** Each field that the import reads, with a change of it and what goes with it. */
const examples: readonly (readonly [List, string, Raw])[] = [
  ['products', 'id', { id: 'prod_other' }],
  ['products', 'name', { name: 'Other' }],
  ['products', 'description', { description: 'Text' }],
  ['products', 'active', { active: false }],
  ['products', 'default_price', { default_price: 'tiers' }],
  ['products', 'tax_code', { tax_code: 'txcd_10000000' }],
  ['products', 'tax_details', { tax_details: { performance_location: 'taxloc_1' } }],
  ['prices', 'id', { id: 'other' }],
  ['prices', 'product', { product: 'prod_other' }],
  ['prices', 'nickname', { nickname: 'Nick' }],
  ['prices', 'active', { active: false }],
  ['prices', 'currency', { currency: 'eur' }],
  ['prices', 'type', { type: 'one_time', recurring: null }],
  ['prices', 'billing_scheme', { billing_scheme: 'tiered' }],
  [
    'prices',
    'tiers_mode',
    { billing_scheme: 'tiered', tiers_mode: 'volume', tiers: [{ up_to: null, unit_amount: 1 }] },
  ],
  ['prices', 'unit_amount', { unit_amount: 1, unit_amount_decimal: '1' }],
  ['prices', 'unit_amount_decimal', { unit_amount: null, unit_amount_decimal: '0.5' }],
  [
    'prices',
    'custom_unit_amount',
    { custom_unit_amount: { minimum: null, maximum: null, preset: null } },
  ],
  ['prices', 'tax_behavior', { tax_behavior: 'inclusive' }],
  ['prices', 'tiers', { billing_scheme: 'tiered', tiers: [{ up_to: null, flat_amount: 7 }] }],
  ['prices', 'currency_options', { currency_options: { eur: { unit_amount: 1 } } }],
  ['prices', 'transform_quantity', { transform_quantity: { divide_by: 10, round: 'up' } }],
  ['prices', 'recurring', { recurring: { ...monthly, interval_count: 3 } }],
  ['coupons', 'id', { id: 'OTHER' }],
  ['coupons', 'name', { name: 'Half' }],
  ['coupons', 'valid', { valid: false }],
  ['coupons', 'percent_off', { percent_off: 40 }],
  ['coupons', 'amount_off', { percent_off: null, amount_off: 100, currency: 'usd' }],
  ['coupons', 'currency', { percent_off: null, amount_off: 100, currency: 'eur' }],
  ['coupons', 'duration', { duration: 'once' }],
  ['coupons', 'duration_in_months', { duration: 'repeating', duration_in_months: 6 }],
  ['coupons', 'max_redemptions', { max_redemptions: 5 }],
  ['coupons', 'times_redeemed', { max_redemptions: 5, times_redeemed: 3 }],
  ['coupons', 'redeem_by', { redeem_by: seconds('2026-05-01T00:00:00Z') }],
  ['coupons', 'applies_to', { applies_to: { products: ['prod_other'] } }],
  [
    'coupons',
    'currency_options',
    {
      percent_off: null,
      amount_off: 100,
      currency: 'usd',
      currency_options: { eur: { amount_off: 90 } },
    },
  ],
  ['promotions', 'id', { id: 'promo_two', code: 'no code' }],
  ['promotions', 'code', { code: 'WINTER' }],
  ['promotions', 'active', { active: false }],
  ['promotions', 'promotion', { promotion: { coupon: 'OTHER' } }],
  ['promotions', 'coupon', { promotion: null, coupon: 'OTHER' }],
  ['promotions', 'customer', { customer: 'cus_one' }],
  ['promotions', 'expires_at', { expires_at: seconds('2026-05-01T00:00:00Z') }],
  ['promotions', 'max_redemptions', { max_redemptions: 3 }],
  ['promotions', 'times_redeemed', { max_redemptions: 3, times_redeemed: 1 }],
  ['promotions', 'restrictions', { restrictions: { first_time_transaction: true } }],
  ['meters', 'id', { id: 'mtr_other' }],
  ['meters', 'display_name', { display_name: 'Other' }],
  ['meters', 'default_aggregation', { default_aggregation: { formula: 'count' } }],
  ['customers', 'id', { id: 'cus_other' }],
  ['customers', 'email', { email: 'other@example.com' }],
  ['customers', 'name', { name: 'Other' }],
  ['customers', 'description', { name: null, description: 'Other' }],
  ['customers', 'business_name', { name: null, business_name: 'Other' }],
  ['customers', 'individual_name', { name: null, individual_name: 'Other' }],
  ['customers', 'phone', { phone: '1' }],
  ['customers', 'deleted', { deleted: true }],
  ['customers', 'address', { address }],
  ['customers', 'balance', { balance: 100 }],
  ['customers', 'balance', { balance: -100 }],
  ['customers', 'invoice_credit_balance', { invoice_credit_balance: { usd: -100 } }],
  ['customers', 'invoice_credit_balance', { invoice_credit_balance: { eur: -100 } }],
  ['customers', 'currency', { currency: 'eur', balance: -100 }],
  ['customers', 'default_source', { default_source: 'card_other' }],
  ['customers', 'metadata', { metadata: { team: 'red' } }],
  ['customers', 'preferred_locales', { preferred_locales: ['de-AT'] }],
  ['customers', 'tax_exempt', { tax_exempt: 'exempt' }],
  ['customers', 'discount', { discount: aStripeDiscount('HALF') }],
  ['customers', 'tax_ids', { tax_ids: listOf([{ type: 'eu_vat', value: 'DE000' }]) }],
  ['customers', 'cash_balance', { cash_balance: { available: { usd: 5 } } }],
  ['customers', 'invoice_settings', { invoice_settings: { default_payment_method: 'pm_other' } }],
  ['methods', 'id', { id: 'pm_other' }],
  ['methods', 'customer', { customer: 'cus_other' }],
  ['methods', 'type', { type: 'bacs_debit' }],
  ['methods', 'card', { card: { brand: 'visa', last4: '1', exp_month: 2, exp_year: 2031 } }],
  ['subscriptions', 'id', { id: 'sub_other' }],
  ['subscriptions', 'customer', { customer: 'cus_other' }],
  ['subscriptions', 'status', { status: 'paused' }],
  ['subscriptions', 'status', { status: 'something_new' }],
  [
    'subscriptions',
    'billing_cycle_anchor',
    { billing_cycle_anchor: seconds('2026-03-02T00:00:00Z') },
  ],
  [
    'subscriptions',
    'current_period_start',
    { current_period_start: seconds('2026-03-02T00:00:00Z') },
  ],
  ['subscriptions', 'current_period_end', { current_period_end: seconds('2026-04-02T00:00:00Z') }],
  [
    'subscriptions',
    'trial_start',
    {
      status: 'trialing',
      trial_start: seconds('2026-03-01T00:00:00Z'),
      trial_end: seconds('2026-04-01T00:00:00Z'),
    },
  ],
  [
    'subscriptions',
    'trial_end',
    { status: 'trialing', trial_end: seconds('2026-04-01T00:00:00Z') },
  ],
  ['subscriptions', 'cancel_at_period_end', { cancel_at_period_end: true }],
  ['subscriptions', 'cancel_at', { cancel_at: seconds('2026-05-15T00:00:00Z') }],
  ['subscriptions', 'collection_method', { collection_method: 'charge_automatically' }],
  ['subscriptions', 'days_until_due', { days_until_due: 7 }],
  ['subscriptions', 'default_payment_method', { default_payment_method: 'pm_one' }],
  ['subscriptions', 'default_source', { default_source: 'pm_one' }],
  ['subscriptions', 'currency', { currency: 'eur' }],
  ['subscriptions', 'metadata', { metadata: { team: 'red' } }],
  ['subscriptions', 'discount', { discount: { coupon: { id: 'HALF' }, end: null } }],
  ['subscriptions', 'discounts', { discounts: ['di_unknown'] }],
  [
    'subscriptions',
    'default_tax_rates',
    { default_tax_rates: [aStripeTaxRate(7)], items: listOf([aStripeItem('plan')]) },
  ],
  ['subscriptions', 'automatic_tax', { automatic_tax: { enabled: true } }],
  ['subscriptions', 'billing_thresholds', { billing_thresholds: { amount_gte: 1_000 } }],
  ['subscriptions', 'invoice_settings', { invoice_settings: { issuer: { type: 'account' } } }],
  ['subscriptions', 'managed_payments', { managed_payments: { enabled: true } }],
  [
    'subscriptions',
    'pause_collection',
    { pause_collection: { behavior: 'void', resumes_at: null } },
  ],
  [
    'subscriptions',
    'trial_settings',
    {
      customer: 'cus_poor',
      status: 'trialing',
      trial_end: seconds('2026-04-01T00:00:00Z'),
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    },
  ],
  ['subscriptions', 'items', { items: listOf([aStripeItem('plan')], { has_more: true }) }],
  ['subscriptions', 'schedule', { schedule: 'sched_gone' }],
  ['schedules', 'id', { id: 'sched_other', status: 'not_started' }],
  ['schedules', 'status', { status: 'not_started' }],
  ['schedules', 'subscription', { subscription: 'sub_other' }],
  ['schedules', 'end_behavior', { end_behavior: 'cancel' }],
  ['schedules', 'current_phase', { current_phase: null }],
  ['schedules', 'default_settings', { default_settings: { billing_cycle_anchor: 'phase_start' } }],
  ['schedules', 'phases', { phases: [] }],
];

/** The same for objects within a record. */
const withinExamples: readonly (readonly [List, string, string, Raw])[] = [
  ...(
    [
      ['price', { price: 'tiers' }],
      ['plan', { price: null, plan: 'tiers' }],
      ['quantity', { quantity: 3 }],
      ['current_period_start', { current_period_start: seconds('2026-03-02T00:00:00Z') }],
      ['current_period_end', { current_period_end: seconds('2026-04-02T00:00:00Z') }],
      ['billed_until', { billed_until: seconds('2026-08-01T00:00:00Z') }],
      ['discounts', { discounts: [aStripeDiscount('HALF')] }],
      ['tax_rates', { tax_rates: [aStripeTaxRate(7)] }],
      ['billing_thresholds', { billing_thresholds: { usage_gte: 5 } }],
    ] as const
  ).map(([name, more]) => ['subscriptions', 'items.data.0', name, more] as const),
  ...(
    [
      ['start_date', { start_date: seconds('2026-06-10T00:00:00Z') }],
      ['currency', { currency: 'eur' }],
      ['collection_method', { collection_method: 'charge_automatically' }],
      ['default_payment_method', { default_payment_method: 'pm_one' }],
      ['trial', { trial: true }],
      ['trial_end', { trial_end: seconds('2026-07-01T00:00:00Z') }],
      [
        'proration_behavior',
        { start_date: seconds('2026-06-10T00:00:00Z'), proration_behavior: 'none' },
      ],
      ['billing_cycle_anchor', { billing_cycle_anchor: 'phase_start' }],
      ['discounts', { discounts: [{ coupon: 'HALF', discount: null, promotion_code: null }] }],
      ['items', { items: [{ price: 'plan', quantity: 9 }] }],
      ['automatic_tax', { automatic_tax: { enabled: true } }],
      ['billing_thresholds', { billing_thresholds: { amount_gte: 5 } }],
      ['invoice_settings', { invoice_settings: { issuer: { type: 'account' } } }],
    ] as const
  ).map(([name, more]) => ['schedules', 'phases.1', name, more] as const),
];

test('each field that the import reads changes the import, or is reported', () => {
  const base = readLists(good);
  for (const [list, field, more] of examples)
    expect(withChange(list, 0, [], more), `${list} ${field}`).not.toEqual(base);
  for (const [list, path, field, more] of withinExamples)
    expect(withChange(list, 0, path.split('.'), more), `${list} ${field}`).not.toEqual(base);
  // The table has an example of each.
  const readNames = ({ read, within }: Fields) =>
    [...read.split(' '), ...Object.keys(within ?? {})].filter(Boolean);
  for (const [list, [, fields]] of Object.entries(lists)) {
    const shown = examples.filter(([of]) => of === list).map(([, field]) => field);
    expect(new Set(shown), list).toEqual(new Set(readNames(fields)));
  }
  const shownIn = (path: string) =>
    withinExamples.filter(([, of]) => of === path).map(([, , field]) => field);
  expect(new Set(shownIn('items.data.0'))).toEqual(new Set(readNames(itemFields)));
  const phases = readNames(scheduleFields.within?.phases as Fields);
  expect(new Set([...shownIn('phases.1'), 'end_date'])).toEqual(new Set(phases));
});

/** The paths of the objects within a record whose fields are known one by one. */
function objectsIn(
  value: unknown,
  fields: Fields,
  path: readonly string[] = [],
): (readonly string[])[] {
  if (Array.isArray(value))
    return value.flatMap((one, place) => objectsIn(one, fields, [...path, String(place)]));
  if (typeof value !== 'object' || value === null) return [];
  return [
    path,
    ...Object.entries(value).flatMap(([name, own]) => {
      const within = fields.each ?? fields.within?.[name];
      return within ? objectsIn(own, within, [...path, name]) : [];
    }),
  ];
}

const places = Object.entries(lists).flatMap(([list, [, fields]]) =>
  good[list as List].flatMap((record, place) =>
    objectsIn(record, fields)
      // Phases that have begun are the state of the subscription.
      .filter((path) => path[0] !== 'phases' || path[1] === '1')
      .map((path) => [list as List, place, path] as const),
  ),
);

test('a field of any name and value that the import does not know is reported with its record', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'abcdefgh_') }),
      fc.jsonValue(),
      ([list, place, path], name, value) => {
        const key = `z${name}`;
        const { problems } = withChange(list, place, path, { [key]: value });
        const id = String((good[list][place] as Raw).id);
        const found = problems.filter(
          ({ record, message }) => record.endsWith(id) && message.includes(key),
        );
        expect(found.some(({ isLeftOut }) => isLeftOut)).toBe(isSet(value) || !isText(value));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a field that changes nothing may have any value', () => {
  const base = readLists(good);
  const free = places.flatMap(([list, place, path]) =>
    Object.values(fieldsAt(lists[list][1], path).free ?? {})
      .flatMap((names) => names.split(' '))
      // A record that is deleted, or a list with more records, is refused.
      .filter((name) => !['deleted', 'has_more'].includes(name))
      .map((name) => ({ list, place, path, name })),
  );
  fc.assert(
    fc.property(fc.constantFrom(...free), fc.jsonValue(), ({ list, place, path, name }, value) => {
      if (isText(value)) expect(withChange(list, place, path, { [name]: value })).toEqual(base);
    }),
    { numRuns: 1_000 },
  );
});

/** The fields of an object at a path. */
function fieldsAt(fields: Fields, [key, ...rest]: readonly string[]): Fields {
  if (key === undefined) return fields;
  if (/^\d+$/.test(key)) return fieldsAt(fields, rest);
  return fieldsAt(fields.each ?? (fields.within?.[key] as Fields), rest);
}

/** Whether all texts of a value are intact; a damaged one refuses its record. */
const isText = (value: unknown) =>
  !/\\ud[89a-f]|\\ufffd/i.test(JSON.stringify(value)) &&
  !JSON.stringify(value).includes('\u{fffd}');

const folder = join(import.meta.dirname, '../../../node_modules/stripe/esm/resources');

/** The fields of an interface of Stripe's library. */
function interfaceFields(file: string, name: string): string[] {
  const source = readFileSync(join(folder, `${file}.d.ts`), 'utf8');
  const [, indent = '', body = ''] =
    new RegExp(`^( *)(?:export )?interface ${name} \\{\\n([\\s\\S]*?)^\\1\\}`, 'm').exec(source) ??
    [];
  const field = new RegExp(`^ {${indent.length + 4}}(\\w+)\\??:`, 'gm');
  return [...body.matchAll(field)].map(([, found]) => found ?? '');
}

function namesOf(fields: Fields): string[] {
  const { read, free, reported, noted, within } = fields;
  return [
    ...read.split(' '),
    ...Object.values(free ?? {}).flatMap((names) => names.split(' ')),
    ...Object.keys(reported ?? {}),
    ...Object.keys(noted ?? {}),
    ...Object.keys(within ?? {}),
  ];
}

test('the import knows each field of the present interface of Stripe', () => {
  const interfaces: readonly (readonly [string, string, Fields])[] = [
    ['Products', 'Product', productFields],
    ['Prices', 'Price', priceFields],
    ['Prices', 'Recurring', priceFields.within?.recurring as Fields],
    ['Coupons', 'Coupon', couponFields],
    ['PromotionCodes', 'PromotionCode', promotionFields],
    ['PromotionCodes', 'Restrictions', promotionFields.within?.restrictions as Fields],
    ['Billing/Meters', 'Meter', meterFields],
    ['Discounts', 'Discount', discountFields],
    ['TaxRates', 'TaxRate', taxRateFields],
    ['Customers', 'Customer', customerFields],
    ['PaymentMethods', 'PaymentMethod', methodFields],
    ['Subscriptions', 'Subscription', subscriptionFields],
    ['Subscriptions', 'PauseCollection', subscriptionFields.within?.pause_collection as Fields],
    ['Subscriptions', 'InvoiceSettings', subscriptionFields.within?.invoice_settings as Fields],
    ['SubscriptionItems', 'SubscriptionItem', itemFields],
    ['SubscriptionSchedules', 'SubscriptionSchedule', scheduleFields],
    ['SubscriptionSchedules', 'DefaultSettings', scheduleFields.within?.default_settings as Fields],
    ['SubscriptionSchedules', 'Phase', scheduleFields.within?.phases as Fields],
    ['SubscriptionSchedules', 'Item', scheduleFields.within?.phases?.within?.items as Fields],
  ];
  for (const [file, name, fields] of interfaces) {
    const present = interfaceFields(file, name);
    expect(present.length, name).toBeGreaterThan(1);
    const known = namesOf(fields);
    expect(
      present.filter((field) => !known.includes(field)),
      name,
    ).toEqual([]);
  }
});
