import { expect } from 'vitest';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { imported } from '../../support/exports/import-files.ts';
import {
  aStripeCoupon,
  aStripeCustomer,
  aStripeDiscount,
  aStripeItem,
  aStripePrice,
  aStripeProduct,
  aStripeSubscription,
} from '../../support/exports/stripe-export.ts';
import { aTestClock, fresh } from '../../support/factories.ts';
import { test } from '../../support/test.ts';

const coupons = {
  HALF: { percent_off: 50 },
  FIVE: { amount_off: 500, currency: 'usd' },
  QUARTER: { percent_off: 25, duration: 'repeating', duration_in_months: 12 },
  SAME: { percent_off: 20 },
};
const names = Object.keys(coupons) as (keyof typeof coupons)[];
const months = { end: Date.parse('2027-01-01T00:00:00Z') / 1_000 };

const files = {
  'products.json': [aStripeProduct('prod_plan')],
  'prices.json': [aStripePrice('plan', 2_000, { product: 'prod_plan' })],
  'coupons.json': names.map((name) => aStripeCoupon(name, coupons[name])),
  'customers.json': [...names, 'none'].map((name) => aStripeCustomer(name)),
  'subscriptions.json': [
    aStripeSubscription('sub_none', 'none', [aStripeItem('plan')]),
    ...names.map((name) =>
      aStripeSubscription(`sub_${name}`, name, [aStripeItem('plan')], {
        discounts: [aStripeDiscount(name, name === 'QUARTER' ? months : {})],
      }),
    ),
  ],
};

test('redeemed coupons keep the terms of the source where the discount here has others, which is named', async ({
  session,
  api,
}) => {
  const here = { name: 'here', amountType: 'percent', amount: 10, duration: 'once' };
  const fixed = { name: 'here', amountType: 'fixed', amount: 100, currency: 'USD' };
  for (const discount of [
    { ...here, code: 'HALF' },
    { ...here, code: 'FIVE' },
    { ...fixed, duration: 'number_of_payments', numberOfPayments: 3, code: 'QUARTER' },
    { ...here, amount: 20, duration: 'forever', code: 'SAME' },
  ])
    expect((await api('POST', '/discounts', { discount })).status).toBe(200);
  const { id: testClockId } = await aTestClock(session, new Date('2026-03-10T00:00:00Z'));
  const kept =
    'Subscriptions that have redeemed it keep the terms there, and new ones get those here';
  const lost = [
    `- discount HALF: is here already with other terms: amount is 10 here and 50 there, duration is once here and forever there. ${kept}`,
    `- discount FIVE: is here already with other terms: amountType is percent here and fixed there, amount is 10 here and 500 there, currency is none here and USD there, duration is once here and forever there. ${kept}`,
    `- discount QUARTER: is here already with other terms: amountType is fixed here and percent there, amount is 100 here and 25 there, currency is USD here and none there, duration is number_of_payments here and number_of_months there, numberOfPayments is 3 here and none there, numberOfMonths is none here and 12 there. ${kept}`,
  ];
  const planned = await imported(session, files, { testClockId, applies: false });
  expect(planned).toEqual([
    'product: 1 to create, 0 here already',
    'price: 1 to create, 0 here already',
    'discounts: 0 to create, 4 here already',
    'customers: 5 to create, 0 here already',
    'subscriptions: 5 to create, 0 here already',
    ...lost,
  ]);
  expect(await imported(session, files, { testClockId })).toEqual(
    planned.map((line) => line.replace('to create', 'created')),
  );
  const redeemed = await fresh(session).em.find(DiscountRedemption, {});
  const terms = redeemed.map(
    ({ code, amountType, amount, currency, duration, endsAt }) =>
      `${code}: ${amount} ${currency ?? amountType} ${duration} ${endsAt?.toISOString().slice(0, 10) ?? ''}`,
  );
  expect(terms.toSorted()).toEqual([
    'FIVE: 500 USD forever ',
    'HALF: 50 percent forever ',
    'QUARTER: 25 percent number_of_months 2027-01-01',
    'SAME: 20 percent forever ',
  ]);
});

test('prices, products and usage meters that are here with other terms are named, and a price in another currency is no price of a subscription', async ({
  session,
  api,
}) => {
  const month = { type: 'subscription', intervalUnit: 'month' } as const;
  const catalog = {
    dear: { ...month, unitPrice: 999_900 },
    euro: { ...month, unitPrice: 2_000, currency: 'EUR' },
    year: { ...month, unitPrice: 2_000, intervalUnit: 'year' },
    same: { ...month, unitPrice: 2_000 },
  };
  for (const [slug, price] of Object.entries(catalog)) {
    const product = { name: slug, slug: `prod_${slug}`, taxCode: 'saas' };
    const made = await api('POST', '/products', { product, price: { slug, ...price } });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
  }
  const usageMeter = { name: 'Calls', slug: 'mtr_calls', aggregationType: 'max' };
  await api('POST', '/usage-meters', { usageMeter });
  const names = Object.keys(catalog);
  const metered = { interval: 'month', interval_count: 1, usage_type: 'metered' };
  const source = {
    'products.json': names.map((name) =>
      aStripeProduct(`prod_${name}`, name === 'same' ? { tax_code: 'txcd_1' } : {}),
    ),
    'prices.json': [
      ...names.map((name) => aStripePrice(name, 2_000)),
      aStripePrice('calls', 5, {
        product: 'prod_same',
        recurring: { ...metered, meter: 'mtr_calls' },
      }),
    ],
    'meters.json': [
      { id: 'mtr_calls', display_name: 'Calls', default_aggregation: { formula: 'sum' } },
    ],
    'customers.json': names.map((name) => aStripeCustomer(name)),
    'subscriptions.json': names.map((name) =>
      aStripeSubscription(`sub_${name}`, name, [aStripeItem(name)]),
    ),
  };
  const { id: testClockId } = await aTestClock(session, new Date('2026-03-10T00:00:00Z'));
  const kept = 'Subscriptions get the price here';
  const of = 'is here already with other terms:';
  const lost = [
    expect.stringMatching(/^- subscription sub_euro: is in USD, and its price euro is in EUR: /),
    expect.stringMatching(/^- subscription sub_year: has a period .* no.* interval of its price$/),
    `- price dear: ${of} unitPrice is 999900 here and 2000 there. ${kept}`,
    `- price euro: ${of} currency is EUR here and USD there. ${kept}`,
    `- price year: ${of} intervalUnit is year here and month there. ${kept}`,
    `- product prod_same: ${of} taxCode is saas here and txcd_1 there`,
    `- usage meter mtr_calls: ${of} aggregationType is max here and sum there`,
  ];
  const planned = await imported(session, source, { testClockId, applies: false });
  expect(planned.filter((line) => line.startsWith('-'))).toEqual(lost);
  expect(planned).toContain('subscriptions: 2 to create, 0 here already');
  const done = await imported(session, source, { testClockId });
  expect(done.filter((line) => line.startsWith('-'))).toEqual(lost);
  // A repetition finds what the first one has created as it was in the source.
  const again = await imported(session, source, { testClockId });
  expect(again.filter((line) => line.startsWith('-'))).toEqual(lost);
  const subscriptions = await fresh(session).em.find(Subscription, {
    externalId: ['sub_dear', 'sub_same'],
  });
  expect(subscriptions).toHaveLength(2);
});
