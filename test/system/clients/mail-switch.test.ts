import axe from 'axe-core';
import { expect } from 'vitest';
import { Customer } from '#domain/model/platform/customer.ts';
import { mailSwitchLink } from '#domain/platform/access/mail-switch-link.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { inBrowser, openBrowser } from '../../support/browser.ts';
import { aCustomer, fresh } from '../../support/factories.ts';
import { aPng } from '../../support/screen/pictures.ts';
import { test as base } from './service.ts';

const views = [
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 1_280, colorScheme: 'light' },
  { width: 1_280, colorScheme: 'dark' },
] as const;

const test = base.extend('page', async ({}, { onCleanup }) => {
  const browser = await openBrowser();
  onCleanup(() => browser.close());
  // The page itself runs no script: the check does, as a tool of the browser.
  const context = await browser.newContext({ bypassCSP: true });
  return context.newPage();
});

inBrowser('in a browser, the page that switches mails', () => {
  test('is used with the keyboard alone, in light and dark, at 360 and 1280 pixels', async ({
    page,
    session,
    url,
  }) => {
    const { id: customerId, externalId } = await aCustomer(session);
    const organization = { name: 'Møller & Söhne Werkzeugbau GmbH', logo: aPng(200, 60) };
    await updateOrganization(fresh(session), { organization } as never);
    await updateCustomer(fresh(session), { externalId, customer: { language: 'de' } });
    const address =
      url.replace(/\/$/, '') + mailSwitchLink({ customerId, kind: 'alert', epoch: 0 });
    const offOf = async () =>
      (await fresh(session).em.findOneOrFail(Customer, customerId)).mailsOff;

    await page.goto(address);
    expect(await page.textContent('[role=status]')).toBe('Sie erhalten diese Mails.');
    await checked('on');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Diese Mails sind abbestellt').waitFor();
    expect([page.url(), await offOf()]).toEqual([address, ['alert']]);
    await checked('off');
    await page.reload();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Sie erhalten diese Mails.').waitFor();
    expect(await offOf()).toEqual([]);
    await page.goto(`${address}x`);
    expect(await page.getByRole('button').count()).toBe(0);
    await checked('closed');

    /** A page has no serious finding, and nothing that is wider than the screen. */
    async function checked(name: string) {
      for (const { width, colorScheme } of views) {
        await page.setViewportSize({ width, height: 700 });
        await page.emulateMedia({ colorScheme });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide, `${name} at ${width} px`).toBeLessThanOrEqual(width);
        await page.evaluate(axe.source);
        const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
        const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
        expect(found, `${name} at ${width} px, ${colorScheme}`).toEqual([]);
      }
    }
  });
});
