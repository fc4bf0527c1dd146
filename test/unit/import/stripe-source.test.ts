import { expect, test } from 'vitest';
import {
  good,
  type List,
  type Raw,
  readLists,
  withChange,
} from '../../support/exports/good-export.ts';
import {
  aStripeCoupon,
  aStripeCustomer,
  aStripeDiscount,
  aStripeItem,
  aStripePhase,
  aStripePrice,
  aStripeSchedule,
  aStripeSubscription,
  aStripeTaxRate,
  listOf,
  seconds,
} from '../../support/exports/stripe-export.ts';

const plan = (more: Raw = {}) => aStripeItem('plan', more);
const sub = (more: Raw = {}, items: readonly unknown[] = [plan()]) =>
  aStripeSubscription('sub_one', 'cus_one', items, more);

/** The source of an export with one subscription, and other lists. */
const readOne = (one: unknown, lists: Partial<Record<List, readonly unknown[]>> = {}) =>
  readLists({ ...good, schedules: [], subscriptions: [one], ...lists });

/** The messages on what is left out of an export with one subscription. */
const lost = (one: unknown, lists: Partial<Record<List, readonly unknown[]>> = {}) =>
  readOne(one, lists).problems.flatMap(({ record, message, isLeftOut }) =>
    isLeftOut ? `${record}: ${message}` : [],
  );

test('objects that an export expands are read as their ids', () => {
  const coupon = aStripeCoupon('HALF', { percent_off: 50 });
  const discounts = (of: unknown) => [aStripeDiscount(of)];
  const terms = { default_payment_method: 'pm_one', discounts: discounts('HALF') };
  const short = readOne(sub(terms));
  const customer = aStripeCustomer('cus_one');
  const expanded = {
    ...sub({
      customer,
      default_payment_method: good.methods[0],
      discounts: discounts(coupon),
    }),
    items: listOf([plan({ price: aStripePrice('plan', 2_000), plan: { id: 'plan' } })]),
  };
  expect(readOne(expanded)).toEqual(short);
  expect(short.subscriptions).toMatchObject([
    { redemption: { code: 'HALF', payments: undefined }, paymentToken: 'pm_one' },
  ]);
  // A discount that is shown somewhere is known by its id elsewhere.
  const shown = aStripeCustomer('cus_one', {
    discount: { ...aStripeDiscount('HALF'), id: 'di_a' },
  });
  expect(readOne(sub({ ...terms, discounts: ['di_a'] }), { customers: [shown] })).toMatchObject({
    subscriptions: [{ redemption: { code: 'HALF' } }],
    problems: [],
  });
});

test('the former shapes of discounts, periods and plans are read as the present ones', () => {
  const present = readOne(sub({ discounts: [aStripeDiscount('HALF')] }));
  const { current_period_start, current_period_end, price, ...item } = plan() as Raw;
  const former = {
    ...sub({ discounts: undefined, discount: { coupon: { id: 'HALF' }, end: null } }, [
      { ...item, plan: { id: price } },
    ]),
    current_period_start,
    current_period_end,
  };
  expect(readOne(former)).toEqual(present);
});

