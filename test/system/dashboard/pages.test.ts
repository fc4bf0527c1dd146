import { expect } from 'vitest';
import { openSession } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { inBrowser } from '../../support/browser.ts';
import { expectAccessible, ready, test } from '../../support/screen/dashboard.ts';

inBrowser('A page of the dashboard', () => {
  const lists = [
    '/',
    '/customers',
    '/subscriptions',
    '/invoices',
    '/invoices?tab=credit-notes',
    '/payments',
    '/payments?tab=failing',
    '/payments?tab=refunds',
    '/usage?by=region',
    '/catalog',
    '/events',
    '/webhooks',
    '/test-clocks',
    '/settings',
    '/settings/taxes',
    '/settings/keys',
    '/settings/processors',
    '/settings/mail',
    '/settings/jobs',
  ];

  test.for(lists)('%s is complete, accessible, and fits a telephone', async (path, { open }) => {
    const { page, problems } = await open(path);
    await ready(page);
    expect(await page.locator('[role="alert"]').allInnerTexts()).toEqual([]);
    await expectAccessible(page, path);
    expect(problems).toEqual([]);
  });

  test('of each kind of record is complete, accessible, and fits a telephone', async ({
    open,
    demo,
  }) => {
    const { em } = openSession(demo.world.em, { ...demo.world.scope, now: new Date() });
    const invoice = await em.findOneOrFail(Invoice, {
      status: 'paid',
      subscription: { $ne: null },
    });
    const payment = await em.findOneOrFail(Payment, { status: 'succeeded' });
    const paths = [
      `/customers/${invoice.customerId}`,
      `/subscriptions/${invoice.subscription?.id}`,
      `/invoices/${invoice.id}`,
      `/invoices/${invoice.id}?tab=explanation`,
      `/payments/${payment.id}`,
      `/test-clocks/${demo.world.clockId}`,
    ];
    for (const path of paths) {
      const { page, problems } = await open(path);
      await ready(page);
      expect(await page.locator('main h1').innerText()).not.toBe('');
      await expectAccessible(page, path);
      expect(problems, path).toEqual([]);
      await page.close();
    }
  });

  test('that does not exist says so, and leads home', async ({ open }) => {
    const { page } = await open('/customers/cust_unknown');
    await page.getByText('There is no such customer').waitFor();
    await page.getByRole('link', { name: 'Home' }).last().click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });

  test('shows its operations as calls of the API', async ({ open }) => {
    const { page } = await open('/customers?search=a');
    await ready(page);
    await page.getByRole('button', { name: 'Show as API' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('the GraphQL document', { exact: true }).waitFor();
    await drawer.getByRole('tab', { name: 'curl' }).click();
    const command = await drawer.getByLabel('the curl command', { exact: true }).innerText();
    expect(command).toContain('curl -s http://127.0.0.1');
    expect(command).toContain('"search":"a"');
  });
});
