// @module-tag long
import { describe, expect } from 'vitest';
import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { foundOrganization } from '#domain/platform/commands/organizations/found-organization.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { type CreateKey, parseKeysArguments } from '../../../src/tools/keys/arguments.ts';
import { createKey } from '../../../src/tools/keys/commands.ts';
import {
  aCustomer,
  aDraft,
  aLiveSession,
  allowSeveral,
  anOpenInvoice,
  aPaidInvoice,
  aPaymentMethod,
  aPriceOf,
  aSubscription,
  aUsagePrice,
  fresh,
} from '../../support/factories.ts';
import { expectMoneyToAgree } from '../../support/money.ts';
import { aTenant } from '../../support/tenant.ts';
import { apiOf, graphqlOf, test } from '../../support/test.ts';

/** A customer that has paid for a subscription in a currency. */
async function aPayer(session: Session, currency: string, unitPrice = 1_000) {
  const { id: customerId } = await aCustomer(session);
  await aPaymentMethod(session, customerId, { default: true });
  const priceId = await aPriceOf(session, { unitPrice, currency });
  const subscription = await aSubscription(session, { customerId, priceId });
  return { customerId, priceId, subscription };
}

const update = `mutation($currency: String) {
  updateOrganization(organization: { currency: $currency }) { organization { currency version } } }`;

describe('the default currency', () => {
  test('is set at founding, and is that of prices, invoices and statistics that name none', async ({
    database,
    gateway,
  }) => {
    const { session, key } = await aTenant(database.orm.em, 'KWD');
    const graphql = graphqlOf(gateway, key);
    const { currency } = await aPaidInvoice(session, { lines: [{ quantity: 1, price: 1_234 }] });
    const price = await aPriceOf(session, {});
    const { data } = await graphql(`{
      organization { currency }
      prices { nodes { currency } }
      price(id: "${price}") { currency }
      organizationRevenue(from: 0, to: 86400000, interval: day) { totals { currency paid } buckets { currency } }
    }`);
    expect(currency).toBe('KWD');
    expect(data).toMatchObject({
      organization: { currency: 'KWD' },
      prices: { nodes: [{ currency: 'KWD' }, { currency: 'KWD' }] },
      organizationRevenue: {
        totals: [{ currency: 'KWD', paid: 1_234 }],
        buckets: [{ currency: 'KWD' }],
      },
    });
  });

  test('changes in both modes until something has an amount, with free prices and subscriptions', async ({
    graphql,
    session,
  }) => {
    const live = await aLiveSession(session);
    const meter = await createUsageMeter(fresh(session), {
      usageMeter: { name: 'Calls', slug: 'calls' },
    });
    const customer = await aCustomer(session);
    expect(await graphql(update, { currency: 'eur' })).toMatchObject({
      errors: [
        {
          extensions: {
            issues: [
              { code: 'INVALID', path: ['organization', 'currency'], message: /ISO 4217/ },
            ].map((issue) => ({ ...issue, message: expect.stringMatching(issue.message) })),
          },
        },
      ],
    });
    expect((await graphql(update, { currency: 'EUR' })).data).toMatchObject({
      updateOrganization: { organization: { currency: 'EUR' } },
    });
    const currencies = await session.em
      .fork()
      .execute<{ currency: string; livemode: boolean }[]>(
        'select distinct currency, livemode from price where organization_id = ? order by 2',
        [session.organizationId],
      );
    expect(currencies).toEqual([
      { currency: 'EUR', livemode: false },
      { currency: 'EUR', livemode: true },
    ]);
    expect(live.organizationId).toBe(session.organizationId);
    const { data } = await graphql(
      `{ customer(id: "${customer.id}") { currency currentSubscriptions { currency } }
        events(types: ["organization.updated"]) { nodes { data } } }`,
    );
    expect(data.customer).toEqual({ currency: null, currentSubscriptions: [{ currency: 'EUR' }] });
    expect(data.events.nodes).toMatchObject([{ data: { currency: 'EUR' } }]);

    const price = await aUsagePrice(session, meter.id);
    expect(price.currency).toBe('EUR');
    const refused = updateOrganization(fresh(session), { organization: { currency: 'USD' } });
    await expect(refused).rejects.toMatchObject({
      issues: [
        {
          code: 'IMMUTABLE',
          message: `cannot change from EUR to USD, since ${price.id} has an amount: name USD in each new price instead`,
        },
      ],
    });
    await updateOrganization(fresh(session), { organization: { currency: 'EUR' } });
  });
});

