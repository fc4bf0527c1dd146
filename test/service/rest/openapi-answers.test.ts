// @module-tag long
import { describe, expect } from 'vitest';
import { routes } from '#rest/index.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';
import { schema } from '#schema/index.ts';
import { exceptions } from '../../published/exceptions.ts';
import {
  type CheckedAnswer,
  ownDifferences,
  published,
  publishedCheck,
} from '../../support/answers/answers.ts';
import type { Answer } from '../../support/test.ts';
import { test } from '../../support/test.ts';

type Api = (
  method: string,
  path: string,
  body?: unknown,
  options?: { headers?: Record<string, string> },
) => Promise<Answer>;

/** Calls whose answers are kept. Each is compared with both descriptions, as every answer of the tests. */
function recorded(api: Api) {
  const answers: CheckedAnswer[] = [];
  const call = async (method: string, path: string, body?: unknown, prefer?: string) => {
    const headers = prefer ? { prefer } : {};
    const answer = await api(method, path, body, { headers });
    answers.push({ method, path, ...answer });
    if (prefer === 'dry-run') expect(answer.body.effects.events).toBeInstanceOf(Array);
    return answer.body;
  };
  return { call, answers };
}

/** Answers that need no exception say nothing about any of them. */
function exceptional(answers: readonly CheckedAnswer[]) {
  const differencesOf = publishedCheck([]);
  return answers.filter((answer) => differencesOf(answer).length > 0);
}

const { paths } = openApiOf(routes, schema) as {
  paths: Record<string, Record<string, { responses: Record<string, object> }>>;
};

/** Whether this service describes a status, of any operation for `*`, that is not published. */
function isDescribed(status: number, name: string) {
  const operations = name === '*' ? Object.keys(published.operations) : [name];
  return operations.some((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    const own = paths[path]?.[method.toLowerCase()]?.responses ?? {};
    return status in own && !(status in (published.operations[operation] ?? {}));
  });
}

