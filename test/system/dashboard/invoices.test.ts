import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createInvoice } from '#domain/invoicing/commands/invoices/create-invoice.ts';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { openSession } from '#domain/kernel/session.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { sessionOf, type World } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { choose, expectAccessible, ready, test } from '../../support/screen/dashboard.ts';

const status = (page: Page, name: string) => page.locator('h1').getByText(name).waitFor();

/** A customer who gets invoices instead of charges. */
async function customerOf(world: World, name: string) {
  const externalId = name.toLowerCase().replaceAll(' ', '-');
  const { customer } = await createCustomer(sessionOf(world), {
    customer: {
      name,
      externalId,
      email: `${externalId}@example.com`,
      collectionMethod: 'send_invoice',
    },
  });
  return customer;
}

async function openInvoiceOf(
  world: World,
  customerId: string,
  currency: string,
  price: number,
  description = 'Desk',
) {
  const draft = await createInvoice(sessionOf(world), {
    invoice: { customerId, currency },
    invoiceLineItems: [{ description, quantity: 1, price }],
  });
  return finalizeInvoice(sessionOf(world), { id: draft.id });
}

inBrowser('The pages of invoices', () => {
  test('write a draft, finalize it, and record its payment in parts, seen in a second window', async ({
    open,
    demo,
  }) => {
    await customerOf(demo.world, 'Draft Person');
    const { page } = await open('/invoices');
    await ready(page);
    await page.getByRole('button', { name: 'New invoice' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Customer').first().fill('Draft Per');
    await page.getByRole('option', { name: 'Draft Person' }).click();
    await form.getByLabel('Description').fill('Three desks');
    await form.getByLabel('Quantity').fill('3');
    await form.getByLabel('Unit price').fill('199.99');
    await form.getByText('$599.97').first().waitFor();
    await form.getByRole('button', { name: 'Create the draft' }).click();
    await status(page, 'Draft');
    const { page: second } = await open(new URL(page.url()).pathname);
    await ready(second);
    await page.getByRole('button', { name: 'Finalize' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Finalize' }).click();
    await status(second, 'Open');
    for (const [amount, after] of [
      ['99.97', 'Open'],
      ['500.00', 'Paid'],
    ] as const) {
      const dialog = await choose(page, 'Record a payment');
      await dialog.getByLabel('Amount').fill(amount);
      await dialog.getByText('Remittance received').waitFor();
      await dialog.getByRole('button', { name: 'Record', exact: true }).click();
      await second.getByRole('link', { name: `$${amount}` }).waitFor();
      await status(second, after);
    }
  });

  test('charge, credit, write off and void what is open, each after its preview', async ({
    open,
    demo: { world },
  }) => {
    const { id: customerId } = await customerOf(world, 'Open Person');
    const paymentMethod = { customerId, type: 'card', token: 'sandbox_success' } as const;
    await createPaymentMethod(sessionOf(world), { paymentMethod });
    const [charged, written, voided] = [
      await openInvoiceOf(world, customerId, 'USD', 5_000),
      await openInvoiceOf(world, customerId, 'USD', 6_000),
      await openInvoiceOf(world, customerId, 'USD', 7_000),
    ];
    const { page } = await open(`/invoices/${charged.id}`);
    const { page: second } = await open(`/invoices/${charged.id}`);
    await ready(page);
    await ready(second);
    await page.getByRole('button', { name: 'Charge' }).click();
    await page.getByRole('dialog').getByText('Invoice paid').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Charge' }).click();
    await status(second, 'Paid');
    const credit = await choose(page, 'Create a credit note');
    await credit.getByText('An amount').click();
    await credit.getByLabel('Amount with tax').fill('12.34');
    await credit.getByText('Refund created').waitFor();
    await credit.getByRole('button', { name: 'Create' }).click();
    await status(second, 'Partially refunded');
    await second.getByText(/-CN-00000$/).click();
    await status(second, 'Settled');

    await page.goto(new URL(`/invoices/${written.id}`, page.url()).href);
    await ready(page);
    const off = await choose(page, 'Mark as uncollectible');
    await off.getByText('Credit note created').waitFor();
    await off.getByRole('button', { name: 'Mark as uncollectible' }).click();
    await status(page, 'Uncollectible');

    await page.goto(new URL(`/invoices/${voided.id}`, page.url()).href);
    await ready(page);
    const dialog = await choose(page, 'Void');
    await dialog.getByRole('button', { name: 'Void' }).click();
    await status(page, 'Void');
  });

  test('derive a line of usage from its events, by sentences and sums', async ({ open, demo }) => {
    const { em } = openSession(demo.world.em, { ...demo.world.scope, now: new Date() });
    const line = await em.findOneOrFail(InvoiceLineItem, { type: 'usage' });
    const { page } = await open(`/invoices/${line.invoiceId}?tab=explanation`);
    await page.getByText('Verified now').waitFor();
    await page.getByText(/usage events behind it were compared/).waitFor();
    const usage = page.getByRole('table', { name: 'Usage by billing period' }).first();
    await usage.getByText('Unchanged').first().waitFor();
    await page.getByRole('table', { name: 'From the lines to what is due' }).waitFor();
    await usage.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
  });

  test('show each currency with its places, and no amount or name breaks a telephone', async ({
    open,
    demo: { world },
  }) => {
    for (const [name, currency, price, shown] of [
      ['شركة الكويت للتجارة والمقاولات العامة', 'KWD', 123_456, /123\.456$/],
      [
        'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk',
        'EUR',
        99_999_999_999,
        '€999,999,999.99',
      ],
      ['<img src=x onerror=alert(1)>', 'JPY', 1_200_833, '¥1,200,833'],
    ] as const) {
      const { customer } = await createCustomer(sessionOf(world), {
        customer: {
          name,
          externalId: currency,
          email: 'a@example.com',
          collectionMethod: 'send_invoice',
        },
      });
      const { id } = await openInvoiceOf(world, customer.id, currency, price, name.repeat(4));
      const { page, problems } = await open(`/invoices/${id}`);
      await page.getByText(shown).first().waitFor();
      await expectAccessible(page, currency);
      expect(problems).toEqual([]);
    }
  });
});