test('the command line founds in a currency, and refuses another one for a key', async ({
  session,
}) => {
  const options = parseKeysArguments(['create', '--currency', 'JPY']) as CreateKey;
  expect(options.currency).toBe('JPY');
  expect(() => parseKeysArguments(['create', '--currency', 'yen'])).toThrow(
    '--currency must be an ISO 4217 code of a currency in upper case, such as EUR, JPY or KWD, not yen',
  );
  const { pricingModelId } = session;
  const create = (currency: string) =>
    createKey(fresh(session).em.fork(), { ...options, pricingModelId, currency }, new Date());
  await expect(create('JPY')).rejects.toThrow(
    'The currency of the organization is USD, not JPY: leave --currency out',
  );
  expect((await create('USD')).token).toMatch(/^sk_test_/);
});

test('the command line founds with a seller, and refuses another one for a key', async ({
  session,
}) => {
  const address = 'line1=Road 1, Yard; postal_code=10115; city=Berlin; country=DE';
  const options = parseKeysArguments([
    ...['create', '--seller-name', 'Example Tolls GmbH', '--seller-address', address],
    ...['--seller-tax-id', 'eu_vat:DE 123456788', '--seller-tax-id', 'other:7'],
  ]) as CreateKey;
  const seller = {
    legalName: 'Example Tolls GmbH',
    address: { line1: 'Road 1, Yard', city: 'Berlin', postal_code: '10115', country: 'DE' },
    taxIds: [
      { type: 'eu_vat', value: 'DE123456788' },
      { type: 'other', value: '7' },
    ],
  };
  expect(options.seller).toMatchObject(seller);
  const em = fresh(session).em.fork();
  const founding = { now: new Date(), name: 'Default', currency: 'EUR', seller: options.seller };
  const { pricingModelId } = (await foundOrganization(em, founding)).apiKey;
  const { token } = await createKey(em.fork(), { ...options, pricingModelId }, new Date());
  expect(token).toMatch(/^sk_test_/);
  const other = { ...options, seller: { legalName: 'Other' }, pricingModelId };
  await expect(createKey(em.fork(), other, new Date())).rejects.toThrow(
    'The organization exists with another seller (legalName): leave the --seller options out',
  );
  for (const [option, value, message] of [
    ['--seller-name', ' ', '--seller-name must not be empty'],
    ['--seller-address', 'city=Berlin', '--seller-address country '],
    ['--seller-address', 'town=Berlin', '--seller-address must be LINE=TEXT separated by ;, with'],
    ['--seller-tax-id', 'DE1', '--seller-tax-id must be TYPE:VALUE with a type among eu_vat, '],
    ['--seller-tax-id', 'eu_vat:DE1', '--seller-tax-id value '],
  ] as const) {
    expect(() => parseKeysArguments(['create', option, value]), value).toThrow(message);
  }
});