describe('A real answer', () => {
  test('is what the description states, dry runs and older renderings too', async ({
    api,
    session,
  }) => {
    const { call, answers } = recorded(api);
    const { testClock } = await call('POST', '/test-clocks', {
      testClock: { frozenTime: '2026-01-01T00:00:00Z' },
    });
    const { usageMeter } = await call('POST', '/usage-meters', {
      usageMeter: { name: 'Calls', slug: 'calls' },
      price: { unitPrice: 2, usageEventsPerUnit: 10 },
    });
    const { resource } = await call('POST', '/resources', {
      resource: { name: 'S', slug: 'seats' },
    });
    const { feature } = await call('POST', '/features', {
      feature: {
        ...{ type: 'resource', name: 'S', description: 'S', slug: 'seats' },
        ...{ resourceId: resource.id, amount: 9 },
      },
    });
    const product = {
      product: { name: 'Pro', slug: 'pro' },
      price: { type: 'subscription', slug: 'pro', unitPrice: 1_000, intervalUnit: 'month' },
      featureIds: [feature.id],
    };
    await call('POST', '/products', product, 'dry-run');
    const { product: pro } = await call('POST', '/products', product);
    await call('PUT', `/products/${pro.id}`, { product: { name: 'Pro+' } }, 'dry-run');
    const customer = {
      ...{ name: 'Ada', email: 'ada@example.com', externalId: 'ada' },
      testClockId: testClock.id,
    };
    const { data } = await call('POST', '/customers', { customer });
    const paymentMethod = {
      ...{ customerId: data.customer.id, type: 'card', token: 'sandbox_success' },
    };
    await call('POST', '/payment-methods', { paymentMethod });
    const subscribe = { customerExternalId: 'ada', priceSlug: 'pro' };
    await call('POST', '/subscriptions', subscribe, 'dry-run');
    const { subscription } = await call('POST', '/subscriptions', subscribe);
    const seats = { resourceSlug: 'seats', externalIds: ['a', 'b'] };
    await call('POST', `/resource-claims/${subscription.id}/claim`, seats, 'dry-run');
    await call('POST', `/resource-claims/${subscription.id}/claim`, seats);
    const event = (transactionId: string) => ({
      ...{ subscriptionId: subscription.id, usageMeterId: usageMeter.id },
      ...{ transactionId, amount: 1.5 },
    });
    const { usageEvent } = await call('POST', '/usage-events', { usageEvent: event('one') });
    await call('POST', '/usage-events/bulk', { usageEvents: [event('two')] }, 'dry-run');
    await call('POST', '/usage-events/bulk', { usageEvents: [event('one'), event('two')] });
    const adjustment = {
      timing: 'immediately',
      newSubscriptionItems: [{ priceSlug: 'pro', quantity: 2 }],
    };
    await call('POST', `/subscriptions/${subscription.id}/preview-adjust`, { adjustment });
    const preview = `/subscriptions/${subscription.id}/preview-adjust`;
    await call('POST', preview, { adjustment }, 'include=all');
    await call('POST', `/subscriptions/${subscription.id}/adjust`, { adjustment }, 'dry-run');
    await call('POST', `/subscriptions/${subscription.id}/adjust`, { adjustment });
    await call('POST', `/test-clocks/${testClock.id}/advance`, {
      frozenTime: '2026-02-15T00:00:00Z',
    });
    const { invoice } = await call('POST', '/invoices', {
      invoice: { customerId: data.customer.id },
      invoiceLineItems: [{ description: 'Help', price: 500, quantity: 1 }],
    });
    for (const prefer of ['dry-run', 'rendering=current', undefined]) {
      await call('PUT', `/invoices/${invoice.id}`, { invoice: { memo: 'Thanks' } }, prefer);
    }
    await call('GET', `/invoices/${invoice.id}/explain`);
    await call('POST', `/invoices/${invoice.id}/finalize`);
    const received = { amount: 500, method: 'bank_transfer', reference: 'Transfer 1' };
    await call('POST', `/invoices/${invoice.id}/payments`, received);
    const { discount } = await call('POST', '/discounts', {
      discount: {
        ...{ name: 'Welcome', code: 'WELCOME', duration: 'once' },
        ...{ amountType: 'fixed', amount: 500 },
      },
    });
    await call('POST', '/discounts', {
      discount: {
        ...{ name: 'Quarter', code: 'Q1', amountType: 'percent', amount: 12.5 },
        ...{ duration: 'number_of_months', numberOfMonths: 3 },
      },
    });
    await call('GET', `/discounts/${discount.id}`);
    await call('GET', '/discounts');
    const changed = { discount: { id: discount.id, active: false } };
    await call('PUT', `/discounts/${discount.id}`, changed, 'include=all');
    const nested = { resourceSlug: 'seats', externalId: 'c', metadata: { of: { a: [1] } } };
    await call('POST', `/resource-claims/${subscription.id}/claim`, nested);
    await call('POST', '/pricing-models/pricing_model_x/clone', { name: 'Copy' });
    const { invoice: fractional } = await call('POST', '/invoices', {
      invoice: { customerId: data.customer.id },
      invoiceLineItems: [{ description: 'Hours', price: 500, quantity: 1.5 }],
    });
    await call('GET', `/invoices/${fractional.id}`);
    const urls = { successUrl: 'https://example.com/', cancelUrl: 'https://example.com/' };
    const order = { type: 'product', priceSlug: 'pro', anonymous: true, ...urls };
    await call('POST', '/checkout-sessions', { checkoutSession: order }, 'include=all');
    await call('POST', '/catalogs', { catalog: { name: 'Other' } }, 'dry-run');
    await call('POST', '/prices', {
      price: {
        ...{ type: 'subscription', productId: pro.id, slug: 'pro-kwd', isDefault: false },
        ...{ unitPrice: 1_234, currency: 'KWD', intervalUnit: 'month' },
      },
    });
    const other = await call('POST', '/pricing-models', { pricingModel: { name: 'Partners' } });
    const counted = await call('POST', '/usage-meters', {
      usageMeter: { name: 'Visits', slug: 'visits', aggregationType: 'count' },
    });
    const { webhook } = await call('POST', '/webhooks', {
      webhook: { name: 'W', url: 'https://example.com/', filterTypes: ['product.updated'] },
    });
    for (const path of [
      ...['/products', '/prices', '/features', '/resources', '/usage-meters', '/pricing-models'],
      ...[
        '/customers',
        '/customers/ada',
        '/customers/ada/billing',
        '/customers/ada/usage-balances',
      ],
      ...['/subscriptions', '/subscription-items', '/billing-periods', '/billing-runs'],
      ...['/invoices', '/invoice-line-items', '/payments', '/payment-methods', '/webhooks'],
      ...['/usage-events', `/usage-events/${usageEvent.id}`, '/pricing-models/default'],
      ...[`/products/${pro.id}`, `/subscriptions/${subscription.id}`, `/invoices/${invoice.id}`],
      ...[`/resource-claims/${subscription.id}/usage?resourceSlug=seats`, '/events?limit=100'],
      ...['/test-clocks', '/products?limit=0', '/products/none', '/customers/none/billing'],
      ...[`/api-keys/${session.apiKeyId}`, `/usage-meters/${counted.usageMeter.id}`],
      ...[
        `/webhooks/${webhook.id}`,
        `/pricing-models/${other.pricingModel.id}`,
        `/payments?limit=100`,
      ],
    ]) {
      await call('GET', path);
      await call('GET', path, undefined, 'include=all');
    }
    for (const prefer of ['rendering=current', undefined]) {
      await call('GET', '/payment-methods', undefined, prefer);
      await call('GET', `/usage-events/${usageEvent.id}`, undefined, prefer);
    }
    const cancel = { cancellation: { timing: 'immediately' } };
    await call('POST', `/subscriptions/${subscription.id}/cancel`, cancel, 'dry-run');
    await call('POST', `/subscriptions/${subscription.id}/cancel`, cancel);
    await call('GET', '/customers/ada/billing');
    const called = new Set(answers.map(({ method, path }) => `${method} ${path.split('?')[0]}`));
    expect(called.size).toBeGreaterThan(50);

    // A run that takes longer than the request is named in the answer.
    const adjusted = answers.find(({ path }) => path.endsWith('/adjust'));
    if (!adjusted) throw new Error('Nothing was adjusted');
    const body = { ...(adjusted.body as object), billingRunId: 'billing_run_slow' };
    const headers = new Headers({ 'preference-applied': 'include=all' });
    answers.push({ ...adjusted, body, headers });
    expect(ownDifferences({ ...adjusted, body, headers })).toEqual([]);

    const telling = exceptional(answers);
    const unnecessary = exceptions.filter((exception) => {
      const { status } = exception;
      if (status) return !exception.of.every((name) => isDescribed(status, name));
      const differencesOf = publishedCheck(exceptions.filter((other) => other !== exception));
      return !telling.some((answer) => differencesOf(answer).length > 0);
    });
    expect(unnecessary).toEqual([]);
  });

  test('an answer that is not described fails the test that receives it', () => {
    const headers = new Headers();
    const differencesOf = publishedCheck();
    const answer = { method: 'GET', path: '/products', status: 200, headers };
    const page = { data: [], hasMore: false, total: 0 };
    expect(ownDifferences({ ...answer, body: page })).toEqual([]);
    expect(differencesOf({ ...answer, body: page })).toEqual([]);
    for (const body of [{ ...page, total: 'none' }, { ...page, more: 1 }, { data: [] }]) {
      expect(ownDifferences({ ...answer, body })).not.toEqual([]);
      expect(differencesOf({ ...answer, body })).not.toEqual([]);
    }
    expect(ownDifferences({ ...answer, status: 418, body: {} })).not.toEqual([]);
    expect(differencesOf({ ...answer, status: 418, body: {} })).not.toEqual([]);
  });
});

