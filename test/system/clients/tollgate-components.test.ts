import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { createPrice } from '#domain/catalog/commands/prices/create-price.ts';
import { useServiceUrl } from '#domain/kernel/service-url.ts';
import type { Session } from '#domain/kernel/session.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { connect } from '../../../dashboard/client/src/connect.ts';
import { CreateCheckoutSessionDocument } from '../../../dashboard/client/src/operations.generated.ts';
import { inBrowser, openBrowser } from '../../support/browser.ts';
import {
  aCreditGrant,
  aCustomer,
  aProduct,
  aSubscription,
  aToggle,
  aUsageMeter,
  fresh,
} from '../../support/factories.ts';
import { aKey } from '../../support/tenant.ts';
import { use } from '../../support/usage.ts';
import { aPage } from './application-page.ts';
import { test as base, serve } from './service.ts';

const test = base
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await openBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('service', { scope: 'file' }, async ({ database, hub }, { onCleanup }) => {
    const server = await serve(database.orm, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    useServiceUrl(`${server.url}`);
    return `${server.url}`;
  });

/** A plan at 20.00 a month or 200.00 a year, with a feature and 100 credits of a meter. */
async function aPlan(session: Session) {
  const feature = await aToggle(session);
  const meter = await aUsageMeter(session, { name: 'API calls' });
  const credits = await aCreditGrant(session, meter.id);
  const featureIds = [feature.id, credits.id];
  const product = await aProduct(session, { name: 'Pro', featureIds, price: { unitPrice: 2_000 } });
  const [price] = await product.prices.loadItems();
  const yearly = await createPrice(fresh(session), {
    price: {
      ...{ type: 'subscription', productId: product.id, isDefault: false },
      ...{ unitPrice: 20_000, intervalUnit: 'year' },
    },
  });
  return { feature: feature.slug, meter: meter.slug, price: price?.id ?? '', yearly: yearly.id };
}

const open = async (page: Page, origin: string, settings: object) => {
  await page.goto(`${origin}/?${Math.random()}#${encodeURIComponent(JSON.stringify(settings))}`);
};

const textsOf = (page: Page, part: string) =>
  page.locator(`[data-tollgate="${part}"]`).allInnerTexts();

inBrowser('in a browser, the components', () => {
  test('show a customer plans, lead to the checkout of the chosen price, and open what it grants', async ({
    browser,
    service,
    folder,
    session,
    tenant,
  }) => {
    const { feature, meter, price, yearly } = await aPlan(session);
    const customer = await aCustomer(session);
    const application = connect({ url: service, token: tenant.key });
    let isDown = true;
    const origin = await aPage(folder, {
      program: 'components.tsx',
      packages: 'sources',
      async answer(path, { priceId, quantity }: { priceId: string; quantity: number }) {
        if (isDown) throw new Error('The application is down');
        expect(path).toBe('/checkout');
        const addresses = { successUrl: `${origin}/thanks`, cancelUrl: origin };
        const { externalId: customerExternalId } = customer;
        const { data } = await application.execute(CreateCheckoutSessionDocument, {
          checkoutSession: { type: 'product', customerExternalId, priceId, quantity, ...addresses },
        });
        return { url: data.createCheckoutSession?.url };
      },
    });
    const { token } = await createCustomerToken(fresh(session), {
      customer: customer.id,
      allowedOrigins: [origin],
    });
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await open(page, origin, { url: service, token, feature, meter });

    const plan = page.locator('[data-plan]:has(h3:text-is("Pro"))');
    await plan.getByText('$20.00 a month').waitFor();
    expect(await plan.innerText()).toContain('SSO');
    await expect.poll(() => textsOf(page, 'paywall')).toEqual([expect.stringContaining('plan')]);
    await expect.poll(() => textsOf(page, 'usage')).toHaveLength(1);
    await page.getByLabel('a year').check();
    expect(await plan.innerText()).toContain('$200.00 a year');
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);

    const button = plan.getByRole('button');
    await button.click();
    await plan.getByRole('alert').waitFor();
    expect(await button.isDisabled()).toBe(false);
    isDown = false;
    await button.click();
    await page.waitForURL(/\/checkout\/chckt_session_/);
    expect(page.url()).toContain(service);
    expect(await page.locator('main').innerText()).toContain('200.00');

    await page.goBack();
    await plan.waitFor();
    const { id } = await aSubscription(fresh(session), {
      customerId: customer.id,
      priceId: yearly,
      doNotCharge: true,
    });
    await page.locator('#paid').waitFor();
    await page.getByLabel('a year').check();
    await plan.getByText('Your plan').waitFor();
    expect(await plan.getByRole('button').count()).toBe(0);
    await expect
      .poll(() => textsOf(page, 'usage'))
      .toEqual([expect.stringMatching(/API calls\s+0 of 100 used, 100 left/)]);
    await use(session, { id, slug: meter }, 30);
    await expect
      .poll(() => textsOf(page, 'usage'))
      .toEqual([expect.stringContaining('30 of 100 used, 70 left')]);
    expect(await page.locator('meter').getAttribute('value')).toBe('30');
    await use(session, { id, slug: meter }, 90);
    await expect
      .poll(() => textsOf(page, 'usage'))
      .toEqual([expect.stringContaining('120 of 100 used, 20 above')]);
    expect(price).not.toBe(yearly);
  });

  test('show the plans to a visitor with a publishable key, who has none of them', async ({
    browser,
    service,
    folder,
    session,
  }) => {
    const { feature, meter } = await aPlan(session);
    const origin = await aPage(folder, { program: 'components.tsx', packages: 'sources' });
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    const token = await aKey(session, 'publishable');
    await open(page, origin, { url: service, token, feature, meter });
    await page.getByText('$20.00 a month').waitFor();
    await expect.poll(() => textsOf(page, 'usage')).toEqual(['No usage']);
    await expect.poll(() => textsOf(page, 'paywall')).toHaveLength(1);
    expect(await page.locator('[data-current="true"], #paid').count()).toBe(0);
    expect(sockets).toEqual([]);

    await open(page, origin, { url: service, token: 'pk_test_unknown', feature, meter });
    const table = page.locator('[data-tollgate="pricing-table"][role="alert"]');
    await table.waitFor();
    expect(await table.getAttribute('class')).toBe('plans');
  });
});