describe('the currency of a customer', () => {
  test('is fixed by the first invoice, and every other currency is refused with the next step', async ({
    api,
    session,
  }) => {
    const { customerId, subscription } = await aPayer(session, 'JPY');
    const usd = await aPriceOf(session, {});
    const why = `and customer ${customerId} pays in JPY, which its first invoice has fixed: use JPY, or another customer`;
    const refused = (path: string) => ({
      status: 400,
      body: { issues: [{ message: `${path}: is in USD, ${why}` }] },
    });
    await allowSeveral(session);
    expect(await api('POST', '/subscriptions', { customerId, priceId: usd })).toMatchObject(
      refused('priceId'),
    );
    const body = {
      invoice: { customerId, currency: 'USD' },
      invoiceLineItems: [{ quantity: 1, price: 5 }],
    };
    expect(await api('POST', '/invoices', body)).toMatchObject(refused('invoice.currency'));
    const lines = [{ quantity: 1, price: 5, priceId: usd }];
    expect(
      await api('POST', '/invoices', { invoice: { customerId }, invoiceLineItems: lines }),
    ).toMatchObject({
      status: 400,
      body: {
        issues: [
          {
            message:
              'invoiceLineItems.0.priceId: is in USD, and the invoice is in JPY: use a price in JPY, or none',
          },
        ],
      },
    });
    const adjustment = {
      timing: 'immediately',
      newSubscriptionItems: [{ priceId: usd, quantity: 1 }],
    };
    expect(
      await api('POST', `/subscriptions/${subscription.id}/adjust`, { adjustment }),
    ).toMatchObject({
      status: 400,
      body: {
        issues: [
          {
            message: `adjustment.newSubscriptionItems.0.priceId: ${usd} is in USD, and ${subscription.id} is in JPY: use a price in JPY`,
          },
        ],
      },
    });
  });

  test('follows the first paid subscription, which the free plan then does too', async ({
    graphql,
    session,
  }) => {
    const { customerId, subscription } = await aPayer(session, 'EUR');
    await cancelSubscription(fresh(session), {
      id: subscription.id,
      cancellation: { timing: 'immediately' },
    });
    const { data } = await graphql(
      `{ customer(id: "${customerId}") { currency subscriptionsPage { nodes { currency isFreePlan status } } } }`,
    );
    expect(data.customer).toEqual({
      currency: 'EUR',
      subscriptionsPage: {
        nodes: [
          { currency: 'EUR', isFreePlan: true, status: 'canceled' },
          { currency: 'EUR', isFreePlan: false, status: 'canceled' },
          { currency: 'EUR', isFreePlan: true, status: 'active' },
        ],
      },
    });
  });

  test('is one, however many first subscriptions and invoices come at once', async ({
    session,
  }) => {
    await allowSeveral(session);
    const prices: string[] = [];
    for (const currency of ['USD', 'EUR', 'JPY'])
      prices.push(await aPriceOf(session, { currency }));
    const { id: customerId } = await aCustomer(session);
    await aPaymentMethod(session, customerId, { default: true });
    const drafts = ['KWD', 'EUR'].map((currency) => aDraft(session, { customerId, currency }));
    const subscribed = prices.map((priceId) => aSubscription(session, { customerId, priceId }));
    const outcomes = await Promise.allSettled([...drafts, ...subscribed]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({
          code: 'BAD_REQUEST',
          issues: [{ code: 'MISMATCH' }],
        });
    }
    const invoices = await fresh(session).em.find(Invoice, { customer: customerId });
    expect(new Set(invoices.map(({ currency }) => currency)).size).toBe(1);
    await expectMoneyToAgree(session);
  });

  test('is the one of a subscription that waits for its first payment, and of usage that is owed', async ({
    session,
  }) => {
    const waiting = await aCustomer(session);
    const eur = await aPriceOf(session, { currency: 'EUR' });
    const { id } = await aSubscription(session, { customerId: waiting.id, priceId: eur });
    const draft = aDraft(session, { customerId: waiting.id, currency: 'USD' });
    await expect(draft).rejects.toMatchObject({
      issues: [{ message: expect.stringContaining(`pays in EUR, the currency of ${id}`) }],
    });
    expect((await aDraft(session, { customerId: waiting.id })).currency).toBe('EUR');
  });

  test('is that of its invoices, payments and credit, whatever writes to the database', async ({
    session,
  }) => {
    const { customerId, priceId, subscription } = await aPayer(session, 'EUR');
    const usd = await aPriceOf(session, {});
    const [{ id: invoiceId } = { id: '' }] = await fresh(session).em.find(Invoice, {
      customer: customerId,
    });
    const execute = (sql: string, ...values: string[]) => session.em.fork().execute(sql, values);
    for (const [sql, ...values] of [
      [`update customer set currency = 'USD' where id = ?`, customerId],
      [`update customer set currency = null where id = ?`, customerId],
      [`update subscription set currency = 'USD' where id = ?`, subscription.id],
      [`update invoice set currency = 'USD' where id = ?`, invoiceId],
      [`update payment set currency = 'USD' where invoice_id = ?`, invoiceId],
      ['update subscription_item set price_id = ? where price_id = ?', usd, priceId],
      [
        `update price set currency = 'eur' where unit_price = 0 and organization_id = ?`,
        session.organizationId,
      ],
    ] as const) {
      await expect(execute(sql, ...values), sql).rejects.toMatchObject({
        code: expect.stringMatching(/^23/),
      });
    }
    const poor = await aCustomer(session);
    await expect(
      execute('update customer set credit_balance = 5 where id = ?', poor.id),
    ).rejects.toMatchObject({ constraint: 'customer_credit_currency' });
  });
});

