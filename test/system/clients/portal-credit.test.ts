import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { inBrowser } from '../../support/browser.ts';
import { aCustomer, aPaymentMethod, fresh } from '../../support/factories.ts';
import { creditsOf } from '../../support/prepaid.ts';
import { aPng } from '../../support/screen/pictures.ts';
import { checked, linkOf, press, test } from './portal-browser.ts';

const limits = { minimum: 500, maximum: 1_250_000, validDays: 365 };

/** The customer `ada` of a seller that sells credit. */
async function aBuyer(session: Session) {
  const organization = {
    ...{
      name: 'Møller & Söhne Werkzeugbau GmbH',
      logo: aPng(200, 60),
      customersMayBuyCredit: true,
    },
    bankAccount: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    prepaidOffers: [{ currency: 'USD', amounts: [2_000, 5_000, 10_000], ...limits }],
  };
  await updateOrganization(fresh(session), { organization } as never);
  return aCustomer(session, { externalId: 'ada' });
}

inBrowser('in a browser, the purchase of prepaid credit', () => {
  test('is made with the keyboard alone, and states a refused amount at its field', async ({
    browser,
    service,
    session,
    tenant,
  }) => {
    const { id } = await aBuyer(session);
    await aPaymentMethod(session, id, { default: true });
    await aPaymentMethod(session, id, { token: 'sandbox_decline_insufficient_funds' });
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();
    await page.goto(await linkOf(service, tenant.key, 'billingPortalUrl'));
    await checked(page, 'home');
    await press(page, /^Buy prepaid credit$/, /\/buy$/);
    const own = page.getByLabel('Amount in USD');
    expect(await own.isVisible()).toBe(false);
    await checked(page, 'amounts');
    await page.getByLabel('$20.00').focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown');
    expect(await own.isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.type('4.99');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.innerText('[role=alert]')).toContain('from $5.00 to $12,500.00');
    expect(await page.evaluate('document.activeElement?.id')).toBe('own');
    await checked(page, 'a refused amount');
    await own.fill('1,234.5');
    await page.keyboard.press('Enter');
    await page.waitForURL(/own=1/);
    expect(await page.innerText('dd.sum')).toBe('$1,234.50');
    await checked(page, 'the charge');
    await page.getByRole('radio').last().check();
    await press(page, /^Buy for/);
    await page.getByRole('alert').waitFor();
    expect(await page.innerText('[role=alert]')).toContain('The payment failed');
    await checked(page, 'a failed payment');
    await page.getByRole('radio').first().check();
    await press(page, /^Buy for/, /done=bought$/);
    expect(await page.textContent('[role=status]')).toBe('The credit is bought.');
    expect(await creditsOf(session, id)).toEqual([
      'purchase 123450: void',
      'purchase 123450: 123450 left',
    ]);
    await page.context().close();
  });

  test('leads to a transfer without a script, and a second click changes nothing', async ({
    browser,
    service,
    session,
    tenant,
  }) => {
    const { id, externalId } = await aBuyer(session);
    const customer = { collectionMethod: 'send_invoice' } as const;
    await updateCustomer(fresh(session), { externalId, customer });
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(await linkOf(service, tenant.key, 'billingPortalUrl(locale: "de")'));
    await page.click('text=Prepaid-Guthaben kaufen');
    await page.click('label:has-text("50,00")');
    await page.click('button.main');
    await page.locator('button:has-text("Für 50,00 $ kaufen")').dblclick();
    await page.waitForURL(/done=ordered$/);
    expect(await page.innerText('h1')).toBe('Ihr Kauf ist noch nicht bezahlt');
    const account = page.getByRole('region', { name: 'Per Überweisung' });
    expect(await account.innerText()).toContain('DE89 3704 0044 0532 0130 00');
    expect(await creditsOf(session, id)).toEqual(['purchase 5000: pending']);
    await context.close();
    const scripted = await (await browser.newContext({ bypassCSP: true })).newPage();
    await scripted.goto(await linkOf(service, tenant.key, 'billingPortalUrl'));
    await checked(scripted, 'home with an unpaid purchase');
    await press(scripted, /^How to pay$/, /\/buy$/);
    await checked(scripted, 'an unpaid purchase');
    await scripted.context().close();
  });
});
