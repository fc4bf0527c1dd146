import { describe, expect } from 'vitest';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { checkSetups } from '#domain/money/commands/payment-methods/check-setups.ts';
import { aCustomer, aPaymentMethod, aProduct, fresh } from '../../support/factories.ts';
import { testAlone } from '../../support/test.ts';

const open = `mutation($customer: ID!) { createPaymentMethodSetup(paymentMethodSetup: {
  customerId: $customer, returnUrl: "https://shop.example.com/back?x=1", cancelUrl: "https://shop.example.com/"
}) { paymentMethodSetup { id url status paymentMethodId expiresAt } } }`;

const complete = `mutation($id: ID!) { completePaymentMethodSetup(id: $id) {
  paymentMethodSetup { status paymentMethodId paymentMethod { type default } } } }`;

const test = testAlone('it runs jobs, which work for all organizations').extend(
  'visit',
  ({ gateway }) => {
    return async (url: string, form?: Record<string, string>) => {
      const body = form && new URLSearchParams(form).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const path = `http://test${new URL(url).pathname}`;
      const response = await gateway.fetch(path, {
        ...(body && { method: 'POST', body, headers }),
      });
      const text = await response.text();
      // A longer length than that of the page lets a browser wait for the rest.
      expect(response.headers.get('content-length')).toBe(`${Buffer.byteLength(text)}`);
      return { status: response.status, text, headers: response.headers };
    };
  },
);

describe('the page of a set-up', () => {
  test('adds the chosen payment method once, however the customer returns', async ({
    session,
    graphql,
    visit,
  }) => {
    const { id: customer } = await aCustomer(session);
    const { data } = await graphql(open, { customer });
    const { paymentMethodSetup: setup } = data.createPaymentMethodSetup;
    expect(setup).toMatchObject({ status: 'open', paymentMethodId: null });
    const early = await graphql(complete, { id: setup.id });
    expect(early.data.completePaymentMethodSetup.paymentMethodSetup.status).toBe('open');
    const shown = await visit(setup.url);
    expect(shown).toMatchObject({ status: 200, text: expect.stringContaining('sandbox_success') });
    expect(shown.text).not.toContain('<script');
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    const form = { token: 'sandbox_success', type: 'sepa_debit', action: 'confirm' };
    const [done] = await Promise.all([
      visit(setup.url, form),
      ...Array.from({ length: 4 }, () => graphql(complete, { id: setup.id })),
    ]);
    expect(done.text).toContain(`shop.example.com/back?x=1&#38;setup=${setup.id}`);
    const late = await graphql(complete, { id: setup.id });
    expect(late.data.completePaymentMethodSetup.paymentMethodSetup).toMatchObject({
      status: 'completed',
      paymentMethod: { type: 'sepa_debit', default: true },
    });
    expect(await fresh(session).em.count(PaymentMethod, { customer })).toBe(1);
  });

  test('expires, and the job says so', async ({ session, graphql }) => {
    const { id: customer } = await aCustomer(session);
    const { id } = (await graphql(open, { customer })).data.createPaymentMethodSetup
      .paymentMethodSetup;
    const tomorrow = new Date(Date.now() + 25 * 3_600_000);
    await checkSetups(session.em, tomorrow, 'check-setups', (error) => {
      throw error;
    });
    const { data } = await graphql(`{ paymentMethodSetup(id: "${id}") { status } }`);
    expect(data.paymentMethodSetup.status).toBe('expired');
  });

  test('refuses what is no token, and an unknown page is 404', async ({
    session,
    graphql,
    visit,
  }) => {
    const { id: customer } = await aCustomer(session);
    const { url } = (await graphql(open, { customer })).data.createPaymentMethodSetup
      .paymentMethodSetup;
    const refused = await visit(url, { token: 'tok_visa', type: 'card', action: 'confirm' });
    expect(refused.text).toContain('Choose a test token');
    expect(await visit(url, { action: 'other' })).toMatchObject({ status: 400 });
    expect(await visit(`${url}x`)).toMatchObject({ status: 404 });
  });

  test('is refused for an unknown customer', async ({ graphql }) => {
    const { errors } = await graphql(open, { customer: 'cust_x' });
    expect(errors[0].extensions.issues).toMatchObject([
      { path: ['paymentMethodSetup', 'customerId'] },
    ]);
  });
});

test('a first payment that needs its customer: the answer names the page, and the subscription begins there', async ({
  session,
  api,
  visit,
}) => {
  const { id: customerId } = await aCustomer(session);
  await aPaymentMethod(session, customerId, { token: 'sandbox_decline_authentication' });
  const product = await aProduct(session);
  const priceId = (await product.prices.loadItems())[0]?.id;
  const { status, headers, body } = await api('POST', '/subscriptions', { customerId, priceId });
  expect(status).toBe(200);
  expect(headers.get('subscription-next-step')).toBe('confirm_payment');
  const url = headers.get('payment-action-url') ?? '';
  expect(body.subscription).toMatchObject({ status: 'incomplete' });
  expect(body.subscription.paymentActionUrl).toBeUndefined();
  expect((await visit(url)).text).toContain('USD');
  await visit(url, { token: 'sandbox_success', type: 'card', action: 'confirm' });
  const read = await api('GET', `/subscriptions/${body.subscription.id}`);
  expect(read.body.subscription).toMatchObject({ status: 'active' });
  expect(read.headers.get('payment-action-url')).toBeNull();
});