test('usage costs the default price in the currency of its subscription', async ({
  api,
  session,
}) => {
  const meter = await createUsageMeter(fresh(session), {
    usageMeter: { name: 'Calls', slug: 'calls' },
    price: { unitPrice: 7 },
  });
  const eur = await aUsagePrice(session, meter.id, { currency: 'EUR', isDefault: true });
  const usd = await aPayer(session, 'USD');
  const [euro, yen] = [await aPayer(session, 'EUR'), await aPayer(session, 'JPY')];
  const use = (payer: typeof usd, name: object) =>
    api('POST', '/usage-events', {
      usageEvent: {
        subscriptionId: payer.subscription.id,
        amount: 3,
        transactionId: crypto.randomUUID(),
        ...name,
      },
    });
  const ofMeter = { usageMeterSlug: 'calls' };
  expect((await use(euro, ofMeter)).body.usageEvent.priceId).toBe(eur.id);
  expect((await use(usd, ofMeter)).body.usageEvent.priceId).not.toBe(eur.id);
  const { id } = yen.subscription;
  expect((await use(yen, ofMeter)).body.issues).toMatchObject([
    {
      message: `usageEvent.usageMeterSlug: has default prices in EUR, USD only, and ${id} is in JPY: create a default price in JPY`,
    },
  ]);
  expect((await use(yen, { priceId: eur.id })).body.issues).toMatchObject([
    { message: `usageEvent.priceId: is in EUR, and ${id} is in JPY: give a price in JPY` },
  ]);
});

test('lists compare amounts of one currency, and sort within each', async ({
  database,
  gateway,
}) => {
  const { session, key } = await aTenant(database.orm.em);
  const graphql = graphqlOf(gateway, key);
  for (const [currency, price] of [
    ['USD', 500],
    ['JPY', 900],
    ['USD', 100],
    ['JPY', 200],
  ] as const) {
    await anOpenInvoice(session, { currency, lines: [{ quantity: 1, price }] });
  }
  const totals = async (args: string) => {
    const { data, errors } = await graphql(
      `{ invoices(${args}) { nodes { currency total } pageInfo { endCursor } } }`,
    );
    expect(errors).toBeUndefined();
    const { nodes, pageInfo } = data.invoices;
    const shown = nodes.map(
      (one: { currency: string; total: number }) => `${one.currency} ${one.total}`,
    );
    return { shown, after: pageInfo.endCursor as string };
  };
  const all = ['JPY 200', 'JPY 900', 'USD 100', 'USD 500'];
  expect((await totals('orderBy: total_asc')).shown).toEqual(all);
  expect((await totals('orderBy: total_desc')).shown).toEqual(all.toReversed());
  const { shown, after } = await totals('orderBy: total_desc, first: 3');
  expect(shown).toEqual(all.toReversed().slice(0, 3));
  const rest = await totals(`orderBy: total_desc, first: 3, after: "${after}"`);
  expect(rest.shown).toEqual(all.slice(0, 1));
  const where = async (conditions: string) =>
    (await totals(`orderBy: total_asc, where: { ${conditions} }`)).shown;
  expect(await where('total: { min: 200 }')).toEqual(['USD 500']);
  expect(await where('total: { min: 300, currency: "JPY" }')).toEqual(['JPY 900']);
  expect(await where('total: { max: 200 }, currency: { is: "JPY" }')).toEqual(['JPY 200']);
  const { data } = await graphql(
    `{ some: customers(where: { amountOwed: { min: 200, currency: "JPY" } }, orderBy: amount_owed_desc) { nodes { amountOwed currency } } }`,
  );
  expect(data.some.nodes).toEqual([
    { amountOwed: 900, currency: 'JPY' },
    { amountOwed: 200, currency: 'JPY' },
  ]);
  const wrong = await graphql(
    '{ customers(where: { amountOwed: { min: 1, currency: "yen" } }) { nodes { id } } }',
  );
  expect(wrong.errors).toMatchObject([
    { extensions: { issues: [{ path: ['where', 'amountOwed', 'currency'] }] } },
  ]);
});

test('revenue and recurring revenue are never added across currencies', async ({
  database,
  gateway,
}) => {
  const { session, key } = await aTenant(database.orm.em);
  await aPayer(session, 'USD', 1_000);
  await aPayer(session, 'USD', 2_000);
  await aPayer(session, 'JPY', 3_000);
  const graphql = graphqlOf(gateway, key);
  const { data } = await graphql(`{
    organizationRevenue(from: 0, to: 86400000, interval: day) { totals { currency mrr paid outstanding } } }`);
  expect(data.organizationRevenue.totals).toEqual([
    { currency: 'JPY', mrr: 3_000, paid: 3_000, outstanding: 0 },
    { currency: 'USD', mrr: 3_000, paid: 3_000, outstanding: 0 },
  ]);
  const api = apiOf(gateway, key);
  const { body } = await api('GET', '/invoices');
  expect(body.data.map(({ currency }: { currency: string }) => currency).toSorted()).toEqual([
    'JPY',
    'USD',
    'USD',
  ]);
});