test('billing details show current items and prices that can be subscribed to', async ({ api }) => {
  const price = { type: 'subscription', unitPrice: 1_000, intervalUnit: 'month' };
  const { product } = (
    await api('POST', '/products', {
      product: { name: 'Pro', slug: 'pro' },
      price: { ...price, slug: 'pro' },
    })
  ).body;
  const customer = { name: 'Ada', email: 'ada@example.com', externalId: 'ada' };
  const { id: customerId } = (await api('POST', '/customers', { customer })).body.data.customer;
  const paymentMethod = { customerId, type: 'card', token: 'sandbox_success' };
  await api('POST', '/payment-methods', { paymentMethod });
  const subscribe = { customerExternalId: 'ada', priceSlug: 'pro' };
  const { subscription } = (await api('POST', '/subscriptions', subscribe)).body;
  await api('POST', '/prices', {
    price: { ...price, unitPrice: 2_000, slug: 'pro-2', productId: product.id },
  });
  const adjustment = { timing: 'immediately', newSubscriptionItems: [{ priceSlug: 'pro-2' }] };
  const adjusted = await api('POST', `/subscriptions/${subscription.id}/adjust`, { adjustment });
  expect(adjusted.status, JSON.stringify(adjusted.body)).toBe(200);

  const { body } = await api('GET', '/customers/ada/billing');
  const items = body.currentSubscription.subscriptionItems;
  expect(items.map((item: { unitPrice: number }) => item.unitPrice)).toEqual([2_000]);
  const slugs = (of: { products: { slug: string; prices: { slug: string }[] }[] }) =>
    of.products.find(({ slug }) => slug === 'pro')?.prices.map(({ slug }) => slug);
  expect(slugs(body.pricingModel)).toEqual(['pro-2']);
  expect(slugs(body.catalog)).toEqual(['pro-2']);
  const models = (await api('GET', '/pricing-models/default')).body.pricingModel;
  expect(slugs(models)).toEqual(['pro-2']);
  const whole = (await api('GET', `/products/${product.id}`)).body.prices;
  expect(whole.map(({ slug }: { slug: string }) => slug)).toEqual(['pro', 'pro-2']);
});
