import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { useServiceUrl } from '#domain/kernel/service-url.ts';
import type { Session } from '#domain/kernel/session.ts';
import { updateOrganization } from '#domain/organizations/update-organization.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { aCustomer, aPaymentMethod, aProduct, aSubscription, fresh } from '../support/factories.ts';
import { aPng } from '../support/pictures.ts';
import { test as base, serve } from './service.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

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
    return `${server.url}`.replace(/\/$/, '');
  });

/** A page must have no serious finding, no text that is wider than it, and no script. */
async function checked(page: Page, name: string) {
  for (const [scheme, width] of [
    ['light', 1_200],
    ['dark', 1_200],
    ['light', 360],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    // The page itself runs no script: the check does, as a tool of the browser.
    const found = await page.evaluate(`(${run})(${JSON.stringify(await readFile(axe, 'utf8'))})`);
    expect(found, `${name}, ${scheme}, ${width} px`).toEqual([]);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide, `${name} at ${width} px`).toBeLessThanOrEqual(width);
  }
}

const run = `async (source) => {
  (0, eval)(source);
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
}`;

/** Presses Tab until an element has the focus whose name matches, then Enter, and waits for the next address. */
async function press(page: Page, name: RegExp, next?: RegExp) {
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      '(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim()',
    );
    if (name.test(String(focused))) {
      await page.keyboard.press('Enter');
      if (next) await page.waitForURL(next);
      return;
    }
  }
  throw new Error(`No element ${name} on ${page.url()}`);
}

async function aBusiness(session: Session) {
  const organization = {
    name: 'Møller & Söhne Werkzeugbau GmbH',
    logo: aPng(200, 60),
  };
  await updateOrganization(fresh(session), { organization } as never);
  const customer = await aCustomer(session, {
    externalId: 'ada',
    name: 'Zażółć Gęślą Jaźń – 東京支社 ',
  } as never);
  await aPaymentMethod(session, customer.id);
  const priceOf = async (name: string, unitPrice: number) => {
    const product = await aProduct(session, { name, price: { unitPrice } });
    return (await product.prices.loadItems())[0]?.id ?? '';
  };
  const priceId = await priceOf('Small', 1_000);
  await priceOf('A large plan with a name that is longer than a narrow screen', 5_000);
  await priceOf('Medium', 3_000);
  const subscription = await aSubscription(fresh(session), { customerId: customer.id, priceId });
  return { customer, subscription };
}

describe.skipIf(!chromiumPath)('in a browser, the portal', () => {
  test('is used with the keyboard alone, in light and dark, at 360 and 1200 pixels', async ({
    browser,
    service,
    session,
    tenant,
  }) => {
    const { subscription } = await aBusiness(session);
    const answer = await fetch(`${service}/api/v1/customers/ada/billing`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    const { billingPortalUrl } = (await answer.json()) as { billingPortalUrl: string };
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));

    await page.goto(`${service}/portal`);
    expect(await page.textContent('h1')).toBe('This link is not valid');
    await checked(page, 'closed');

    await page.goto(billingPortalUrl);
    expect(page.url()).toBe(`${service}/portal`);
    await checked(page, 'home');
    const stored = async () => fresh(session).em.findOneOrFail(Subscription, subscription.id);

    await press(page, /^Cancel Small/);
    await checked(page, 'cancel');
    await press(page, /^Cancel the subscription$/, /done=cancel$/);
    expect(await page.textContent('[role=status]')).toContain('ends with its present period');
    expect(await stored()).toMatchObject({ status: 'cancellation_scheduled' });
    await checked(page, 'canceled');
    await press(page, /^Keep this subscription$/, /done=uncancel$/);
    expect(await stored()).toMatchObject({ status: 'active' });

    await press(page, /^Change plan of/, /\/change\?id=/);
    await checked(page, 'plans');
    await page.click('label.plan >> nth=1');
    await page.click('text=See what is charged');
    await page.waitForURL(/plan=/);
    expect(await page.innerText('dd.sum')).toBe('USD 20.00');
    await press(page, /^Choose another plan$/, /\/change\?id=[^&]+$/);
    await press(page, /^See what is charged$/, /plan=/);
    expect(await page.innerText('dd.sum')).toBe('USD 40.00');
    await checked(page, 'preview');
    await press(page, /^Confirm the change$/, /done=change$/);
    expect(await page.textContent('[role=status]')).toBe('The plan is changed.');
    expect(await page.locator('section:has(#invoices) li').count()).toBe(2);

    await press(page, /^Add a payment method$/, /\/sandbox\/pages\//);
    await press(page, /^Confirm$/, /done=added$/);
    await checked(page, 'added');
    await press(page, /^Remove Sandbox/);
    await press(page, /^Remove it$/, /done=detach$/);
    expect(await page.textContent('[role=status]')).toBe('The payment method is removed.');

    await page.goto(`${service}/portal/nothing`);
    await checked(page, 'unknown');
    expect(requests.filter((url) => !url.startsWith(service) && !url.startsWith('data:'))).toEqual(
      [],
    );
    await context.close();
  });

  test('runs under its policy, without a script', async ({ browser, service, session, tenant }) => {
    await aBusiness(session);
    const answer = await fetch(`${service}/api/v1/customers/ada/billing`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    const { billingPortalUrl } = (await answer.json()) as { billingPortalUrl: string };
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(billingPortalUrl);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe('rgb(246, 248, 247)');
    expect(await page.evaluate('document.querySelector("header img").naturalWidth')).toBe(200);
    await page.click('text=Add a payment method');
    await page.waitForURL(/\/sandbox\/pages\//);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
