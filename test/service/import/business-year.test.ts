// @module-tag long
import { expect } from 'vitest';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { type Files, imported } from '../../support/exports/import-files.ts';
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
  seconds,
} from '../../support/exports/stripe-export.ts';
import { aTestClock, fresh } from '../../support/factories.ts';
import { test } from '../../support/test.ts';

type More = Readonly<Record<string, unknown>>;

interface Kind {
  readonly name: string;
  /** The invoices of the year: amounts, how often, and from when. */
  readonly billed: string;
  readonly items?: readonly unknown[];
  readonly customer?: More;
  readonly subscription?: More;
  /** The later phases of its schedule. */
  readonly phases?: readonly More[];
}

const year = (amount: string) => `12 × ${amount} from 2026-04-01`;
const plan = () => [aStripeItem('plan')];
const period = (start: string, end: string) => ({
  current_period_start: seconds(start),
  current_period_end: seconds(end),
});
const discounted = (coupon: unknown, more: More = {}) => ({
  discounts: [aStripeDiscount(coupon, more)],
});

/** A plan costs 20.00 USD a month, support 9.00, and the running month is billed at Stripe until 1 April 2026. */
const kinds: readonly Kind[] = [
  { name: 'plain', billed: year('USD 2000') },
  { name: 'seats', items: [aStripeItem('plan', { quantity: 3 })], billed: year('USD 6000') },
  {
    name: 'items',
    items: [aStripeItem('plan'), aStripeItem('support')],
    billed: year('USD 2900'),
  },
  // 5 × 5.00 and 3 × 4.00
  { name: 'graduated', items: [aStripeItem('tiers', { quantity: 8 })], billed: year('USD 3700') },
  // 3 packages of 10 at 9.00
  { name: 'package', items: [aStripeItem('packs', { quantity: 25 })], billed: year('USD 2700') },
  {
    name: 'yearly',
    items: [aStripeItem('yearly', period('2026-01-15T00:00:00Z', '2027-01-15T00:00:00Z'))],
    subscription: { billing_cycle_anchor: seconds('2025-01-15T00:00:00Z') },
    billed: '1 × USD 24000 from 2027-01-15',
  },
  {
    name: 'monthend',
    items: [aStripeItem('plan', period('2026-02-28T00:00:00Z', '2026-03-31T00:00:00Z'))],
    subscription: { billing_cycle_anchor: seconds('2025-12-31T00:00:00Z') },
    billed: '12 × USD 2000 from 2026-03-31',
  },
  {
    name: 'euro',
    customer: { currency: 'eur' },
    subscription: { currency: 'eur' },
    billed: year('EUR 1700'),
  },
  {
    name: 'yen',
    customer: { currency: 'jpy' },
    items: [aStripeItem('yen')],
    subscription: { currency: 'jpy' },
    billed: year('JPY 3000'),
  },
  // Stripe counts in hundredths, of which the currency has none.
  {
    name: 'krona',
    customer: { currency: 'isk' },
    items: [aStripeItem('krona')],
    subscription: { currency: 'isk' },
    billed: year('ISK 2500'),
  },
  { name: 'half', subscription: discounted('HALF'), billed: year('USD 1000') },
  { name: 'eighth', subscription: discounted('EIGHTH'), billed: year('USD 1750') },
  { name: 'five', subscription: discounted('FIVE'), billed: year('USD 1500') },
  {
    name: 'fiveeuro',
    customer: { currency: 'eur' },
    subscription: { currency: 'eur', ...discounted('FIVE') },
    billed: year('EUR 1300'),
  },
  {
    name: 'once',
    subscription: discounted('QUARTERONCE'),
    billed: '1 × USD 1500 from 2026-04-01, 11 × USD 2000 from 2026-05-01',
  },
  // Six months since the begin of January, of which April, May and June are left.
  {
    name: 'sixmonths',
    subscription: discounted('TENSIX', { end: seconds('2026-07-01T00:00:00Z') }),
    billed: '3 × USD 1800 from 2026-04-01, 9 × USD 2000 from 2026-07-01',
  },
  // Its last discounted month was March.
  {
    name: 'over',
    subscription: discounted('TENSIX', { end: seconds('2026-04-01T00:00:00Z') }),
    billed: year('USD 2000'),
  },
  { name: 'expired', subscription: discounted('GONE'), billed: year('USD 1200') },
  {
    name: 'ofcustomer',
    customer: { discount: aStripeDiscount('TEN') },
    billed: year('USD 1800'),
  },
  // A discount of the subscription replaces that of its customer.
  {
    name: 'replaced',
    customer: { discount: aStripeDiscount('TEN') },
    subscription: discounted('HALF'),
    billed: year('USD 1000'),
  },
  // Support costs 7.20.
  {
    name: 'ofitem',
    items: [
      aStripeItem('plan'),
      aStripeItem('support', { discounts: [aStripeDiscount('TWENTY')] }),
    ],
    billed: year('USD 2720'),
  },
  // 20 % of an item, and 10 % of the rest.
  {
    name: 'stacked',
    subscription: { discounts: [aStripeDiscount('TWENTY'), aStripeDiscount('TEN')] },
    billed: year('USD 1440'),
  },
  {
    name: 'ofproduct',
    items: [aStripeItem('plan'), aStripeItem('support')],
    subscription: discounted('SUPPORTHALF'),
    billed: year('USD 2450'),
  },
  {
    name: 'trial',
    subscription: {
      status: 'trialing',
      trial_start: seconds('2026-03-01T00:00:00Z'),
      trial_end: seconds('2026-04-10T00:00:00Z'),
      billing_cycle_anchor: seconds('2026-04-10T00:00:00Z'),
    },
    billed: '12 × USD 2000 from 2026-04-10',
  },
  // A first share of 21 of 30 days, and then the months of the anchor.
  {
    name: 'trialanchor',
    subscription: {
      status: 'trialing',
      trial_start: seconds('2026-03-01T00:00:00Z'),
      trial_end: seconds('2026-04-10T00:00:00Z'),
      billing_cycle_anchor: seconds('2026-05-01T00:00:00Z'),
    },
    billed: '1 × USD 1400 from 2026-04-10, 11 × USD 2000 from 2026-05-01',
  },
  { name: 'ending', subscription: { cancel_at_period_end: true }, billed: '' },
  { name: 'endingtoo', subscription: { cancel_at_period_end: true }, billed: '' },
  {
    name: 'enddate',
    subscription: { cancel_at: seconds('2026-07-01T00:00:00Z') },
    billed: '3 × USD 2000 from 2026-04-01',
  },
  {
    name: 'pausing',
    subscription: { pause_collection: { behavior: 'void', resumes_at: null } },
    billed: '',
  },
  {
    name: 'pausingtoo',
    subscription: { pause_collection: { behavior: 'mark_uncollectible', resumes_at: null } },
    billed: '',
  },
  {
    name: 'pauseduntil',
    subscription: {
      pause_collection: {
        behavior: 'mark_uncollectible',
        resumes_at: seconds('2026-05-20T00:00:00Z'),
      },
    },
    billed: '10 × USD 2000 from 2026-06-01',
  },
  { name: 'paused', subscription: { status: 'paused' }, billed: '' },
  { name: 'unpaid', subscription: { status: 'unpaid' }, billed: '' },
  { name: 'incomplete', subscription: { status: 'incomplete' }, billed: '' },
  { name: 'canceled', subscription: { status: 'canceled' }, billed: '' },
  { name: 'pastdue', subscription: { status: 'past_due' }, billed: year('USD 2000') },
  {
    name: 'credit',
    customer: { balance: -4_500 },
    billed:
      '2 × USD 2000 less 2000 from 2026-04-01, 1 × USD 2000 less 500 from 2026-06-01, 9 × USD 2000 from 2026-07-01',
  },
  {
    name: 'crediteuro',
    customer: { balance: -700, currency: 'eur' },
    subscription: { currency: 'eur' },
    billed: '1 × EUR 1700 less 700 from 2026-04-01, 11 × EUR 1700 from 2026-05-01',
  },
  {
    name: 'vat',
    subscription: { default_tax_rates: [aStripeTaxRate(19)] },
    billed: year('USD 2380'),
  },
  {
    name: 'included',
    items: [aStripeItem('plan', { tax_rates: [aStripeTaxRate(19, { inclusive: true })] })],
    billed: year('USD 2000'),
  },
  {
    name: 'exempt',
    customer: { tax_exempt: 'exempt' },
    subscription: { default_tax_rates: [aStripeTaxRate(19)] },
    billed: year('USD 2000'),
  },
  {
    name: 'ramp',
    phases: [
      aStripePhase('2026-06-01T00:00:00Z', '2027-06-01T00:00:00Z', [
        { price: 'plan', quantity: 3, discounts: [] },
      ]),
    ],
    billed: '2 × USD 2000 from 2026-04-01, 10 × USD 6000 from 2026-06-01',
  },
  // From the middle of June two seats: half of the second one is billed with July.
  {
    name: 'midway',
    phases: [
      aStripePhase('2026-06-16T00:00:00Z', '2027-06-16T00:00:00Z', [
        { price: 'plan', quantity: 2, discounts: [] },
      ]),
    ],
    billed:
      '3 × USD 2000 from 2026-04-01, 1 × USD 5000 from 2026-07-01, 8 × USD 4000 from 2026-08-01',
  },
  // 100 calls in April at 0.03 are billed with May.
  {
    name: 'metered',
    items: [aStripeItem('plan'), aStripeItem('calls')],
    billed:
      '1 × USD 2000 from 2026-04-01, 1 × USD 2300 from 2026-05-01, 10 × USD 2000 from 2026-06-01',
  },
];

