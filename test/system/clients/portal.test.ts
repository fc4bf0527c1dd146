import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { inBrowser } from '../../support/browser.ts';
import {
  aCustomer,
  aPaymentMethod,
  aProduct,
  aSubscription,
  aUsageMeter,
  fresh,
} from '../../support/factories.ts';
import { aPng } from '../../support/screen/pictures.ts';
import { use } from '../../support/usage.ts';
import { checked, linkOf, press, test } from './portal-browser.ts';

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

/** Pages of other sites, each with a frame. */
async function aHost(frameUrl: () => string) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>App</title><iframe src="${frameUrl()}" width=800 height=900></iframe>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (name: string) => `http://${name}.localhost:${port}`;
}

inBrowser('in a browser, the portal', () => {
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
    expect(await page.innerText('dd.sum')).toBe('$20.00');
    await press(page, /^Choose another plan$/, /\/change\?id=[^&]+$/);
    await page.focus('label.plan >> nth=0 >> input');
    await page.keyboard.press('Space');
    await press(page, /^See what is charged$/, /plan=/);
    expect(await page.innerText('dd.sum')).toBe('$40.00');
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

  test('pauses and resumes a subscription, where the organization lets its customers', async ({
    browser,
    service,
    session,
    tenant,
  }) => {
    const { subscription } = await aBusiness(session);
    const stored = async () => fresh(session).em.findOneOrFail(Subscription, subscription.id);
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(await linkOf(service, tenant.key, 'billingPortalUrl'));
    expect(await page.locator('summary:has-text("Pause")').count()).toBe(0);
    await updateOrganization(fresh(session), { organization: { customersMayPause: true } });
    await page.reload();

    await press(page, /^Pause Small/);
    await checked(page, 'pause');
    await press(page, /^Pause the subscription$/, /done=pause$/);
    expect(await page.textContent('[role=status]')).toContain('pauses with its present period');
    const { pauseScheduledAt, currentBillingPeriodEnd } = await stored();
    expect(pauseScheduledAt).toEqual(currentBillingPeriodEnd);
    await checked(page, 'a scheduled pause');
    await press(page, /^Do not pause$/, /done=resume$/);
    expect(await stored()).toMatchObject({ status: 'active', pauseScheduledAt: null });

    const pause = { timing: 'immediately' } as const;
    await pauseSubscription(fresh(session), { id: subscription.id, pause });
    await page.reload();
    await checked(page, 'a paused subscription');
    await press(page, /^Resume$/, /done=resume$/);
    expect(await page.textContent('[role=status]')).toBe('The subscription continues.');
    expect(await stored()).toMatchObject({ status: 'active' });
    await context.close();
  });

  test('names the trial of an item with its end and the price afterwards', async ({
    browser,
    service,
    session,
    tenant,
  }) => {
    const { subscription } = await aBusiness(session);
    const product = await aProduct(session, { name: 'Reports', price: { unitPrice: 700 } });
    const [price] = await product.prices.loadItems();
    const own = { subscription: subscription.id };
    const { id: present } = await fresh(session).em.findOneOrFail(SubscriptionItem, own);
    await adjustSubscription(fresh(session), {
      id: subscription.id,
      adjustment: {
        timing: 'immediately',
        newSubscriptionItems: [
          { id: present },
          { priceId: price?.id ?? '', quantity: 2, trialEnd: new Date('2100-01-15T10:00:00Z') },
        ],
      },
    });
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(await linkOf(service, tenant.key, 'billingPortalUrl'));
    const card = page.locator('section:has(#subscriptions) li');
    expect(await card.innerText()).toContain(
      'Reports is free until January 15, 2100, then $14.00 every month',
    );
    await checked(page, 'the trial of an item');
    await page.goto(await linkOf(service, tenant.key, 'billingPortalUrl(locale: "de")'));
    expect(await card.innerText()).toContain(
      'Reports ist bis 15. Januar 2100 kostenlos, danach 14,00 $ pro Monat',
    );
    await context.close();
  });

  test('runs under its policy', async ({ browser, service, session, tenant }) => {
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

  test('shows a change of usage and of payment methods without being loaded again, and keeps what the customer has opened', async ({
    browser,
    service,
    session,
    tenant,
  }) => {
    const { customer, subscription } = await aBusiness(session);
    const meter = await aUsageMeter(session, { name: 'API calls' });
    const user = { id: subscription.id, slug: meter.slug };
    await use(session, user, 3);
    const page = await (await browser.newContext()).newPage();
    await page.goto(await linkOf(service, tenant.key, 'billingPortalUrl'));
    const used = () => page.locator('section:has(#usage) li').allInnerTexts();
    expect(await used()).toEqual(['API calls\n3 used']);
    await page.evaluate('window.loaded = "once"');
    await page.click('text=Cancel');
    await use(session, user, 1_234.5);
    await expect.poll(used).toEqual(['API calls\n1,237.5 used']);
    expect(await page.isVisible('text=Cancel the subscription')).toBe(true);

    await aPaymentMethod(session, customer.id, { default: true });
    await expect.poll(() => page.locator('section:has(#methods) li').count()).toBe(2);
    expect(await page.evaluate('window.loaded')).toBe('once');
    await page.context().close();
  });

  test('is complete without its script', async ({ browser, service, session, tenant }) => {
    await aBusiness(session);
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto(await linkOf(service, tenant.key, 'billingPortalUrl'));
    await page.click('text=Change plan');
    await page.click('label.plan >> nth=0');
    await page.click('text=See what is charged');
    await page.click('button:has-text("Confirm the change")');
    expect(await page.innerText('[role=status]')).toBe('The plan is changed.');
    await page.context().close();
  });

  test('works in a frame of a page of an allowed origin, without cookies, and of no other', async ({
    browser,
    service,
    session,
    tenant,
  }) => {
    await aBusiness(session);
    let frameUrl = '';
    const origin = await aHost(() => frameUrl);
    const field = `embeddedPortalUrl(locale: "de", origins: ["${origin('app')}"])`;
    frameUrl = await linkOf(service, tenant.key, field);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(origin('app'));
    const frame = page.frameLocator('iframe');
    await frame.locator('h1:has-text("Abrechnung")').waitFor();
    expect(await frame.locator('html').getAttribute('lang')).toBe('de');
    await frame.locator('summary:has-text("Kündigen")').click();
    await frame.locator('button:has-text("Abonnement kündigen")').click();
    await frame.locator('text=Das Abonnement endet mit dem jetzigen Zeitraum.').waitFor();
    expect(await context.cookies()).toEqual([]);

    // The page of the processor opens in a tab of its own; the frame shows the result by itself.
    await frame.locator('button:has-text("Zahlungsmittel hinzufügen")').click();
    const opened = context.waitForEvent('page');
    await frame.locator('a:has-text("Weiter")').click();
    const tab = await opened;
    await tab.waitForURL(/\/sandbox\/pages\//);
    await frame.locator('a:has-text("Zurück")').click();
    await frame.locator('section:has(#methods) li').first().waitFor();
    await tab.click('button:has-text("Confirm")');
    await tab.waitForURL(/done=added$/);
    expect(new URL(tab.url()).pathname).toBe('/portal');
    await expect.poll(() => frame.locator('section:has(#methods) li').count()).toBe(2);

    for (const name of ['other', 'app.evil']) {
      await page.goto(origin(name));
      const refused = page.frames()[1];
      await expect.poll(() => refused?.url()).toMatch(/^chrome-error:/);
      expect(await page.frameLocator('iframe').locator('text=Abrechnung').count()).toBe(0);
    }
    await context.close();
  });

  test('opens in a frame with a customer token, and offers what its scopes allow', async ({
    browser,
    service,
    session,
    tenant,
  }) => {
    const { customer } = await aBusiness(session);
    let frameUrl = '';
    const origin = await aHost(() => frameUrl);
    const page = await (await browser.newContext()).newPage();
    const frame = page.frameLocator('iframe');
    const show = async (scopes: ('read' | 'subscriptions_write')[], allowedOrigins?: string[]) => {
      const input = { customer: customer.id, scopes, allowedOrigins };
      const { token } = await createCustomerToken(fresh(session), input);
      frameUrl = `${service}/portal/in/${token}`;
      await page.goto(origin('app'));
    };
    await show(['read'], [origin('app')]);
    await frame.locator('h1:has-text("Billing")').waitFor();
    expect(await frame.locator('button').count()).toBe(0);
    await show(['subscriptions_write'], [origin('app')]);
    await frame.locator('summary:has-text("Cancel")').waitFor();
    expect(await frame.locator('text=Add a payment method').count()).toBe(0);
    // A token of an organization that names no origins is for no frame.
    await show(['subscriptions_write']);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    expect(tenant.key).not.toBe('');
    await page.context().close();
  });

  test('is read in the language of the link, else of the browser, and changes it', async ({
    browser,
    service,
    session,
    tenant,
  }) => {
    await aBusiness(session);
    const link = await linkOf(service, tenant.key, 'billingPortalUrl');
    const opened = async (locale: string, url: string) => {
      const page = await (await browser.newContext({ locale, bypassCSP: true })).newPage();
      await page.goto(url);
      return page;
    };
    const german = await opened('de-AT', link);
    expect(await german.getAttribute('html', 'lang')).toBe('de-AT');
    expect(await german.innerText('section:has(#subscriptions) li >> nth=0')).toContain(
      'pro Monat',
    );
    expect(await german.innerText('section:has(#invoices) li >> nth=0')).toMatch(/10,00/);
    await checked(german, 'German');
    await german.click('footer a:has-text("English")');
    expect(await german.innerText('h1')).toBe('Billing');
    await german.click('text=Change plan');
    expect(await german.innerText('h1')).toBe('Change plan');
    await german.context().close();

    const wished = await opened('fr', `${link}?locale=de`);
    expect(await wished.innerText('h1')).toBe('Abrechnung');
    await wished.context().close();
    const french = await opened('fr', link);
    expect(await french.innerText('h1')).toBe('Billing');
    await french.context().close();
  });
});
