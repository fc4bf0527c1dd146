// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Event } from '#domain/model/platform/event.ts';
import { checkCheckouts } from '#domain/money/commands/checkout-sessions/due-checkouts.ts';
import { purgeCheckouts } from '#domain/money/commands/checkout-sessions/purge-checkouts.ts';
import {
  aCustomer,
  aOneTimeProduct,
  aPaymentMethod,
  aPriceOf,
  aSubscription,
  aUsageMeter,
  aUsagePrice,
  fresh,
} from '../../../support/factories.ts';
import { expectMoneyToAgree } from '../../../support/money.ts';
import { aCheckout, addresses, visitor } from '../../../support/screen/checkout.ts';
import { aKey } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations').extend(
  'visit',
  ({ gateway }) => visitor(gateway),
);

async function aOneTimePrice(session: Session): Promise<string> {
  const [price] = await (await aOneTimeProduct(session)).prices.loadItems();
  return price?.id ?? '';
}

const body = (fields: object) => ({
  checkoutSession: { type: 'product', ...addresses, ...fields },
});

describe('POST /checkout-sessions', () => {
  test('200: the session with its page, for 24 hours', async ({ api, session }) => {
    const customer = await aCustomer(session);
    const priceId = await aOneTimePrice(session);
    const answer = await api(
      'POST',
      '/checkout-sessions',
      body({
        customerExternalId: customer.externalId,
        priceId,
        quantity: 2,
        outputName: 'Two set-ups',
        outputMetadata: { order: 7 },
      }),
    );
    expect(answer.status).toBe(200);
    const { checkoutSession, url } = answer.body;
    expect(checkoutSession).toEqual({
      id: expect.stringMatching(/^chckt_session_/),
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      livemode: false,
      organizationId: session.organizationId,
      pricingModelId: session.pricingModelId,
      status: 'open',
      type: 'product',
      billingAddress: null,
      priceId,
      purchaseId: null,
      invoiceId: null,
      quantity: 2,
      customerId: customer.id,
      customerName: customer.name,
      customerEmail: customer.email,
      paymentMethodType: null,
      discountId: null,
      ...addresses,
      preserveBillingCycleAnchor: false,
      outputMetadata: { order: 7 },
      outputName: 'Two set-ups',
      targetSubscriptionId: null,
      automaticallyUpdateSubscriptions: null,
      expires: checkoutSession.createdAt + 86_400_000,
    });
    expect(new URL(url).searchParams.get('key')).toMatch(/^[\w-]{43}$/);
    const read = await api('GET', `/checkout-sessions/${checkoutSession.id}`);
    expect(read).toMatchObject({ status: 200, body: { checkoutSession, url } });
    const { data } = (await api('GET', '/checkout-sessions?limit=1')).body;
    expect(data).toEqual([checkoutSession]);
  });

  test('400 for what cannot be bought or is unknown, and nothing is written', async ({
    api,
    session,
  }) => {
    const { externalId: customerExternalId } = await aCustomer(session);
    const priceId = await aOneTimePrice(session);
    const usage = await aUsagePrice(session, (await aUsageMeter(session)).id);
    const free = (await api('GET', '/products?limit=100')).body.data.find(
      (product: { default: boolean }) => product.default,
    );
    const freePrice = (await api('GET', `/prices?limit=100`)).body.data.find(
      (price: { productId: string }) => price.productId === free.id,
    );
    for (const [fields, message] of [
      [{ customerExternalId }, /priceId: give either/],
      [{ customerExternalId, priceId: 'price_no' }, /Invalid or not-found price ID: price_no/],
      [{ customerExternalId, priceSlug: 'no' }, /Price with slug .{4,6} not found/],
      [{ customerExternalId: 'nobody', priceId }, /Unknown customer nobody/],
      [{ priceId }, /customerExternalId: is required/],
      [{ customerExternalId, anonymous: true, priceId }, /must be null where anonymous/],
      [{ customerExternalId, priceId: usage.id }, /usage price/],
      [{ customerExternalId, priceId: freePrice.id }, /default products/],
      [{ customerExternalId, priceId, quantity: 0 }, /quantity/],
      [{ customerExternalId, priceId, quantity: 2_147_483_648 }, /quantity/],
      [{ customerExternalId, priceId, successUrl: 'javascript:alert(1)' }, /successUrl/],
      [
        { customerExternalId, type: 'add_payment_method', preserveBillingCycleAnchor: true },
        /starts no billing cycle/,
      ],
      [{ customerExternalId, type: 'activate_subscription' }, /targetSubscriptionId: is required/],
      [
        { customerExternalId, type: 'activate_subscription', targetSubscriptionId: 'sub_no' },
        /Unknown subscription sub_no/,
      ],
      [{ customerExternalId, type: 'add_payment_method', priceId }, /priceId: must be left out/],
      [{ customerExternalId, type: 'purchase', priceId }, /type/],
    ] as const) {
      const answer = await api('POST', '/checkout-sessions', body(fields));
      expect(answer, JSON.stringify(fields)).toMatchObject({ status: 400 });
      expect(JSON.stringify(answer.body)).toMatch(message);
    }
    expect((await api('GET', '/checkout-sessions')).body.total).toBe(0);
  });

  test('401, 403 and 404', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const fields = body({ customerExternalId: 'x', priceId: 'y' });
    expect((await api('POST', '/checkout-sessions', fields, { key })).status).toBe(403);
    expect((await api('POST', '/checkout-sessions', fields, { key: null })).status).toBe(401);
    expect((await api('GET', '/checkout-sessions', undefined, { key })).status).toBe(403);
    expect((await api('GET', '/checkout-sessions/chckt_session_no')).status).toBe(404);
    expect((await api('GET', '/purchases/prch_no')).status).toBe(404);
    expect((await api('GET', '/purchases', undefined, { key: null })).status).toBe(401);
  });
});

