import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createTaxRate } from '#domain/catalog/commands/tax-rates/create-tax-rate.ts';
import { useServiceUrl } from '#domain/kernel/service-url.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { inBrowser, openBrowser } from '../../support/browser.ts';
import { aDiscount } from '../../support/discounts.ts';
import { aCustomer, aOneTimeProduct, aPriceOf, fresh } from '../../support/factories.ts';
import { aCheckout } from '../../support/screen/checkout.ts';
import { test as base } from './service.ts';

const views = [
  { width: 360, colorScheme: 'light', isRead: false },
  { width: 360, colorScheme: 'dark', isRead: true },
  { width: 1_200, colorScheme: 'light', isRead: true },
  { width: 1_200, colorScheme: 'dark', isRead: false },
] as const;

const test = base
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await openBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('open', async ({ browser, url }, { onCleanup }) => {
    useServiceUrl(url);
    const context = await browser.newContext({ viewport: { width: 360, height: 800 } });
    // The shop that the customer returns to.
    await context.route('https://shop.example.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Shop</title>' }),
    );
    onCleanup(() => context.close());
    return async (address: string): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    };
  });

/**
 * Checks a page: nothing is wider than the screen in any view, and axe has no serious finding in two views, which have
 * each width and each scheme of colors once. Axe takes most of the time of these tests on a busy machine.
 */
async function check(page: Page, name: string) {
  for (const { width, colorScheme, isRead } of views) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    if (!isRead) continue;
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
    const serious = violations.filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    const found = serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    expect(found, `${name} at ${width} px, ${colorScheme}`).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 800 });
}

/** Moves the focus with the keyboard to the control with an id; a button has none. */
async function focus(page: Page, id: string) {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const active = await page.evaluate(
      () => document.activeElement?.id || document.activeElement?.tagName,
    );
    if (active === id) return;
  }
  throw new Error(`The keyboard does not reach ${id}`);
}

async function fill(page: Page, values: Record<string, string>) {
  for (const [id, value] of Object.entries(values)) {
    await focus(page, id);
    await page.keyboard.type(value);
  }
}

