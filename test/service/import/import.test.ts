import fc from 'fast-check';
import { expect } from 'vitest';
import { amountOfItem } from '#domain/model/catalog/cost.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { advanceTestClock } from '#domain/platform/commands/test-clocks/advance-test-clock.ts';
import { cycleAt } from '#domain/subscriptions/periods/next-boundary.ts';
import { parseImportArguments } from '../../../src/tools/import/arguments.ts';
import { countFrom } from '../../../src/tools/import/source/count-from.ts';
import { type Files, imported } from '../../support/exports/import-files.ts';
import { aTestClock, fresh } from '../../support/factories.ts';
import { test } from '../../support/test.ts';

const day = 86_400;
const now = Math.floor(Date.now() / 1_000);

const customer = (n: number, more = {}) => ({
  id: `cus_fake${n}`,
  name: `Customer ${n}`,
  email: `customer${n}@example.com`,
  address: { line1: 'Main Street 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
  metadata: { crm: `crm-${n}` },
  ...more,
});

const subscription = (n: number, more = {}) => ({
  id: `sub_fake${n}`,
  customer: `cus_fake${n}`,
  status: 'active',
  billing_cycle_anchor: now - 10 * day,
  current_period_start: now - 10 * day,
  current_period_end: now - 10 * day + 14 * day,
  items: { data: [{ price: { id: 'price_fortnight' }, quantity: n }] },
  ...more,
});

const price = (id: string, more = {}) => ({
  id,
  product: 'prod_pro',
  currency: 'usd',
  type: 'recurring',
  unit_amount: 2_000,
  recurring: { interval: 'week', interval_count: 2 },
  ...more,
});

const business: Files = {
  'products.json': [{ id: 'prod_pro', name: 'Pro', default_price: 'price_fortnight' }],
  'prices.json': [
    price('price_yearly', {
      unit_amount: 48_000,
      recurring: { interval: 'year', interval_count: 1 },
    }),
    price('price_fortnight'),
  ],
  'coupons.json': [{ id: 'LOYAL', percent_off: 10, duration: 'forever' }],
  'customers.json': [
    customer(1, { invoice_settings: { default_payment_method: 'sandbox_success' } }),
    customer(2),
    customer(3),
  ],
  'payment_methods.json': [
    {
      id: 'sandbox_success',
      customer: 'cus_fake1',
      type: 'card',
      card: { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 },
    },
  ],
  'subscriptions.json': [
    subscription(1, { discount: { coupon: { id: 'LOYAL' } }, metadata: { team: 'red' } }),
    subscription(2, {
      cancel_at_period_end: true,
      collection_method: 'send_invoice',
      days_until_due: 14,
    }),
    subscription(3, { status: 'trialing', trial_start: now - 2 * day, trial_end: now + 5 * day }),
  ],
};

const subscriptions = `{ subscriptions(where: { isFreePlan: false }) { nodes {
  externalId status mrr paidUntil trialEnd cancelScheduledAt collectionMethod metadata
  customer { externalId } itemsPage(first: 5) { nodes { quantity price { slug } } }
} } invoices { totalCount } payments { totalCount } }`;

test('an export of Stripe is imported once, and nothing is charged that was charged there', async ({
  session,
  graphql,
}) => {
  const planned = await imported(session, business, { applies: false });
  expect(planned).toEqual([
    'product: 1 to create, 0 here already',
    'prices: 2 to create, 0 here already',
    'discount: 1 to create, 0 here already',
    'customers: 3 to create, 0 here already',
    'payment method: 1 to create, 0 here already',
    'subscriptions: 3 to create, 0 here already',
  ]);
  expect((await graphql('{ customers { totalCount } }')).data.customers.totalCount).toBe(0);
  expect(await imported(session, business)).toEqual(
    planned.map((line) => line.replace('to create', 'created')),
  );
  const { data } = await graphql(subscriptions);
  const until = (now + 4 * day) * 1_000;
  expect(data.invoices.totalCount).toBe(0);
  expect(data.payments.totalCount).toBe(0);
  const byId = (a: { externalId: string }, b: { externalId: string }) =>
    a.externalId < b.externalId ? -1 : 1;
  expect(data.subscriptions.nodes.toSorted(byId)).toMatchObject([
    {
      externalId: 'sub_fake1',
      status: 'active',
      paidUntil: until,
      metadata: { team: 'red' },
      itemsPage: { nodes: [{ quantity: 1, price: { slug: 'price_fortnight' } }] },
    },
    {
      externalId: 'sub_fake2',
      status: 'cancellation_scheduled',
      cancelScheduledAt: until,
      collectionMethod: 'send_invoice',
    },
    { externalId: 'sub_fake3', status: 'trialing', trialEnd: (now + 5 * day) * 1_000 },
  ]);
  // Again, with one customer more: what is here stays, and the rest is added.
  const more = {
    ...business,
    'customers.json': [...(business['customers.json'] as object[]), customer(4)],
    'subscriptions.json': [...(business['subscriptions.json'] as object[]), subscription(4)],
  };
  expect(await imported(session, more)).toEqual([
    'product: 0 created, 1 here already',
    'prices: 0 created, 2 here already',
    'discount: 0 created, 1 here already',
    'customers: 1 created, 3 here already',
    'payment method: 0 created, 1 here already',
    'subscriptions: 1 created, 3 here already',
  ]);
});

test('records that cannot be imported are named with the reason, and the others are imported', async ({
  session,
}) => {
  const lines = await imported(session, {
    'products.json': [
      { id: 'prod_pro', name: 'Pro' },
      { id: 'prod_none', name: 'Nothing' },
    ],
    'prices.json': [
      price('price_fortnight'),
      price('price_ever', {
        recurring: { interval: 'month', usage_type: 'metered', aggregate_usage: 'last_ever' },
      }),
      price('price_tiers', { billing_scheme: 'tiered', unit_amount: null }),
    ],
    'customers.json': [
      customer(1),
      customer(2, { email: null }),
      { id: 7 },
      customer(3, { email: 'nobody' }),
    ],
    'subscriptions.json': [
      subscription(1),
      subscription(2),
      subscription(4, { customer: 'cus_fake1', items: { data: [{ price: 'price_tiers' }] } }),
      subscription(5, { customer: 'cus_fake1', status: 'canceled' }),
      subscription(6, { customer: 'cus_fake1', current_period_end: now - 9 * day }),
    ],
    'coupons.json': [{ id: 'HALF', percent_off: 12.34567, duration: 'once' }],
  });
  expect(lines.slice(0, 4)).toEqual([
    'product: 1 created, 0 here already',
    'price: 1 created, 0 here already',
    'customer: 1 created, 0 here already',
    'subscription: 1 created, 0 here already',
  ]);
  expect(lines.slice(4).toSorted()).toEqual([
    '- coupon HALF: has the percentage 12.34567: a discount has one above 0 with at most 4 places',
    '- customer 7: id: must be a text',
    '- customer cus_fake2: has no email: documents and reminders need one',
    expect.stringMatching(/^- customer cus_fake3: customer\.email must be an e-mail address/),
    '- price price_ever: keeps the last usage of all periods: a usage meter begins each period with 0',
    '- price price_tiers: has tiers that the export lacks: list the prices with expand[]=data.tiers',
    '- product prod_none: has no price that can be imported',
    '- subscription sub_fake2: has the customer cus_fake2, which is neither imported nor here',
    '- subscription sub_fake4: has the price price_tiers, which is neither imported nor a slug here',
    expect.stringMatching(
      /^- subscription sub_fake6: has a period from .* that is not an interval of its price/,
    ),
  ]);
});

test('a subscription that is refused leaves its customer with the free plan, and the rest of its batch complete', async ({
  session,
  graphql,
  api,
}) => {
  await api('POST', '/products', {
    product: { name: 'base', slug: 'base' },
    price: { type: 'subscription', slug: 'base', unitPrice: 1_000, intervalUnit: 'month' },
  });
  const start = new Date((now - 3 * day) * 1_000);
  const end = new Date(start);
  end.setUTCMonth(end.getUTCMonth() + 1);
  const period = `${start.toISOString()},${end.toISOString()}`;
  const wrong = `${start.toISOString()},${new Date(end.getTime() - 1_000).toISOString()}`;
  const names = ['ada', 'bob', 'cyd', 'dan', 'eve'];
  const files = {
    'customers.csv': `external_id,name,email,payment_token\n${names
      .map((name) => `${name},${name},${name}@example.com,sandbox_success\n`)
      .join('')}`,
    'subscriptions.csv': `external_id,customer_external_id,price_slug,start_date,paid_until
s-1,ada,base,${period}
s-2,bob,base,${wrong}
s-3,cyd,base,${period}
s-4,dan,base,${period}
s-5,ada,base,${period}
`,
  };
  // The dry run has the same refusals, and leaves nothing.
  const planned = await imported(session, files, { from: 'csv', applies: false });
  expect((await graphql('{ customers { totalCount } }')).data.customers.totalCount).toBe(0);
  const withoutIds = (lines: readonly string[]) =>
    lines.map((line) => line.replace('to create', 'created').replace(/sub_\w+/, 'sub_'));
  const applied = await imported(session, files, { from: 'csv' });
  expect(withoutIds(planned)).toEqual(withoutIds(applied));
  expect(applied).toEqual([
    'customers: 5 created, 0 here already',
    'payment methods: 5 created, 0 here already',
    'subscriptions: 3 created, 0 here already',
    expect.stringMatching(/^- subscription s-2: paidUntil must be the end of a billing period/),
    expect.stringMatching(/^- subscription s-5: Customer ada is already subscribed/),
  ]);
  const { data } = await graphql(
    '{ subscriptions { nodes { externalId isFreePlan status customer { externalId } } } }',
  );
  const told = data.subscriptions.nodes.map(
    (one: { externalId: string; isFreePlan: boolean; customer: { externalId: string } }) =>
      `${one.customer.externalId}: ${one.isFreePlan ? 'free' : one.externalId}`,
  );
  expect(told.toSorted()).toEqual(['ada: s-1', 'bob: free', 'cyd: s-3', 'dan: s-4', 'eve: free']);
  // A repetition keeps what is here.
  expect((await imported(session, files, { from: 'csv' })).slice(0, 3)).toEqual([
    'customers: 0 created, 5 here already',
    'payment methods: 0 created, 5 here already',
    'subscriptions: 0 created, 3 here already',
  ]);
});

test('tiers, packages and metered prices become models, and usage is no item of a subscription', async ({
  session,
}) => {
  const metered = {
    interval: 'week',
    interval_count: 2,
    usage_type: 'metered',
    meter: 'mtr_calls',
  };
  const tiers = [
    { up_to: 5, unit_amount: 500, unit_amount_decimal: '500' },
    { up_to: null, unit_amount: null, unit_amount_decimal: '12.50', flat_amount: 700 },
  ];
  const tiered = { billing_scheme: 'tiered', unit_amount: null, tiers };
  const source = {
    'products.json': [
      { id: 'prod_pro', name: 'Pro', default_price: 'price_graduated' },
      { id: 'prod_calls', name: 'Calls' },
    ],
    'prices.json': [
      price('price_graduated', { ...tiered, tiers_mode: 'graduated' }),
      price('price_volume', { ...tiered, tiers_mode: 'volume' }),
      price('price_packs', {
        unit_amount: 900,
        transform_quantity: { divide_by: 10, round: 'up' },
      }),
      price('price_part', { unit_amount: null, unit_amount_decimal: '0.4' }),
      price('price_calls', { product: 'prod_calls', unit_amount: 3, recurring: metered }),
    ],
    'customers.json': [customer(1)],
    'subscriptions.json': [
      subscription(1, {
        items: { data: [{ price: 'price_graduated', quantity: 8 }, { price: 'price_calls' }] },
      }),
    ],
  };
  const lines = await imported(session, source);
  // What is here already has the terms of the source.
  const again = await imported(session, source);
  expect(again.filter((line) => line.startsWith('-'))).toEqual([]);
  expect(lines).toEqual([
    'product: 1 created, 0 here already',
    'prices: 5 created, 0 here already',
    'usage meter: 1 created, 0 here already',
    'customer: 1 created, 0 here already',
    'subscription: 1 created, 0 here already',
    '- usage meter mtr_calls: is not in meters.json, which tells how it aggregates usage: here its usage is summed',
    '! subscription sub_fake1: has the metered price price_calls: its usage until the renewal is billed there, and from then on by its usage meter here',
  ]);
  const prices = await fresh(session).em.find(Price, {}, { populate: ['usageMeter'] });
  const termsOf = (slug: string) => prices.find((one) => one.slug === slug)?.terms;
  const own = [
    { upTo: '5', unitPrice: '500', flatFee: 0 },
    { upTo: null, unitPrice: '12.5', flatFee: 700 },
  ];
  expect(termsOf('price_graduated')?.pricing).toEqual({ model: 'graduated', tiers: own });
  expect(termsOf('price_volume')?.pricing).toEqual({ model: 'volume', tiers: own });
  expect(termsOf('price_packs')).toMatchObject({
    unitPrice: 900,
    pricing: { model: 'package', packageSize: 10 },
  });
  expect(termsOf('price_part')?.pricing?.tiers).toMatchObject([{ unitPrice: '0.4' }]);
  const calls = prices.find(({ slug }) => slug === 'price_calls');
  expect(calls).toMatchObject({ type: 'usage', unitPrice: 3, isDefault: true });
  expect(calls?.usageMeter?.unwrap().slug).toBe('mtr_calls');
  // 5 × 500, 3 × 12.5 rounded half up, and 700.
  const items = await fresh(session).em.find(SubscriptionItem, { quantity: 8 });
  expect(items.map(amountOfItem)).toEqual([3_238]);
});

test('each period of an anchor is counted from an instant at or before its begin, and after the anchor', () => {
  const anchors = fc.date({
    min: new Date('2020-01-01'),
    max: new Date('2026-01-01'),
    noInvalidDate: true,
  });
  const units = fc.constantFrom('day', 'week', 'month', 'year');
  fc.assert(
    fc.property(
      anchors,
      units,
      fc.integer({ min: 1, max: 13 }),
      fc.nat(80),
      (anchor, unit, count, days) => {
        const within = new Date(anchor.getTime() + days * 30 * day * 1_000);
        const period = cycleAt(anchor, { unit, count }, within);
        const from = countFrom(period, anchor, { intervalUnit: unit, intervalCount: count });
        expect(from).toBeDefined();
        if (!from) return;
        expect(from <= period.start && from >= anchor).toBe(true);
        expect(cycleAt(from, { unit, count }, period.start)).toEqual(period);
      },
    ),
  );
  const period = { start: new Date('2026-02-28T10:00:00Z'), end: new Date('2026-03-31T10:00:00Z') };
  const monthly = { intervalUnit: 'month', intervalCount: 1 } as const;
  expect(countFrom(period, new Date('2025-08-31T10:00:00Z'), monthly)).toEqual(
    new Date('2026-01-31T10:00:00Z'),
  );
  expect(countFrom(period, new Date('2025-08-30T10:00:00Z'), monthly)).toBeUndefined();
});

test('files of CSV have customers, and subscriptions of several items', async ({
  session,
  graphql,
  api,
}) => {
  for (const [slug, unitPrice] of [
    ['base', 1_000],
    ['seat', 500],
  ] as const) {
    await api('POST', '/products', {
      product: { name: slug, slug },
      price: { type: 'subscription', slug, unitPrice, intervalUnit: 'month', intervalCount: 1 },
    });
  }
  const start = new Date((now - 3 * day) * 1_000);
  const end = new Date(start);
  end.setUTCMonth(end.getUTCMonth() + 1);
  const trial = new Date((now + 9 * day) * 1_000).toISOString();
  const files = {
    'customers.csv':
      'external_id,name,email,country,payment_token\nada,"Ada, Inc.",ada@example.com,GB,sandbox_success\nbob,Bob,bob@example.com,,\n',
    'subscriptions.csv': `external_id,customer_external_id,price_slug,quantity,start_date,trial_end,backdate
s-1,ada,base,1,${start.toISOString()},${trial},
s-1,ada,seat,3,${start.toISOString()},${trial},
s-2,bob,base,0,${start.toISOString()},,
s-3,bob,base,,yesterday,,
s-4,bob,base,,${start.toISOString()},,
`,
  };
  expect(await imported(session, files, { from: 'csv' })).toEqual([
    'customers: 2 created, 0 here already',
    'payment method: 1 created, 0 here already',
    'subscription: 1 created, 0 here already',
    expect.stringMatching(/^- subscription s-2: quantity: /),
    '- subscription s-3: start_date: must be a day, or a time with its zone, such as 2026-01-31T10:00:00Z',
    expect.stringMatching(/^- subscription s-4: begins on .* without paid_until/),
  ]);
  const { data } = await graphql(subscriptions);
  expect(data.subscriptions.nodes).toMatchObject([
    {
      externalId: 's-1',
      status: 'trialing',
      customer: { externalId: 'ada' },
      itemsPage: { nodes: [{ quantity: 1 }, { quantity: 3 }] },
    },
  ]);
});

test('phases and trials of items are planned with a subscription, from CSV and from schedules', async ({
  session,
  graphql,
  api,
}) => {
  for (const slug of ['base', 'seat']) {
    await api('POST', '/products', {
      product: { name: slug, slug },
      price: { type: 'subscription', slug, unitPrice: 500, intervalUnit: 'week' },
    });
  }
  const time = (days: number) => new Date((now + days * day) * 1_000).toISOString();
  const csv = {
    'customers.csv': 'external_id,name,email\nada,Ada,ada@example.com\n',
    'subscriptions.csv': `external_id,customer_external_id,price_slug,start_date,paid_until,item_trial_end
s-1,ada,base,${time(-3)},${time(4)},${time(2)}
s-2,ada,base,${time(-3)},${time(4)},
`,
    'phases.csv': `subscription_external_id,starts_at,price_slug,quantity,unit_price,timing
s-1,${time(4)},base,2,450,
s-1,${time(4)},seat,,,
s-1,${time(12)},seat,3,,at_date
s-2,${time(-1)},seat,1,,
s-9,${time(4)},seat,1,,
s-1,soon,seat,1,,
`,
  };
  const planned = await imported(session, csv, { from: 'csv', applies: false });
  expect(planned).toEqual([
    'customer: 1 to create, 0 here already',
    'subscription: 1 to create, 0 here already',
    'phases: 2 to create, 0 here already',
    expect.stringMatching(/^- phase 6: starts_at: must be a day/),
    '- phase of s-9: has a subscription that subscriptions.csv lacks',
    expect.stringMatching(/^- subscription s-2: has a phase from .*, which is past/),
  ]);
  const applied = await imported(session, csv, { from: 'csv' });
  expect(applied.slice(0, 3)).toEqual(
    planned.slice(0, 3).map((line) => line.replace('to create', 'created')),
  );
  const schedule = (n: number, more: object) => ({
    id: `sub_sched_fake${n}`,
    status: 'active',
    subscription: `sub_fake${n}`,
    current_phase: { start_date: now - 10 * day },
    ...more,
  });
  const phase = (days: number, price: string, more: object = {}) => ({
    start_date: now + days * day,
    items: [{ price, quantity: 4, ...more }],
  });
  const stripe = await imported(session, {
    ...business,
    'subscription_schedules.json': [
      schedule(1, {
        end_behavior: 'cancel',
        phases: [
          phase(-10, 'price_fortnight'),
          phase(4, 'price_fortnight', { discounts: [{ coupon: 'LOYAL' }] }),
          phase(10, 'price_fortnight'),
          { ...phase(11, 'price_fortnight'), proration_behavior: 'none' },
          phase(20, 'price_yearly'),
          { ...phase(50, 'price_none'), end_date: now + 80 * day },
        ],
      }),
      schedule(3, { status: 'not_started', subscription: null, phases: [] }),
    ],
  });
  expect(stripe.slice(5)).toEqual([
    'subscriptions: 3 created, 0 here already',
    'phases: 4 created, 0 here already',
    expect.stringMatching(/^- .*_fake1: has a phase from .* within a period: it starts here on/),
    `- subscription schedule sub_sched_fake1: has a phase from ${time(20).replace(/\.\d+/, '.000')} within a period: it starts here on ${new Date((now + 32 * day) * 1_000).toISOString()}`,
    expect.stringMatching(/^- .*_fake1: has a phase from .* with the price price_none/),
    expect.stringMatching(/^- .*_fake3: has not started/),
  ]);
  const { data } = await graphql(
    `{ subscriptionPhases { nodes { startsAt timing subscription { externalId } items { quantity unitPrice price { slug } } } }
       subscriptions(where: { isFreePlan: false }) { nodes { externalId itemsPage(first: 5) { nodes { trialEnd } } } } }`,
  );
  const told = data.subscriptionPhases.nodes
    .map(
      (one: {
        startsAt: number;
        timing: string;
        subscription: { externalId: string };
        items: { quantity: number; unitPrice: number | null; price: { slug: string } }[];
      }) =>
        `${one.subscription.externalId} in ${(one.startsAt / 1_000 - now) / day} days ${one.timing}: ${one.items
          .map(({ quantity, unitPrice, price }) => `${quantity} ${price.slug} ${unitPrice ?? ''}`)
          .join(', ')}`,
    )
    .toSorted();
  expect(told).toEqual([
    's-1 in 12 days at_date: 3 seat ',
    's-1 in 4 days with_period: 2 base 450, 1 seat ',
    'sub_fake1 in 10 days at_date: 4 price_fortnight ',
    'sub_fake1 in 11 days with_period: 4 price_fortnight ',
    'sub_fake1 in 20 days with_period: 4 price_yearly ',
    'sub_fake1 in 4 days with_period: 4 price_fortnight ',
  ]);
  expect(data.subscriptions.nodes).toContainEqual({
    externalId: 's-1',
    itemsPage: { nodes: [{ trialEnd: (now + 2 * day) * 1_000 }] },
  });
});

test('the external id of a subscription is unique in the pricing model', async ({ api }) => {
  await api('POST', '/products', {
    product: { name: 'Pro', slug: 'pro' },
    price: { type: 'subscription', slug: 'pro', unitPrice: 1_000, intervalUnit: 'month' },
  });
  for (const name of ['ada', 'bea']) {
    await api('POST', '/customers', {
      customer: { name, email: `${name}@example.com`, externalId: name },
    });
  }
  const subscribe = (customerExternalId: string) =>
    api('POST', '/subscriptions', {
      customerExternalId,
      priceSlug: 'pro',
      externalId: 'one',
      doNotCharge: true,
    });
  expect((await subscribe('ada')).status).toBe(200);
  const refused = await subscribe('bea');
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('is the external id of another subscription');
});

test('with a test clock the customers live on it, and what was paid elsewhere is judged by its time', async ({
  session,
  graphql,
}) => {
  const clock = await aTestClock(session, new Date((now + 3 * day) * 1_000));
  const begun = now - 12 * day;
  const short = {
    billing_cycle_anchor: begun,
    current_period_start: begun,
    current_period_end: now + 2 * day,
  };
  const files = {
    ...business,
    'subscriptions.json': [subscription(1), subscription(2, short)],
  };
  expect((await imported(session, files, { testClockId: clock.id })).slice(4)).toEqual([
    'payment method: 1 created, 0 here already',
    'subscription: 1 created, 0 here already',
    expect.stringMatching(/^- subscription sub_fake2: is paid until .* only/),
  ]);
  // A repetition keeps what is here, also when its period has ended meanwhile.
  await advanceTestClock(fresh(session), {
    id: clock.id,
    frozenTime: new Date((now + 20 * day) * 1_000),
  });
  expect((await imported(session, files, { testClockId: clock.id })).slice(5, 6)).toEqual([
    'subscription: 0 created, 1 here already',
  ]);
  const { data } = await graphql('{ customers { nodes { testClockId } } }');
  const onClock = { testClockId: clock.id };
  expect(data.customers.nodes).toEqual([onClock, onClock, onClock]);
  const unknown = imported(session, files, { testClockId: 'clock_none' });
  await expect(unknown).rejects.toThrow('There is no test clock clock_none in this mode');
});

test('a customer keeps its address, language, tax ids and payment method, and has one trial only', async ({
  session,
  graphql,
}) => {
  await updateOrganization(fresh(session), {
    organization: { allowMultipleSubscriptionsPerCustomer: true },
  });
  const trialing = { status: 'trialing', trial_start: now - day, trial_end: now + 5 * day };
  const files = {
    ...business,
    'customers.json': [
      customer(1, {
        phone: '+49 30 1234567',
        preferred_locales: ['de-AT', 'en'],
        tax_exempt: 'reverse',
        tax_ids: { data: [{ type: 'eu_vat', value: 'DE 123456788' }], has_more: false },
      }),
    ],
    'payment_methods.json': [
      { id: 'sandbox_success', customer: 'cus_fake1', type: 'card' },
      { id: 'sandbox_decline', customer: 'cus_fake1', type: 'card' },
    ],
    'subscriptions.json': [
      subscription(1, { ...trialing, default_payment_method: 'sandbox_decline' }),
      subscription(2, { ...trialing, customer: 'cus_fake1' }),
    ],
  };
  const lines = await imported(session, files);
  expect(lines.filter((line) => line.startsWith('-'))).toEqual([
    '- subscription sub_fake2: trialEnd cannot be kept: the customer has had its one trial',
  ]);
  const { data } = await graphql(
    `{ customers { nodes { language taxExempt taxIds { type value } billingAddress { phone address { country } } } }
       subscriptions(where: { isFreePlan: false }) { nodes { defaultPaymentMethod { default } } } }`,
  );
  expect(data.customers.nodes).toEqual([
    {
      language: 'de-AT',
      taxExempt: 'reverse',
      taxIds: [{ type: 'eu_vat', value: 'DE123456788' }],
      billingAddress: { phone: '+49 30 1234567', address: { country: 'DE' } },
    },
  ]);
  // Its own one, which is not the default of the customer.
  expect(data.subscriptions.nodes).toEqual([{ defaultPaymentMethod: { default: false } }]);
});

test('a customer that is here already gets the credit of the source once, and other taxes are reported', async ({
  session,
  graphql,
}) => {
  const files = (more: object) => ({ 'customers.json': [customer(1, more)] });
  const credit = { balance: -700, currency: 'usd' };
  expect(await imported(session, files({}))).toEqual(['customer: 1 created, 0 here already']);
  expect(await imported(session, files({ ...credit, tax_exempt: 'exempt' }))).toEqual([
    'customer: 0 created, 1 here already',
    'prepaid credit: 1 created, 0 here already',
    '- customer cus_fake1: is here already with other taxes: change taxExempt here if the source is right',
  ]);
  expect(await imported(session, files(credit))).toEqual([
    'customer: 0 created, 1 here already',
    'prepaid credit: 0 created, 1 here already',
  ]);
  const { data } = await graphql('{ customers { nodes { prepaidBalance } } }');
  expect(data.customers.nodes).toEqual([{ prepaidBalance: 700 }]);
});

test('a test clock is refused for live mode', () => {
  const both = ['export', '--live', '--test-clock', 'clock_none'];
  expect(() => parseImportArguments(both)).toThrow('--test-clock names a clock of test mode');
});
