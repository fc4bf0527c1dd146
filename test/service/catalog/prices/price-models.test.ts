import { describe, expect } from 'vitest';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import { explainInvoice } from '#domain/invoicing/commands/invoices/explain-invoice.ts';
import type { Price } from '#domain/model/catalog/price.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { anAdjustable } from '../../../support/adjustments.ts';
import { aProduct, aUsageMeter, fresh } from '../../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../../support/money.ts';
import { test } from '../../../support/test.ts';

const seats = {
  type: 'subscription',
  intervalUnit: 'month',
  model: 'graduated',
  tiers: [{ upTo: 5, flatFee: 1_000 }, { upTo: 10, unitPrice: 200 }, { unitPrice: 150 }],
} as const;

describe('a price with a model', () => {
  test('has every field of its tiers, and the most that one unit costs as its unit price', async ({
    api,
    session,
  }) => {
    const { id: productId } = await aProduct(session);
    const all = { headers: { prefer: 'include=all' } };
    const { body } = await api('POST', '/prices', { price: { ...seats, productId } }, all);
    expect(body.price).toMatchObject({
      model: 'graduated',
      unitPrice: 1_000,
      tiers: [
        { upTo: 5, unitPrice: 0, flatFee: 1_000 },
        { upTo: 10, unitPrice: 200, flatFee: 0 },
        { upTo: null, unitPrice: 150, flatFee: 0 },
      ],
      packageSize: null,
      matrix: null,
    });
    const change = { id: body.price.id, name: 'Seats', tiers: seats.tiers, unitPrice: 1_000 };
    const same = await api('PUT', `/prices/${body.price.id}`, { price: change }, all);
    expect(same.body.price).toMatchObject({ name: 'Seats', tiers: body.price.tiers });
    const other = await api('PUT', `/prices/${body.price.id}`, {
      price: { id: body.price.id, tiers: [{ unitPrice: 1 }] },
    });
    expect(other).toMatchObject({
      status: 400,
      body: {
        issues: [{ message: expect.stringMatching(/^price.tiers: cannot change \(it is \[/) }],
      },
    });
  });

  test('computes the cost of a quantity with its steps, also before it exists', async ({
    graphql,
    session,
  }) => {
    const { id: productId } = await aProduct(session);
    const price = { ...seats, productId, tiers: seats.tiers.slice() };
    const query = `mutation ($price: CreatePriceInput!, $quantity: Decimal!) {
      createPrice(price: $price) { price { costFor(quantity: $quantity) { amount parts { kind tier quantity amount } } } }
    }`;
    const costOf = (quantity: number | string) =>
      graphql(query, { price, quantity }, { headers: { prefer: 'dry-run' } });
    expect((await costOf(7)).data.createPrice.price.costFor).toEqual({
      amount: 1_400,
      parts: [
        { kind: 'units', tier: 1, quantity: 5, amount: 0 },
        { kind: 'fee', tier: 1, quantity: 1, amount: 1_000 },
        { kind: 'units', tier: 2, quantity: 2, amount: 400 },
      ],
    });
    for (const [quantity, code] of [
      ['-1', /must be 0 or more/],
      ['1'.repeat(20), /an amount that is too large/],
    ] as const) {
      const { errors } = await costOf(quantity);
      expect(JSON.stringify(errors)).toMatch(code);
    }
  });

  test('computes usage of a matrix by its properties', async ({ graphql, session }) => {
    const { id: usageMeterId } = await aUsageMeter(session);
    const matrix = {
      dimensions: ['region'],
      cells: [{ values: ['eu'], unitPrice: 0.4 }],
      otherUnitPrice: 1,
    };
    const price = {
      ...{ type: 'usage', intervalUnit: 'month', usageEventsPerUnit: 10 },
      ...{ usageMeterId, model: 'matrix', matrix },
    };
    const { data } = await graphql(
      `mutation ($price: CreatePriceInput!) {
        createPrice(price: $price) {
          price {
            eu: costFor(quantity: 1000, properties: { region: "eu" }) { amount }
            other: costFor(quantity: 1000) { amount }
          }
        }
      }`,
      { price },
    );
    expect(data.createPrice.price).toEqual({ eu: { amount: 40 }, other: { amount: 100 } });
  });

  const tiers = [{ upTo: 5, unitPrice: 10 }, { unitPrice: 5 }];
  test.for<[string, object, string]>([
    ['a model without tiers', { model: 'volume' }, 'tiers: is required for the model volume'],
    [
      'tiers without a model',
      { unitPrice: 1, tiers },
      'tiers: is not allowed for the model per_unit',
    ],
    [
      'a last tier with an end',
      { model: 'graduated', tiers: [{ upTo: 5 }] },
      'tiers.0.upTo: must be null: the last tier has no end',
    ],
    [
      'a tier without an end before another',
      { model: 'volume', tiers: [{}, {}] },
      'tiers.0.upTo: is required: only the last tier has no end',
    ],
    [
      'tiers that do not rise',
      { model: 'graduated', tiers: [{ upTo: 5 }, { upTo: 5 }, {}] },
      'tiers.1.upTo: must be above 5, the end of the tier before it',
    ],
    [
      'a unit price of a step',
      { model: 'stairstep', tiers: [{ unitPrice: 1 }] },
      'tiers.0.unitPrice: is not allowed for the model stairstep: flatFee is the price of the step',
    ],
    [
      'a price below 0',
      { model: 'graduated', tiers: [{ unitPrice: -1 }] },
      'tiers.0.unitPrice: must be minor units of at most 9 places, from 0 to 1000000000000',
    ],
    [
      'another unit price',
      { model: 'volume', tiers, unitPrice: 7 },
      'unitPrice: must be absent or 10, the most that one unit can cost: the other fields of the model volume state its prices',
    ],
    ['no unit price', {}, 'unitPrice: is required for the model per_unit'],
    [
      'a package without a size',
      { model: 'package', unitPrice: 5 },
      'packageSize: is required for the model package',
    ],
    [
      'a percentage of seats',
      { model: 'percentage', percentage: 3 },
      'model: must not be percentage: that is for usage prices',
    ],
    [
      'a fee of another model',
      { unitPrice: 5, fixedFee: 5 },
      'fixedFee: is not allowed for the model per_unit',
    ],
    [
      'limits that exclude each other',
      { unitPrice: 5, minimumAmount: 9, maximumAmount: 8 },
      'maximumAmount: must be at least minimumAmount, which is 9',
    ],
    [
      'a minimum of a free price',
      { unitPrice: 0, minimumAmount: 9 },
      'minimumAmount: must be absent: the price never costs anything else',
    ],
    ['no free units', { unitPrice: 5, freeUnits: 0 }, 'freeUnits: must be at least 1'],
    [
      'a model of a single payment',
      { type: 'single_payment', intervalUnit: null, model: 'flat', unitPrice: 5 },
      'model: must be per_unit for a single_payment price',
    ],
  ])('is refused with field and reason for %s', async ([, fields, message], { api, session }) => {
    const { id: productId } = await aProduct(session);
    const price = { type: 'subscription', intervalUnit: 'month', productId, isDefault: false };
    const answer = await api('POST', '/prices', { price: { ...price, ...fields } });
    expect(answer).toMatchObject({
      status: 400,
      body: { issues: [{ message: `price.${message}` }] },
    });
  });

  test('is part of the catalog document, and changes by a successor', async ({ api }) => {
    const [{ id }] = (await api('GET', '/pricing-models')).body.data;
    const path = `/pricing-models/${id}/export`;
    const { pricingModel } = (await api('GET', path)).body;
    const exported = async () => {
      const all = { headers: { prefer: 'include=all' } };
      return (await api('GET', path, undefined, all)).body.pricingModel;
    };
    const { type, intervalUnit, ...model } = seats;
    const price = { type, intervalUnit, slug: 'team', isDefault: true, active: true, ...model };
    const product = { name: 'Team', slug: 'team', active: true };
    const put = (price: object) => {
      const products = [...pricingModel.products, { product, price, features: [] }];
      return api('PUT', `/pricing-models/${id}`, {
        id,
        pricingModel: { ...pricingModel, id, products },
      });
    };
    expect((await put(price)).status).toBe(200);
    // Without these keys the document would be one of another price.
    expect(await api('GET', path)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('pricingModel.products.1.price.tiers') },
    });
    const once = await exported();
    const [kept] = once.products.filter(
      (one: typeof product & { product: { slug: string } }) => one.product.slug === 'team',
    );
    expect(kept.price).toMatchObject({
      model: 'graduated',
      tiers: [{ upTo: 5 }, { upTo: 10 }, { upTo: null }],
    });
    expect((await put(kept.price)).status).toBe(200);
    expect(await exported()).toEqual(once);
    await put({ ...price, tiers: [{ unitPrice: 3 }] });
    const { body } = await api('GET', '/prices?limit=100');
    const all = body.data.filter(({ slug }: { slug: string }) => slug === 'team');
    expect(all.map(({ active, unitPrice }: Price) => ({ active, unitPrice }))).toEqual([
      { active: false, unitPrice: 1_000 },
      { active: true, unitPrice: 3 },
    ]);
  });
});