describe('a product that is bought once', () => {
  test('leads to a purchase with invoice, tax, payment, receipt and events', async ({
    api,
    session,
    visit,
    graphql,
  }) => {
    await graphql(
      'mutation { updateOrganization(organization: { taxType: vat, taxRatePercentage: "20" }) { organization { id } } }',
    );
    const customer = await aCustomer(session);
    const priceId = await aOneTimePrice(session);
    const { externalId } = customer;
    const { checkoutSession, url } = await aCheckout(api, {
      customerExternalId: externalId,
      priceId,
      quantity: 2,
      outputMetadata: { order: 7 },
    });
    const shown = await visit(url);
    expect(shown.text).toMatch(/VAT 20 %.*USD 20\.00.*Total.*USD 120\.00/s);
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await visit(url, {})).text).toContain(
      `thanks?x=1&#38;checkoutSessionId=${checkoutSession.id}`,
    );
    const { body } = await api('GET', `/checkout-sessions/${checkoutSession.id}`);
    expect(body.checkoutSession).toMatchObject({
      status: 'succeeded',
      customerId: customer.id,
      paymentMethodType: 'card',
      billingAddress: { address: { country: 'GB', city: 'London' } },
    });
    const { purchaseId } = body.checkoutSession;
    const { purchase } = (await api('GET', `/purchases/${purchaseId}`)).body;
    expect(purchase).toMatchObject({
      name: 'Setup',
      status: 'paid',
      customerId: customer.id,
      priceId,
      priceType: 'single_payment',
      quantity: 2,
      firstInvoiceValue: 12_000,
      totalPurchaseValue: 12_000,
      pricePerBillingCycle: null,
      trialPeriodDays: null,
      metadata: { order: 7 },
      position: 0,
    });
    const billing = (await api('GET', `/customers/${externalId}/billing`)).body;
    expect(billing.purchases).toEqual([purchase]);
    const [{ invoice, invoiceLineItems }] = billing.invoices;
    expect(invoice).toMatchObject({
      type: 'purchase',
      purchaseId,
      subscriptionId: null,
      status: 'paid',
      subtotal: 10_000,
      taxAmount: 2_000,
      receiptPdfURL: expect.any(String),
    });
    expect(invoiceLineItems).toMatchObject([{ quantity: 2, price: 5_000, priceId }]);
    const payments = await fresh(session).em.find(Payment, {});
    expect(payments).toMatchObject([{ amount: 12_000, purchaseId, status: 'succeeded' }]);
    const types = (await fresh(session).em.find(Event, {})).map(({ type }) => type);
    expect(types).toContain('purchase.completed');
    expect(types).toContain('checkout_session.succeeded');
    await expectMoneyToAgree(session);

    const refund = { partialAmount: 2_000 };
    await api('POST', `/payments/${payments[0]?.id}/refund`, refund);
    const present = async () => (await api('GET', `/purchases/${purchaseId}`)).body.purchase.status;
    expect(await present()).toBe('partial_refund');
    await api('POST', `/payments/${payments[0]?.id}/refund`, {});
    expect(await present()).toBe('refunded');
    await expectMoneyToAgree(session);
  });

  test('speaks the language of its customer, else that of the browser, in each state', async ({
    api,
    gateway,
    graphql,
    session,
  }) => {
    const priceId = await aPriceOf(session, { intervalCount: 3 });
    const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
    const pageOf = async (url: string, headers: Record<string, string>, form?: object) => {
      const { pathname, search } = new URL(url);
      const body = form && new URLSearchParams(form as never).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const init = { headers: { ...headers, ...type }, ...(body && { method: 'POST', body }) };
      return (await gateway.fetch(`http://test${pathname}${search}`, init)).text();
    };
    const { url } = await aCheckout(api, { anonymous: true, priceId });
    const open = await pageOf(url, german);
    expect(open).toContain('<html lang="de-AT">');
    expect(open).toContain('Wird alle 3 Monate berechnet, bis Sie kündigen');
    expect(open).toContain('>Deutschland<');
    const wrong = await pageOf(url, german, { name: ' ', email: 'x' });
    expect(wrong).toContain('Geben Sie einen Namen ein');
    // No sentence of the English pages is left.
    for (const page of [open, wrong])
      expect(page).not.toMatch(/Your details|Billing|Country|Enter|Cancel|Check the|Charged|Total/);
    await pageOf(url, german, { name: 'Ada', email: 'a@example.com', token: 'sandbox_success' });
    expect(await pageOf(url, german)).toContain('Vielen Dank');
    expect(await pageOf(url, { 'accept-language': 'fr' })).toContain('Thank you');
    expect(await pageOf(url.replace(/key=.*/, 'key=none'), german)).toContain('gibt es nicht');

    const { externalId } = await aCustomer(session);
    const speaks = 'customer: { language: "de" }';
    await graphql(
      `mutation { updateCustomer(externalId: "${externalId}", ${speaks}) { customer { id } } }`,
    );
    const own = await aCheckout(api, { customerExternalId: externalId, priceId });
    expect(await pageOf(own.url, { 'accept-language': 'en' })).toContain('Ihre Angaben');
  });

  test('is paid once by 12 callers, and later ones see that it is paid', async ({
    api,
    session,
    visit,
  }) => {
    const priceId = await aOneTimePrice(session);
    const { url, checkoutSession } = await aCheckout(api, { anonymous: true, priceId });
    const before = (await api('GET', '/customers')).body.total;
    const tabs = await Promise.all(Array.from({ length: 12 }, () => visit(url, {})));
    expect(tabs.map(({ status }) => status)).toEqual(tabs.map(() => 200));
    const { em } = fresh(session);
    expect(await em.find(Payment, {})).toMatchObject([{ amount: 5_000, status: 'succeeded' }]);
    expect(await em.find(Purchase, {})).toMatchObject([{ status: 'paid' }]);
    expect((await api('GET', '/customers')).body.total).toBe(before + 1);
    expect((await visit(url)).text).toContain('Your order is complete');
    const { body } = await api('GET', `/checkout-sessions/${checkoutSession.id}`);
    expect(body.checkoutSession).toMatchObject({
      status: 'succeeded',
      customerName: 'Ada Lovelace',
      customerEmail: 'ada@example.com',
    });
    await expectMoneyToAgree(session);
  });

  test('with a refused card is paid by the next one, on the same invoice', async ({
    api,
    session,
    visit,
  }) => {
    const priceId = await aOneTimePrice(session);
    const { url } = await aCheckout(api, { anonymous: true, priceId });
    const refused = await visit(url, { token: 'sandbox_decline_expired_card' });
    expect(refused.text).toContain('role="alert">The card has expired');
    expect(refused.text).toContain('value="Ada Lovelace"');
    const wrong = await visit(url, { name: ' ' });
    expect(wrong.text).toContain('role="alert">Check the marked fields<');
    expect((await visit(url, {})).text).toContain('Thank you');
    const { em } = fresh(session);
    const payments = await em.find(Payment, {}, { orderBy: { position: 'asc' } });
    expect(payments.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(new Set(payments.map(({ invoiceId }) => invoiceId)).size).toBe(1);
    await expectMoneyToAgree(session);
  });

  test('expires: its page says so, takes no money, and its invoice is void', async ({
    api,
    session,
    visit,
    database,
  }) => {
    const priceId = await aOneTimePrice(session);
    const { url, checkoutSession } = await aCheckout(api, { anonymous: true, priceId });
    await visit(url, { token: 'sandbox_decline_expired_card' });
    const { em } = fresh(session);
    const past = new Date(Date.now() - 1_000);
    await em.execute('update checkout_session set expires = ?', [past]);
    for (const form of [undefined, {}]) {
      const { status, text } = await visit(url, form);
      expect({ status, text }).toMatchObject({
        status: 410,
        text: expect.stringContaining('has expired'),
      });
    }
    const fail = (error: unknown) => {
      throw error;
    };
    await checkCheckouts(database.orm.em, new Date(), 'check-checkouts', fail);
    const { body } = await api('GET', `/checkout-sessions/${checkoutSession.id}`);
    expect(body.checkoutSession.status).toBe('expired');
    expect((await api('GET', `/purchases/${body.checkoutSession.purchaseId}`)).body).toMatchObject({
      purchase: { status: 'failed' },
    });
    expect((await api('GET', '/invoices')).body.data).toMatchObject([{ status: 'void' }]);

    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    const { url: paid } = await aCheckout(api, { anonymous: true, priceId });
    await visit(paid, {});
    const all = async () => (await api('GET', '/checkout-sessions')).body.total;
    expect(await purgeCheckouts(em, days(-1))).toBe(0);
    expect(await all()).toBe(2);
    expect(await purgeCheckouts(em, days(1))).toBeGreaterThan(0);
    expect(await all()).toBe(1);
    expect((await visit(url)).status).toBe(404);
  });

  test('cannot be paid without the key of its page, and bad fields are named', async ({
    api,
    session,
    visit,
  }) => {
    const priceId = await aOneTimePrice(session);
    const { url } = await aCheckout(api, { anonymous: true, priceId });
    expect((await visit(url.replace(/key=.*/, 'key=guess'), {})).status).toBe(404);
    const bad = await visit(url, { email: 'nope', name: '<b>' });
    expect(bad).toMatchObject({ status: 400, text: expect.stringContaining('aria-invalid') });
    expect(bad.text).toContain('value="&#60;b&#62;"');
    expect((await visit(url, { token: 'sandbox_no' })).text).toContain('one of the test cards');
    expect(await fresh(session).em.count(Payment, {})).toBe(0);
  });

  test('grants capacity and credits to the present and the next subscription', async ({
    api,
    session,
    visit,
  }) => {
    const { externalId, id } = await aCustomer(session);
    const meter = await aUsageMeter(session);
    const { resource } = (
      await api('POST', '/resources', { resource: { name: 'Seats', slug: 'seats' } })
    ).body;
    const feature = async (fields: object) =>
      (await api('POST', '/features', { feature: { description: 'x', ...fields } })).body.feature
        .id;
    const featureIds = [
      await feature({
        type: 'resource',
        name: 'Seats',
        slug: 's',
        amount: 5,
        resourceId: resource.id,
      }),
      await feature({
        type: 'usage_credit_grant',
        name: 'Credits',
        slug: 'c',
        amount: 100,
        usageMeterId: meter.id,
        renewalFrequency: 'once',
      }),
    ];
    const product = (
      await api('POST', '/products', {
        product: { name: 'Pack', slug: 'pack' },
        price: { type: 'single_payment', slug: 'pack', unitPrice: 500 },
        featureIds,
      })
    ).body;
    expect(product.product.id).toBeDefined();
    const { url } = await aCheckout(api, {
      customerExternalId: externalId,
      priceSlug: 'pack',
      quantity: 2,
    });
    expect((await visit(url, {})).text).toContain('Thank you');
    const read = async () => {
      const { currentSubscription } = (await api('GET', `/customers/${externalId}/billing`)).body;
      const { featureItems, usageMeterBalances } = currentSubscription.experimental;
      return { featureItems, usageMeterBalances };
    };
    expect(await read()).toMatchObject({
      featureItems: [{ type: 'resource', amount: 10 }],
      usageMeterBalances: [{ availableBalance: 200 }],
    });
    await aPaymentMethod(session, id);
    await aSubscription(fresh(session), { customerId: id });
    expect((await read()).featureItems).toMatchObject([{ type: 'resource', amount: 10 }]);
  });
});