test('discounts that a subscription here cannot have are reported with their field', () => {
  const coupons = [
    aStripeCoupon('HALF', { percent_off: 50 }),
    aStripeCoupon('FIVE', { amount_off: 500, currency: 'usd' }),
    aStripeCoupon('SIX', { amount_off: 600, currency: 'usd' }),
    aStripeCoupon('NINTHONCE', { percent_off: 11.11111, duration: 'once' }),
    aStripeCoupon('OTHERS', {
      amount_off: 500,
      currency: 'usd',
      applies_to: { products: ['prod_x'] },
    }),
    aStripeCoupon('THREE', { percent_off: 30, duration: 'once' }),
  ];
  const told = (...list: unknown[]) =>
    lost(sub({ discounts: list }), { coupons }).filter((line) => line.startsWith('sub'));
  expect(told('di_x')).toEqual([
    'subscription sub_one: discounts is not carried over: the export names di_x by its id only: list with expand[]=data.discounts',
  ]);
  expect(told(aStripeDiscount('NONE'))).toEqual([
    'subscription sub_one: discounts is not carried over: its coupon NONE is not in coupons.json',
  ]);
  expect(told(aStripeDiscount('NINTHONCE'))).toEqual([
    expect.stringMatching(/discounts is not carried over: its coupon NINTHONCE is not here/),
  ]);
  expect(told(aStripeDiscount('FIVE'), aStripeDiscount('SIX'))).toEqual([
    expect.stringMatching(/discounts\[1\] is not carried over: its coupon SIX is one of several/),
  ]);
  // A percentage after an amount is one of less.
  expect(told(aStripeDiscount('FIVE'), aStripeDiscount('HALF'))).toHaveLength(1);
  expect(told(aStripeDiscount('HALF'), aStripeDiscount('FIVE'))).toEqual([]);
  // It applies to products that the subscription does not have.
  expect(told(aStripeDiscount('OTHERS'))).toEqual([]);
  const item = plan({ discounts: [aStripeDiscount('THREE')] });
  expect(lost(sub({}, [item]), { coupons }).filter((line) => line.startsWith('sub'))).toEqual([]);
  expect(
    lost(sub({}, [item, aStripeItem('tiers')]), { coupons }).filter((line) =>
      line.startsWith('sub'),
    ),
  ).toEqual([expect.stringMatching(/items\.data\[0\]\.discounts is not carried over/)]);
});

test('a coupon of a customer for one payment reduces the subscription that is paid first', () => {
  const coupons = [aStripeCoupon('ONCE', { percent_off: 10, duration: 'once' })];
  const customers = [aStripeCustomer('cus_one', { discount: aStripeDiscount('ONCE') })];
  const later = plan({
    current_period_start: seconds('2026-03-10T00:00:00Z'),
    current_period_end: seconds('2026-04-10T00:00:00Z'),
  });
  const subscriptions = [
    { ...sub({}, [later]), id: 'sub_later', billing_cycle_anchor: seconds('2026-03-10T00:00:00Z') },
    sub(),
  ];
  const source = readLists({
    ...good,
    schedules: [],
    coupons,
    customers,
    subscriptions,
    promotions: [],
  });
  expect(source.subscriptions.map(({ redemption }) => redemption?.payments)).toEqual([
    undefined,
    1,
  ]);
});

test('a subscription in a currency that its price lacks is left out', () => {
  expect(lost(sub({ currency: 'eur' }))).toEqual([
    'subscription sub_one: is in EUR, and its price plan is in USD: list prices with expand[]=data.currency_options, or create plan_eur here',
  ]);
  const known = new Map([
    [
      'plan_eur',
      {
        currency: 'EUR',
        type: 'subscription' as const,
        isDefault: false,
        intervalUnit: 'month' as const,
        intervalCount: 1,
      },
    ],
  ]);
  const source = readLists(
    { ...good, schedules: [], subscriptions: [sub({ currency: 'eur' })] },
    { known },
  );
  expect(source.subscriptions).toMatchObject([{ items: [{ priceSlug: 'plan_eur' }] }]);
});