inBrowser('in a browser at 360 px, with the keyboard alone, the checkout', () => {
  test('sells a product after a refused card, once in two tabs', async ({
    open,
    api,
    session,
    graphql,
  }) => {
    await graphql(
      'mutation { updateOrganization(organization: { taxType: vat, taxRatePercentage: "20" }) { organization { id } } }',
    );
    const [price] = await (await aOneTimeProduct(session)).prices.loadItems();
    const { url, checkoutSession } = await aCheckout(api, {
      anonymous: true,
      priceId: price?.id,
      quantity: 2,
    });
    const page = await open(url);
    expect(await page.getByRole('table').innerText()).toMatch(/VAT 20 %\s+USD 20\.00/);
    await check(page, 'form');
    await fill(page, {
      email: 'grace@example.com',
      name: 'Grace Hopper',
      country: 'United States',
      token: 'Declined: expired',
    });
    await focus(page, 'BUTTON');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('expired');
    await check(page, 'refused');
    const other = await open(url);
    // The chosen outcome is that of the first card again.
    await focus(page, 'BUTTON');
    await page.keyboard.press('Enter');
    await page.waitForURL(/shop\.example\.com/);
    expect(page.url()).toBe(
      `https://shop.example.com/thanks?x=1&checkoutSessionId=${checkoutSession.id}`,
    );
    await focus(other, 'BUTTON');
    await other.keyboard.press('Enter');
    await other.waitForURL(/shop\.example\.com/);
    const paid = await fresh(session).em.find(Payment, { status: 'succeeded' });
    expect(paid).toMatchObject([{ amount: 12_000 }]);
    const { body } = await api('GET', `/checkout-sessions/${checkoutSession.id}`);
    expect(body.checkoutSession).toMatchObject({
      status: 'succeeded',
      customerEmail: 'grace@example.com',
      billingAddress: { address: { country: 'US' } },
    });
  });

  test('sells a subscription that the bank asks to confirm, and names wrong fields', async ({
    open,
    api,
    session,
  }) => {
    const { externalId } = await aCustomer(session);
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const { url } = await aCheckout(api, { customerExternalId: externalId, priceId });
    const page = await open(url);
    await check(page, 'subscription');
    await focus(page, 'name');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('  ');
    await focus(page, 'BUTTON');
    await page.keyboard.press('Enter');
    await page.locator('#name-problem').waitFor();
    await check(page, 'wrong');
    await fill(page, { name: 'Ada', token: 'Asks the customer' });
    await focus(page, 'BUTTON');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Confirm the payment' }).waitFor();
    await check(page, 'confirm');
    await page.getByRole('link', { name: 'Confirm' }).press('Enter');
    await page.getByRole('button', { name: 'Confirm' }).press('Enter');
    await page.waitForURL(/shop\.example\.com/);
    const [paid] = await fresh(session).em.find(Payment, { status: 'succeeded' });
    expect(paid).toMatchObject({ amount: 2_000 });
  });

  test('takes a promotion code and a VAT id, keeps what is typed, and shows a new amount before it is paid', async ({
    open,
    api,
    session,
    graphql,
  }) => {
    await graphql(
      `mutation { updateOrganization(organization: { taxEngine: rates, taxIds: [{ type: eu_vat, value: "DE123456788" }],
          address: { line1: "Weg 1", city: "Berlin", postal_code: "10115", country: "DE" } }) { organization { id } } }`,
    );
    const [taxType, ratePercentage, country] = ['vat', '20', 'FR'] as const;
    const taxRate = { name: 'VAT', taxType, ratePercentage, country };
    await createTaxRate(fresh(session), { taxRate });
    const { code } = await aDiscount(session, { amount: 50 });
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const { url } = await aCheckout(api, { anonymous: true, priceId });
    const page = await open(url);
    await fill(page, { email: 'grace@example.com', name: 'Grace Hopper', country: 'France' });
    await fill(page, { city: 'Paris', code: 'NO-SUCH' });
    await focus(page, 'apply-code');
    await page.keyboard.press('Enter');
    await page.locator('#code-problem').waitFor();
    await check(page, 'refused code');
    expect(await page.locator('#city').inputValue()).toBe('Paris');
    await page.locator('#code').fill(code);
    await focus(page, 'apply-code');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pay USD 12.00' }).waitFor();
    await check(page, 'code');
    // The key Enter confirms the form from each of its fields.
    await fill(page, { tax_id: 'FR 40 303 265 045' });
    await page.keyboard.press('Enter');
    await page.getByText('The amount has changed').waitFor();
    await check(page, 'changed');
    expect(await page.getByRole('table').innerText()).toMatch(/Reverse charge\s+USD 0\.00/);
    await focus(page, 'BUTTON');
    await page.keyboard.press('Enter');
    await page.waitForURL(/shop\.example\.com/);
    const paid = await fresh(session).em.find(Payment, { status: 'succeeded' });
    expect(paid).toMatchObject([{ amount: 1_000 }]);
  });

  test('shows the outcome when the browser goes back after the payment', async ({
    open,
    api,
    session,
  }) => {
    const { code } = await aDiscount(session, { amount: 50 });
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const { url } = await aCheckout(api, { anonymous: true, priceId });
    const page = await open(url);
    await page.locator('#code').fill(code);
    await page.locator('#apply-code').click();
    await page.getByRole('button', { name: 'Pay USD 10.00' }).waitFor();
    await fill(page, { email: 'grace@example.com', name: 'Grace Hopper' });
    await page.getByRole('button', { name: 'Pay USD 10.00' }).click();
    await page.waitForURL(/shop\.example\.com/);
    const back = await page.goBack({ waitUntil: 'commit' });
    expect([back?.status(), back?.request().method()]).toEqual([200, 'GET']);
    // The page leads on to the shop at once, so its text is read from the service.
    expect(await (await page.request.get(url)).text()).toContain('Thank you');
  });

  test('shows that it has expired, and adds a payment method', async ({ open, api, session }) => {
    const { externalId: customerExternalId } = await aCustomer(session);
    const [price] = await (await aOneTimeProduct(session)).prices.loadItems();
    const old = await aCheckout(api, { anonymous: true, priceId: price?.id });
    await fresh(session).em.execute('update checkout_session set expires = now() where id = ?', [
      old.checkoutSession.id,
    ]);
    await check(await open(old.url), 'expired');
    const { url } = await aCheckout(api, { type: 'add_payment_method', customerExternalId });
    const page = await open(url);
    await check(page, 'method');
    await focus(page, 'BUTTON');
    await page.keyboard.press('Enter');
    await page.waitForURL(/shop\.example\.com/);
    expect((await api('GET', '/payment-methods')).body.data).toMatchObject([{ default: true }]);
  });
});
