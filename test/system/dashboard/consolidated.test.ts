import { expect } from 'vitest';
import { membersOf } from '#domain/invoicing/commands/consolidated-invoices/amounts.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { sessionOf, type World } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import {
  aConsolidatingCustomer,
  consolidates,
  documentsOf,
} from '../../support/records/consolidated.ts';
import { expectAccessible, ready, test } from '../../support/screen/dashboard.ts';

/** A document of a customer of the demo that pays with a token. */
async function aDocument(world: World, token: string, terms: object = {}) {
  const session = sessionOf(world);
  const { timeline } = await aConsolidatingCustomer(session, token, [
    { unitPrice: 1_000, name: 'Desks', ...terms },
    { unitPrice: 234, name: 'Lockers', ...terms },
  ]);
  await timeline.toDay(31);
  const [document] = await documentsOf(timeline);
  if (!document) throw new Error('There is no document');
  return { timeline, document, members: await membersOf(timeline.fresh(), document) };
}

const sent = { collectionMethod: 'send_invoice', daysUntilDue: 10 };

inBrowser('The page of a consolidated invoice', () => {
  test('has its invoices, their sums, its PDF, and the one charge that paid them', async ({
    open,
    demo: { world },
  }) => {
    const { document, members } = await aDocument(world, 'sandbox_success');
    const { page, problems } = await open(`/invoices/consolidated/${document.id}`);
    await ready(page);
    await page.locator('h1').getByText('Paid').waitFor();
    await page.getByText('$12.34').first().waitFor();
    const table = page.getByRole('table', { name: 'Invoices of the document' });
    for (const [place, name] of ['Desks', 'Lockers'].entries()) {
      const row = table.getByRole('row').filter({ hasText: members[place]?.invoiceNumber ?? '' });
      await row.getByText(name).filter({ visible: true }).first().waitFor();
    }
    await page.getByText('one charge for 2 invoices').waitFor();
    await expectAccessible(page, 'consolidated invoice');
    await page.setViewportSize({ width: 1_280, height: 900 });
    const pdf = await page.getByRole('link', { name: 'PDF' }).getAttribute('href');
    const answer = await page.request.get(pdf ?? '');
    expect(answer.headers()['content-disposition']).toContain(document.invoiceNumber);
    const payment = page.getByRole('region', { name: 'Payments and attempts' });
    await payment.getByRole('link', { name: '$12.34' }).click();
    await page.getByText('Charge for several invoices').waitFor();
    await page.goto(new URL(`/invoices/${members[1]?.id}`, page.url()).href);
    await page.getByRole('link', { name: document.invoiceNumber, exact: true }).click();
    await page
      .getByRole('heading', { level: 1 })
      .getByText(/^Consolidated invoice/)
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('follows its invoices: a part that is paid elsewhere, and the charge for the rest', async ({
    open,
    demo: { world },
  }) => {
    const { timeline, document, members } = await aDocument(world, 'sandbox_success', sent);
    const { page } = await open(`/invoices/consolidated/${document.id}`);
    const { page: second } = await open(`/invoices/consolidated/${document.id}`);
    await ready(page);
    await ready(second);
    const title = second.locator('h1');
    await title.getByText('Open').waitFor();
    await payInvoice(timeline.fresh(), { id: members[1]?.id ?? '' });
    await second.getByText(`for ${members[1]?.invoiceNumber}`).waitFor();
    await title.getByText('Open').waitFor();
    await page.getByRole('button', { name: 'Charge' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Invoice paid').first().waitFor();
    expect(await dialog.getByRole('checkbox').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Charge' }).click();
    await title.getByText('Paid').waitFor();
    await timeline.toDay(60);
  });

  test('is foreseen on the page of its customer, with each subscription that is not in it', async ({
    open,
    demo: { world },
  }) => {
    const { timeline } = await aDocument(world, 'sandbox_success');
    await timeline.toDay(40);
    await timeline.subscribes({ unitPrice: 70, name: 'Mid month' });
    const { page, problems } = await open(`/customers/${timeline.customer.id}`);
    await ready(page);
    const section = page.getByRole('region', { name: 'Next document' });
    const table = section.getByRole('table', { name: 'Invoices of the next document' });
    await table.getByRole('row', { name: 'Desks $10.00' }).waitFor();
    await table.getByRole('row', { name: 'Due $12.34' }).waitFor();
    const others = section.getByRole('table', { name: /^Subscriptions that are not/ });
    const other = others.getByRole('row').filter({ hasText: 'Mid month' });
    await other.getByText('It is billed at another instant.').waitFor();
    await timeline.subscribes({ unitPrice: 100, name: 'Other', doNotCharge: true });
    await others.getByText('It is never charged.').waitFor();
    await expectAccessible(page, 'customer with a next document');
    expect(problems).toEqual([]);
    await consolidates(timeline, false);
    await section.waitFor({ state: 'detached' });
  });

  test('does not repeat its customer in the narrow list of that customer', async ({
    open,
    demo: { world },
  }) => {
    const { timeline, document } = await aDocument(world, 'sandbox_success');
    const { page } = await open(`/customers/${timeline.customer.id}?tab=consolidated`);
    await ready(page);
    await page.setViewportSize({ width: 360, height: 900 });
    const row = page.getByRole('row').filter({ hasText: document.invoiceNumber });
    await row.waitFor();
    expect(await row.innerText()).not.toContain(timeline.customer.name);
  });

  test('is listed beside the invoices and on the page of its customer, new ones by themselves', async ({
    open,
    demo: { world },
  }) => {
    const terms = { ...sent, daysUntilDue: 25 };
    const { timeline, document } = await aDocument(world, 'sandbox_success', terms);
    const { page: all } = await open('/invoices?tab=consolidated');
    const { page: own } = await open(`/customers/${document.customerId}?tab=consolidated`);
    await ready(all);
    await ready(own);
    await timeline.toDay(62);
    const documents = await documentsOf(timeline);
    expect(documents).toHaveLength(2);
    for (const page of [all, own]) {
      for (const { invoiceNumber } of documents) {
        await page.getByRole('link', { name: invoiceNumber, exact: true }).waitFor();
      }
      expect(await page.locator('[role="alert"]').allInnerTexts()).toEqual([]);
      await expectAccessible(page, page.url());
    }
    await all.getByLabel('Search by number').fill('nothing-like-it');
    await all.getByText('No consolidated invoices').waitFor();
    await all.getByLabel('Search by number').fill(document.invoiceNumber);
    const rows = all.getByRole('table', { name: 'Consolidated invoices' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('link').click();
    await all.locator('h1').getByText('Overdue').waitFor();
  });
});