describe('a subscription that is bought', () => {
  test('starts with its first payment and replaces the free plan', async ({
    api,
    session,
    visit,
  }) => {
    const { externalId } = await aCustomer(session);
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const { url, checkoutSession } = await aCheckout(api, {
      customerExternalId: externalId,
      priceId,
      quantity: 3,
      outputName: 'Team',
      outputMetadata: { team: 'blue' },
    });
    expect((await visit(url)).text).toMatch(/Charged every month/);
    const refused = await visit(url, { token: 'sandbox_decline_insufficient_funds' });
    expect(refused.text).toContain('role="alert"');
    const billing = async () => (await api('GET', `/customers/${externalId}/billing`)).body;
    expect((await billing()).currentSubscriptions).toMatchObject([{ isFreePlan: true }]);
    expect((await visit(url, {})).text).toContain('Thank you');
    const { currentSubscriptions, purchases, paymentMethods } = await billing();
    expect(currentSubscriptions).toMatchObject([
      { status: 'active', isFreePlan: false, name: 'Team', metadata: { team: 'blue' } },
    ]);
    expect(purchases).toMatchObject([
      {
        status: 'paid',
        priceType: 'subscription',
        pricePerBillingCycle: 6_000,
        firstInvoiceValue: 6_000,
        totalPurchaseValue: null,
        intervalUnit: 'month',
        intervalCount: 1,
        trialPeriodDays: 0,
      },
    ]);
    expect(paymentMethods).toMatchObject([{ default: true }]);
    const { body } = await api('GET', `/checkout-sessions/${checkoutSession.id}`);
    expect(body.checkoutSession.status).toBe('succeeded');
    const again = await aCheckout(api, { customerExternalId: externalId, priceId });
    expect((await visit(again.url, {})).text).toContain('already subscribed');
    await expectMoneyToAgree(session);
  });

  test('replaces one that waits for its first payment, and a refusal writes nothing', async ({
    api,
    session,
    visit,
  }) => {
    const { externalId, id } = await aCustomer(session);
    const waiting = await aSubscription(fresh(session), { customerId: id });
    const product = await aOneTimeProduct(session);
    const withdrawn = await aCheckout(api, {
      customerExternalId: externalId,
      priceId: (await product.prices.loadItems())[0]?.id,
    });
    await api('PUT', `/products/${product.id}`, { product: { id: product.id, active: false } });
    const refused = await visit(withdrawn.url, {});
    expect(refused.text).toContain('Setup is not for sale any more');
    expect(refused.status).toBe(400);
    expect(await fresh(session).em.count(Payment, {})).toBe(0);
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const { url } = await aCheckout(api, { customerExternalId: externalId, priceId });
    expect((await visit(url, {})).text).toContain('Thank you');
    const { subscription } = (await api('GET', `/subscriptions/${waiting.id}`)).body;
    expect(subscription.status).toBe('canceled');
    const { paymentMethods } = (await api('GET', `/customers/${externalId}/billing`)).body;
    expect(paymentMethods).toMatchObject([{ default: true }]);
    expect(await fresh(session).em.find(Payment, {})).toMatchObject([{ amount: 2_000 }]);
    await expectMoneyToAgree(session);
  });

  test('is confirmed on the page of the processor where the bank asks for it', async ({
    api,
    session,
    visit,
    gateway,
  }) => {
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const { url } = await aCheckout(api, { anonymous: true, priceId });
    const { text } = await visit(url, { token: 'sandbox_action_success' });
    const [, action = ''] = /class="button" href="([^"]+)"/.exec(text) ?? [];
    expect(text).toContain('Confirm the payment');
    const { pathname } = new URL(action);
    await gateway.fetch(`http://test${pathname}`, {
      method: 'POST',
      body: 'action=confirm&token=sandbox_success&type=card',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect((await visit(url)).text).toContain('Thank you');
    expect(await fresh(session).em.find(Payment, { status: 'succeeded' })).toHaveLength(1);
    await expectMoneyToAgree(session);
  });
});