const price = (id: string, amount: number | null, more: More = {}) =>
  aStripePrice(id, amount, { product: `prod_${id}`, ...more });

const prices = [
  price('plan', 2_000, {
    currency_options: {
      usd: { unit_amount: 2_000, unit_amount_decimal: '2000', tax_behavior: 'unspecified' },
      eur: { unit_amount: 1_700, unit_amount_decimal: '1700', tax_behavior: 'unspecified' },
    },
  }),
  price('support', 900),
  price('yearly', 24_000, { recurring: { ...monthly, interval: 'year' } }),
  price('tiers', null, {
    billing_scheme: 'tiered',
    tiers_mode: 'graduated',
    tiers: [
      { up_to: 5, unit_amount: 500, unit_amount_decimal: '500', flat_amount: null },
      { up_to: null, unit_amount: 400, unit_amount_decimal: '400', flat_amount: null },
    ],
  }),
  price('packs', 900, { transform_quantity: { divide_by: 10, round: 'up' } }),
  price('yen', 3_000, { currency: 'jpy' }),
  price('krona', 250_000, { currency: 'isk' }),
  price('calls', 3, { recurring: { ...monthly, usage_type: 'metered', meter: 'mtr_calls' } }),
];

const business: Files = {
  'products.json': listOf(
    prices.map(({ id }) => aStripeProduct(`prod_${id}`, { default_price: id })),
  ),
  'prices.json': listOf(prices),
  'meters.json': listOf([
    {
      id: 'mtr_calls',
      object: 'billing.meter',
      default_aggregation: { formula: 'sum' },
      display_name: 'Calls',
      event_name: 'calls',
    },
  ]),
  'coupons.json': listOf([
    aStripeCoupon('HALF', { percent_off: 50 }),
    aStripeCoupon('TEN', { percent_off: 10 }),
    aStripeCoupon('TWENTY', { percent_off: 20 }),
    aStripeCoupon('EIGHTH', { percent_off: 12.5 }),
    aStripeCoupon('FIVE', {
      amount_off: 500,
      currency: 'usd',
      currency_options: { eur: { amount_off: 400 }, usd: { amount_off: 500 } },
    }),
    aStripeCoupon('QUARTERONCE', { percent_off: 25, duration: 'once' }),
    aStripeCoupon('TENSIX', { percent_off: 10, duration: 'repeating', duration_in_months: 6 }),
    aStripeCoupon('GONE', { percent_off: 40, valid: false, max_redemptions: 1 }),
    aStripeCoupon('SUPPORTHALF', {
      percent_off: 50,
      applies_to: { products: ['prod_support'] },
    }),
  ]),
  'customers.json': listOf(
    kinds.map(({ name, customer }) => aStripeCustomer(`cus_${name}`, customer)),
  ),
  'payment_methods.json': listOf(
    kinds.map(({ name }) => ({ id: 'sandbox_success', type: 'card', customer: `cus_${name}` })),
  ),
  'subscriptions.json': listOf(
    kinds.map(({ name, items, subscription }) =>
      aStripeSubscription(`sub_${name}`, `cus_${name}`, items ?? plan(), {
        collection_method: 'charge_automatically',
        days_until_due: null,
        ...subscription,
      }),
    ),
  ),
  'subscription_schedules.json': listOf(
    kinds.flatMap(({ name, phases }) =>
      phases
        ? [
            aStripeSchedule(
              `sched_${name}`,
              `sub_${name}`,
              [
                aStripePhase('2026-03-01T00:00:00Z', '2026-06-01T00:00:00Z', [
                  { price: 'plan', quantity: 1, discounts: [] },
                ]),
                ...phases,
              ],
              { default_settings: { collection_method: 'charge_automatically' } },
            ),
          ]
        : [],
    ),
  ),
};