test('taxes that one rate of a customer cannot state are reported with each subscription', () => {
  const rates = (...percentages: number[]) => percentages.map((rate) => aStripeTaxRate(rate));
  expect(readOne(sub({ default_tax_rates: rates(19) }))).toMatchObject({
    customers: [{ tax: { taxType: 'vat', taxRatePercentage: '19', taxInclusive: false } }],
    problems: [],
  });
  const several = /default_tax_rates and tax_rates are not carried over/;
  expect(lost(sub({ default_tax_rates: rates(5, 9.975) }))).toEqual([
    expect.stringMatching(several),
  ]);
  expect(lost(sub({}, [plan({ tax_rates: rates(7) }), plan({ tax_rates: rates(19) })]))).toEqual([
    expect.stringMatching(several),
  ]);
  const odd = aStripeTaxRate(3, { tax_type: 'retail_delivery_fee', display_name: 'Fee' });
  expect(lost(sub({ default_tax_rates: [odd] }))).toEqual([
    expect.stringMatching(/the type of the tax Fee is not known here/),
  ]);
  const automatic = sub({ automatic_tax: { enabled: true, liability: { type: 'self' } } });
  expect(lost(automatic)).toEqual([expect.stringMatching(/automatic_tax is not carried over/)]);
  const taxed = readLists(
    { ...good, schedules: [], subscriptions: [automatic] },
    { tax: { isInclusive: false, taxes: true } },
  );
  expect(taxed.problems).toMatchObject([{ isLeftOut: false }]);
  const customer = (more: Raw) =>
    withChange('customers', 0, [], more).problems.map(({ message }) => message);
  expect(customer({ tax_exempt: 'reverse', tax_ids: undefined })[0]).toMatch(
    /^has tax_exempt reverse and no tax id/,
  );
  const wrong = listOf([{ type: 'eu_vat', value: 'DE123456789' }]);
  expect(customer({ tax_ids: wrong })).toEqual([
    expect.stringMatching(/^its tax id DE123456789 is not carried over: .*check digits/),
  ]);
  const rare = listOf([{ type: 'ke_pin', value: 'P000111111A' }]);
  expect(withChange('customers', 0, [], { tax_ids: rare })).toMatchObject({
    customers: [{ taxIds: [{ type: 'other', value: 'P000111111A' }] }],
    problems: [],
  });
});

test('balances, payment methods and ends that are not carried over name their amount and date', () => {
  const customer = (more: Raw) =>
    withChange('customers', 0, [], more).problems.map(({ message }) => message);
  expect(customer({ balance: 1_500 })).toEqual([
    'balance is not carried over: the customer owes USD 15.00 there with its next invoice. Add a one-off charge here',
  ]);
  expect(customer({ invoice_credit_balance: { usd: -300, eur: -200 } })).toEqual([
    'invoice_credit_balance.eur is not carried over: it is a credit of EUR 2.00, and the customer pays in USD',
  ]);
  expect(customer({ invoice_settings: { default_payment_method: 'pm_gone' } })).toEqual([
    'its default payment method pm_gone is not carried over: it is not in payment_methods.json',
  ]);
  const ending = sub({ cancel_at: seconds('2026-05-15T00:00:00Z') });
  expect(lost(ending)).toEqual([]);
  expect(readOne(ending).subscriptions).toMatchObject([
    { endsWithPeriod: false, endsAt: new Date('2026-05-15T00:00:00Z') },
  ]);
  expect(
    lost(sub({ collection_method: 'charge_automatically', default_payment_method: 'pm_gone' })),
  ).toEqual([
    expect.stringMatching(/default_payment_method is not carried over: pm_gone is not in/),
  ]);
  const odd = aStripeSubscription('sub_one', 'cus_one', [
    plan(),
    aStripeItem('tiers', { current_period_end: seconds('2026-06-01T00:00:00Z') }),
  ]);
  expect(lost(odd)).toEqual([expect.stringMatching(/has items with several periods/)]);
});

test('a phase has the discounts that it states, and the present ones end with it', () => {
  const coupons = [
    aStripeCoupon('FIVE', { amount_off: 500, currency: 'usd' }),
    aStripeCoupon('EIGHTH', { percent_off: 12.5 }),
  ];
  const phase = (discounts: readonly Raw[], items: Raw = {}) =>
    aStripePhase(
      '2026-06-01T00:00:00Z',
      '2026-09-01T00:00:00Z',
      [{ price: 'plan', quantity: 2, discounts: [], ...items }],
      { discounts },
    );
  const begun = aStripePhase('2026-03-01T00:00:00Z', '2026-06-01T00:00:00Z', []);
  const read = (present: string | undefined, later: Raw) =>
    readOne(sub({ discounts: present ? [aStripeDiscount(present)] : [] }), {
      coupons,
      promotions: [],
      schedules: [aStripeSchedule('sched_one', 'sub_one', [begun, later])],
    });
  const of = (coupon: string) => [{ coupon, discount: null, promotion_code: null }];
  const itemsOf = (source: ReturnType<typeof read>) => source.subscriptions[0]?.phases?.[0]?.items;
  const planned = (source: ReturnType<typeof read>) =>
    source.problems.filter(({ record }) => record.startsWith('subscription schedule'));
  // The discount of the subscription continues by itself.
  expect(planned(read('FIVE', phase(of('FIVE'))))).toEqual([]);
  expect(planned(read('FIVE', phase([])))).toMatchObject([
    { message: expect.stringContaining('without the discount FIVE') },
  ]);
  // A percentage of an item begins and ends with a phase.
  expect(itemsOf(read(undefined, phase(of('EIGHTH'))))).toMatchObject([
    { discountPercentage: '12.5' },
  ]);
  expect(itemsOf(read('EIGHTH', phase([])))).toMatchObject([{ discountPercentage: null }]);
});