describe('a subscription item with tiers', () => {
  /** 30 days of seats: 5 for 1,000 together, then 200 each up to 10, then 150 each. */
  async function aTeam(session: Parameters<typeof anAdjustable>[0], quantity: number) {
    const it = await anAdjustable(session, { unitPrice: 1 });
    const product = await aProduct(session, { name: 'Team' });
    const price = await createPrice(fresh(session), {
      price: {
        ...{ type: 'subscription', productId: product.id, intervalUnit: 'day', intervalCount: 30 },
        model: 'graduated',
        tiers: [
          { upTo: '5', flatFee: 1_000 },
          { upTo: '10', unitPrice: '200' },
          { unitPrice: '150' },
        ],
      },
    });
    await it.toDay(30);
    await it.adjust([{ priceId: price.id, quantity }], { prorateCurrentBillingPeriod: false });
    await it.toDay(60);
    return { ...it, price };
  }

  test('costs what its quantity costs in tiers, line by line, in the MRR and after an adjustment', async ({
    session,
  }) => {
    const it = await aTeam(session, 12);
    const [item] = await it.items().then((items) => items.filter((one) => !one.expiredAt));
    expect(item).toMatchObject({ unitPrice: 1_000, quantity: 12, pricedAmount: 2_300 });
    const invoices = await it.invoices();
    const latest = invoices.at(-1);
    expect(latest?.subtotal).toBe(2_300);
    const [line] = await fresh(session).em.find(InvoiceLineItem, { invoice: latest?.id ?? '' });
    expect(line).toMatchObject({ quantity: 1, price: 2_300, amount: 2_300 });
    expect(line?.priceParts?.map(({ tier, quantity, amount }) => [tier, quantity, amount])).toEqual(
      [
        [1, '5', 0],
        [1, '1', 1_000],
        [2, '5', 1_000],
        [3, '2', 300],
      ],
    );
    const explained = await explainInvoice(fresh(session), latest?.id ?? '');
    expect(explained.differences).toEqual([]);
    expect(explained.lines[0]?.steps).toContain('2 in tier 3: 2 × USD 1.50 = USD 3.00');

    // In the middle of the period from 12 to 4 seats and back to 10: the difference is 2,300 to 2,000.
    await it.toDay(75);
    const changed = [{ priceId: it.price.id, quantity: 20 }];
    const preview = await it.preview(changed);
    expect(preview).toMatchObject({
      canAdjust: true,
      currentPlanTotal: 2_300,
      newPlanTotal: 3_500,
    });
    expect(preview.prorationAmount).toBe(600);
    await it.adjust(changed);
    expect((await it.invoices()).at(-1)?.subtotal).toBe(600);
    await it.toDay(90);
    expect((await it.invoices()).at(-1)?.subtotal).toBe(3_500);
    const [{ mrr }] = await fresh(session).em.execute<[{ mrr: string }]>(
      'select sum(amount_after) as mrr from mrr_change c where at = (select max(at) from mrr_change where subscription_id = c.subscription_id and product_id = c.product_id) and subscription_id = ?',
      [it.id],
    );
    expect(Math.round(Number(mrr))).toBe(Math.round((3_500 * 365) / 12 / 30));
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  test('of a price with a unit price of its own costs that for each unit', async ({ session }) => {
    const it = await aTeam(session, 12);
    await it.adjust([{ priceId: it.price.id, quantity: 12, unitPrice: 90 }], {
      prorateCurrentBillingPeriod: false,
    });
    await it.toDay(90);
    const latest = (await it.invoices()).at(-1);
    expect(latest?.subtotal).toBe(12 * 90);
    expect((await explainInvoice(fresh(session), latest?.id ?? '')).differences).toEqual([]);
  });
});