describe('a discount', () => {
  test('reduces what is paid before tax, as the page states, and a refused card does not use it up', async ({
    api,
    session,
    visit,
    graphql,
  }) => {
    await graphql(
      'mutation { updateOrganization(organization: { taxType: vat, taxRatePercentage: "19" }) { organization { id } } }',
    );
    const terms = { amountType: 'percent', amount: 15, duration: 'once', redemptionLimit: 2 };
    const { discount } = (
      await api('POST', '/discounts', { discount: { name: 'Spring', code: 'SPRING', ...terms } })
    ).body;
    const count = async () =>
      (await api('GET', `/discounts/${discount.id}`)).body.discount.redemptionCount;
    const once = await aOneTimePrice(session);
    const monthly = await aPriceOf(session, { unitPrice: 3_333 });
    for (const [priceId, quantity, text, total] of [
      [once, 1, 'USD 50.58', 5_058],
      [monthly, 1, 'USD 33.71', 3_371],
    ] as const) {
      const { url, checkoutSession } = await aCheckout(api, {
        anonymous: true,
        priceId,
        quantity,
        discountCode: 'spring',
      });
      expect(checkoutSession.discountId).toBe(discount.id);
      const { text: shown } = await visit(url);
      expect(shown).toContain('Discount SPRING: 15 %');
      expect(shown).toContain(`Pay ${text}`);
      // 33.33 with 19 %: the discount is for one payment.
      const later = /First payment.*USD 33\.71.*Then every month.*USD 39\.66/s;
      if (priceId === monthly) expect(shown).toMatch(later);
      else expect(shown).not.toContain('First payment');
      await visit(url, { token: 'sandbox_decline_expired_card' });
      expect((await visit(url, {})).text).toContain('Thank you');
      const [paid] = await fresh(session).em.find(
        Payment,
        { status: 'succeeded' },
        { orderBy: { position: 'desc' } },
      );
      expect(paid?.amount).toBe(total);
    }
    expect(await count()).toBe(2);
    const voided = (await api('GET', '/invoices?status=void')).body.data;
    expect(voided).toHaveLength(1);
    for (const { id } of voided) {
      const explained = await api('GET', `/invoices/${id}/explain`);
      expect(explained).toMatchObject({ status: 200, body: { differences: [] } });
    }
    const over = await api(
      'POST',
      '/checkout-sessions',
      body({ anonymous: true, priceId: once, discountCode: 'SPRING' }),
    );
    expect(over).toMatchObject({
      status: 400,
      body: { issues: [{ message: expect.stringContaining('limit') }] },
    });
    await expectMoneyToAgree(session);
  });
});