test('coupons keep their ids as codes, fractions of a percent and months; new codes and other percentages are reported', () => {
  const coupons = [
    aStripeCoupon('N.E.W', { percent_off: 10 }),
    aStripeCoupon('a1', { percent_off: 10 }),
    aStripeCoupon('spring_2026-eu', { percent_off: 25.5 }),
    aStripeCoupon('THIRD', { percent_off: 33.33, duration: 'repeating', duration_in_months: 3 }),
    aStripeCoupon('A1', { percent_off: 10 }),
    aStripeCoupon('no id', { percent_off: 10 }),
    aStripeCoupon('NO–ID', { percent_off: 10 }),
    aStripeCoupon('NEW', { percent_off: 10 }),
    aStripeCoupon('€ 5', { percent_off: 10 }),
    aStripeCoupon('NINTH', { percent_off: 11.11111 }),
    aStripeCoupon('MONTHS', { percent_off: 10, duration: 'repeating' }),
  ];
  // The intervals of prices do not matter.
  const yearly = aStripePrice('yearly', 2_000, {
    recurring: { interval: 'year', interval_count: 1 },
  });
  const source = readOne(sub(), { coupons, promotions: [], prices: [...good.prices, yearly] });
  expect(source.discounts).toMatchObject([
    { code: 'A1', amount: 10, duration: 'forever', active: true },
    { code: 'SPRING_2026-EU', amount: 25.5, active: true },
    { code: 'THIRD', amount: 33.33, duration: 'number_of_months', numberOfMonths: 3, active: true },
    { code: 'NEW', name: 'NEW' },
    { code: 'NOID', amount: 10, active: true },
  ]);
  const told = source.problems.filter(({ record }) => record.startsWith('coupon'));
  expect(told).toMatchObject([
    { record: 'coupon A1', message: 'has the code A1 of another coupon here' },
    { record: 'coupon NINTH', message: expect.stringContaining('has the percentage 11.11111') },
    { record: 'coupon MONTHS', message: expect.stringContaining('has a duration_in_months that') },
    { record: 'coupon N.E.W', message: 'has the code NEW of another coupon here' },
    {
      record: 'coupon no id',
      message: expect.stringContaining('has the code NOID here'),
      isLeftOut: false,
    },
    { record: 'coupon NO–ID', message: 'has the code NOID of another coupon here' },
    { record: 'coupon € 5', message: expect.stringContaining('has an id that is no code here') },
  ]);
});

test('a redeemed coupon of some months keeps its end', () => {
  const months = { percent_off: 10, duration: 'repeating', duration_in_months: 6 };
  const coupons = [aStripeCoupon('SIX', months)];
  const end = seconds('2026-07-01T00:00:00Z');
  const [kept] = readOne(sub({ discounts: [aStripeDiscount('SIX', { end })] }), {
    coupons,
    promotions: [],
  }).subscriptions;
  expect(kept?.redemption).toEqual({
    code: 'SIX',
    size: { amountType: 'percent', amount: 10 },
    payments: undefined,
    months: { count: 6, end: new Date('2026-07-01T00:00:00Z') },
  });
});