interface Invoice {
  readonly currency: string;
  readonly total: number;
  readonly creditApplied: number;
  readonly billingPeriodStartDate: number;
}

/** Invoices as the table states them: equal ones in a row are one entry. */
function summary(invoices: readonly Invoice[]): string {
  const runs: { text: string; from: string; count: number }[] = [];
  for (const { currency, total, creditApplied, billingPeriodStartDate } of invoices) {
    const text = `${currency} ${total}${creditApplied === 0 ? '' : ` less ${creditApplied}`}`;
    const last = runs.at(-1);
    const from = new Date(billingPeriodStartDate).toISOString().slice(0, 10);
    if (last?.text === text) last.count += 1;
    else runs.push({ text, from, count: 1 });
  }
  return runs.map(({ text, from, count }) => `${count} × ${text} from ${from}`).join(', ');
}

test('a business of every kind of subscription is billed for a year as Stripe would have billed it', async ({
  session,
  graphql,
  api,
}) => {
  const clock = await aTestClock(session, new Date('2026-03-10T00:00:00Z'));
  const on = { testClockId: clock.id };
  const planned = await imported(session, business, { ...on, applies: false });
  const report = await imported(session, business, on);
  expect(planned.map((line) => line.replace('to create', 'created'))).toEqual(report);
  expect(report.filter((line) => line.startsWith('-'))).toEqual([
    expect.stringMatching(/^- coupon FIVE: currency_options is not carried over for eur/),
    expect.stringMatching(/^- coupon SUPPORTHALF: applies_to is not carried over/),
    '- subscription sub_paused: is paused there, so nothing is billed: create it here when the customer resumes it',
    expect.stringMatching(/^- subscription sub_unpaid: is unpaid there/),
    expect.stringMatching(/^- subscription sub_incomplete: is incomplete/),
  ]);
  const advance = (to: string) =>
    advanceTestClock(fresh(session), { id: clock.id, frozenTime: new Date(to) });
  await advance('2026-04-15T00:00:00Z');
  const meter = await graphql(
    '{ subscriptions(first: 100) { nodes { id externalId } } usageMeters { nodes { id slug } } }',
  );
  const { id: subscriptionId } = meter.data.subscriptions.nodes.find(
    ({ externalId }: { externalId: string }) => externalId === 'sub_metered',
  );
  const { status } = await api('POST', '/usage-events', {
    usageEvent: { subscriptionId, usageMeterSlug: 'mtr_calls', amount: 100, transactionId: 'one' },
  });
  expect(status).toBe(200);
  await advance('2027-03-10T00:00:00Z');
  // A discount that was redeemed there counts, and leaves as many to others as before.
  const redeemed = await graphql('{ discounts { nodes { code redemptionCount } } }');
  const counts = redeemed.data.discounts.nodes.map(
    ({ code, redemptionCount }: { code: string; redemptionCount: number }) =>
      `${code} ${redemptionCount}`,
  );
  expect(counts.toSorted()).toEqual([
    'EIGHTH 1',
    'FIVE 2',
    'GONE 1',
    'HALF 2',
    'QUARTERONCE 1',
    'SUPPORTHALF 0',
    'TEN 1',
    'TENSIX 1',
    'TWENTY 1',
  ]);
  const { data } = await graphql(
    `{ customers(first: 100) { nodes { externalId invoicesPage(first: 40, where: { status: { in: [open, paid, refunded, partially_refunded] } }) {
      nodes { currency total creditApplied billingPeriodStartDate } } } } }`,
  );
  const billed = new Map(
    data.customers.nodes.map((one: { externalId: string; invoicesPage: { nodes: Invoice[] } }) => [
      one.externalId,
      summary(
        one.invoicesPage.nodes.toSorted(
          (a, b) => a.billingPeriodStartDate - b.billingPeriodStartDate,
        ),
      ),
    ]),
  );
  expect(kinds.map(({ name }) => `${name}: ${billed.get(`cus_${name}`)}`)).toEqual(
    kinds.map(({ name, billed }) => `${name}: ${billed}`),
  );
});