describe('a checkout of an existing customer', () => {
  test('adds a payment method, for all subscriptions or for one', async ({
    api,
    session,
    visit,
  }) => {
    const { externalId, id } = await aCustomer(session);
    const first = await aPaymentMethod(session, id);
    const { url } = await aCheckout(api, {
      type: 'add_payment_method',
      customerExternalId: externalId,
      automaticallyUpdateSubscriptions: true,
    });
    expect((await visit(url)).text).not.toContain('Total');
    expect((await visit(url, { type: 'sepa_debit' })).text).toContain(
      'The payment method was added',
    );
    const { data } = (await api('GET', '/payment-methods')).body;
    expect(data).toMatchObject([
      { id: first.id, default: false },
      { default: true, type: 'sepa_debit' },
    ]);
  });

  test('activates a subscription that waits for its first payment', async ({
    api,
    session,
    visit,
  }) => {
    const { externalId, id } = await aCustomer(session);
    const waiting = await aSubscription(fresh(session), { customerId: id });
    expect(waiting.status).toBe('incomplete');
    const { url, checkoutSession } = await aCheckout(api, {
      type: 'activate_subscription',
      customerExternalId: externalId,
      targetSubscriptionId: waiting.id,
    });
    expect(checkoutSession).toMatchObject({ priceId: expect.any(String), purchaseId: null });
    expect((await visit(url)).text).toContain('Activate your subscription');
    expect((await visit(url, {})).text).toContain('Thank you');
    const { subscription } = (await api('GET', `/subscriptions/${waiting.id}`)).body;
    expect(subscription.status).toBe('active');
    const again = await api('GET', `/checkout-sessions/${checkoutSession.id}`);
    expect(again.body.checkoutSession.status).toBe('succeeded');
    await expectMoneyToAgree(session);
  });
});