test('a subscription follows the schedule that it shows, and one that is nowhere is named', () => {
  const phases = [
    aStripePhase('2026-03-01T00:00:00Z', '2026-06-01T00:00:00Z', [{ price: 'plan', quantity: 1 }]),
    aStripePhase('2026-06-01T00:00:00Z', '2026-09-01T00:00:00Z', [{ price: 'plan', quantity: 3 }]),
  ];
  const schedule = aStripeSchedule('sched_one', 'sub_one', phases);
  const listed = readOne(sub({ schedule: 'sched_one' }), { schedules: [schedule] });
  expect(listed.subscriptions[0]?.phases).toHaveLength(1);
  expect(readOne(sub({ schedule: { ...schedule, subscription: null } }))).toEqual(listed);
  expect(readOne(sub({ schedule }), { schedules: [schedule] })).toEqual(listed);
  const missing = [
    'subscription sub_one: schedule is not carried over: sched_one is not in subscription_schedules.json, so its later phases are not known',
  ];
  const lostSchedules = (of: unknown) => lost(sub({ schedule: of })).toSorted();
  expect(lostSchedules('sched_one')).toEqual(missing);
  expect(lostSchedules({ id: 'sched_one', object: 'subscription_schedule' })).toEqual(missing);
  expect(lostSchedules({ ...schedule, surprise: 1 })).toEqual([
    expect.stringMatching(/^subscription schedule sched_one: surprise is not carried over/),
  ]);
  expect(lost(sub({ schedule: 'sched_one', status: 'canceled' }))).toEqual([]);
});

test('of two active schedules of one subscription none is followed, and both are named', () => {
  const begin = '2026-03-01T00:00:00Z';
  const phasesTo = (quantity: number) => [
    aStripePhase(begin, '2026-06-01T00:00:00Z', [{ price: 'plan', quantity: 1 }]),
    aStripePhase('2026-06-01T00:00:00Z', '2026-09-01T00:00:00Z', [{ price: 'plan', quantity }]),
  ];
  const one = aStripeSchedule('sched_one', 'sub_one', phasesTo(3));
  const two = aStripeSchedule('sched_two', 'sub_one', phasesTo(9));
  const read = readOne(sub({ schedule: 'sched_one' }), { schedules: [one, two] });
  expect(read.subscriptions[0]?.phases).toBe(undefined);
  expect(read.problems.map(({ record, message }) => `${record}: ${message}`)).toEqual([
    expect.stringMatching(/^subscription schedule sched_one: .* follows sched_two, too/),
    expect.stringMatching(/^subscription schedule sched_two: .* follows sched_one, too/),
  ]);
  const ended = { ...two, status: 'released' };
  const followed = readOne(sub({ schedule: 'sched_one' }), { schedules: [one, ended] });
  expect(followed.subscriptions[0]?.phases).toMatchObject([{ items: [{ quantity: 3 }] }]);
});

test('phases that collect money in another way are named, with their index in the file', () => {
  const begun = aStripePhase('2026-03-01T00:00:00Z', '2026-06-01T00:00:00Z', [], {
    invoice_settings: { days_until_due: 7 },
    surprise: 1,
  });
  const later = (more: Raw) =>
    aStripePhase(
      '2026-06-01T00:00:00Z',
      '2026-09-01T00:00:00Z',
      [{ price: 'plan', quantity: 1 }],
      more,
    );
  const named = (phase: Raw, settings: Raw = {}) =>
    lost(sub(), {
      schedules: [
        aStripeSchedule('sched_one', 'sub_one', [begun, later(phase)], {
          default_settings: { collection_method: 'send_invoice', ...settings },
        }),
      ],
    });
  const due = (days: number | null) => ({ invoice_settings: { days_until_due: days } });
  const told = (what: string) => [
    expect.stringContaining(`: has a phase from 2026-06-01T00:00:00.000Z with ${what}`),
  ];
  expect(named(due(30), due(14))).toEqual([]);
  expect(named(due(null), due(30))).toEqual([]);
  expect(named(due(14))).toEqual(told('invoice_settings.days_until_due 14'));
  expect(named(due(null), due(14))).toEqual(told('invoice_settings.days_until_due 14'));
  const automatic = { collection_method: 'charge_automatically' };
  expect(named({}, automatic)).toEqual(told('collection_method charge_automatically'));
  expect(named(automatic, due(14))).toEqual(told('collection_method charge_automatically'));
  expect(named({}, { default_payment_method: { id: 'pm_one' } })).toEqual(
    told('default_payment_method pm_one'),
  );
  expect(named({ surprise: 1 })).toEqual([expect.stringContaining(': phases[1].surprise is not')]);
});
