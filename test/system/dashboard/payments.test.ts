import { createInvoice } from '#domain/invoicing/commands/invoices/create-invoice.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { createPaymentMethod } from '#domain/money/commands/payment-methods/create-payment-method.ts';
import { createCustomer } from '#domain/platform/commands/customers/create-customer.ts';
import { sessionOf } from '../../../src/tools/demo/world.ts';
import { inBrowser } from '../../support/browser.ts';
import { expectAccessible, ready, test } from '../../support/screen/dashboard.ts';

const withInvoice = test.extend('invoice', async ({ demo: { world } }) => {
  const externalId = `payer-${Math.trunc(performance.now())}`;
  const { customer } = await createCustomer(sessionOf(world), {
    customer: { name: externalId, externalId, email: 'payer@example.com' },
  });
  const draft = await createInvoice(sessionOf(world), {
    invoice: { customerId: customer.id, currency: 'EUR' },
    invoiceLineItems: [{ description: 'Rent', quantity: 1, price: 120_000 }],
  });
  await finalizeInvoice(sessionOf(world), { id: draft.id });
  return { id: draft.id, customer };
});

inBrowser('The pages of payments', () => {
  withInvoice(
    'expect a transfer, receive it, and reverse it, each seen in a second window',
    async ({ open, invoice }) => {
      const { page } = await open('/payments?tab=remittances');
      const { page: second } = await open(`/invoices/${invoice.id}`);
      await ready(page);
      await ready(second);
      await page.getByRole('button', { name: 'By hand' }).click();
      await page.getByRole('menuitem', { name: 'Expect a payment' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Customer').first().fill(invoice.customer.name);
      await page.getByRole('option', { name: invoice.customer.name }).click();
      await form.getByLabel('Amount').fill('1200.00');
      await form.getByLabel('Reference').fill('Transfer 4711');
      await form.getByText('Payment by hand').waitFor();
      await form.getByRole('button', { name: 'Expect', exact: true }).click();
      const row = page.getByRole('row').filter({ hasText: 'Transfer 4711' });
      await row.getByText('Expected').waitFor();
      await row.getByRole('button', { name: 'Receive' }).click();
      await page.getByRole('dialog').getByText('Invoice paid').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Receive' }).click();
      await second.locator('h1').getByText('Paid').waitFor();
      await row.getByRole('link').first().click();
      await page.getByRole('button', { name: 'Reverse' }).click();
      const reverse = page.getByRole('dialog');
      await reverse.getByLabel('Reason').fill('The transfer was recalled');
      await reverse.getByRole('button', { name: 'Reverse' }).click();
      await second.locator('h1').getByText('Open').waitFor();
      await page.locator('h1').getByText('Reversed').waitFor();
    },
  );

  withInvoice(
    'state why a charge failed and what follows, and charge again with another method',
    async ({ open, invoice: { id, customer }, demo: { world } }) => {
      const method = (token: string, isDefault: boolean) =>
        createPaymentMethod(sessionOf(world), {
          paymentMethod: { customerId: customer.id, type: 'card', token, default: isDefault },
        });
      await method('sandbox_decline_insufficient_funds', true);
      await payInvoice(sessionOf(world), { id });
      await method('sandbox_success', false);
      const { page } = await open('/payments?tab=failing');
      await ready(page);
      const attempts = page.getByRole('region', { name: 'Attempts that failed' });
      await attempts.getByRole('link', { name: '€1,200.00' }).first().click();
      await page.getByRole('alert').getByText('The same payment method may succeed').waitFor();
      await page.getByRole('button', { name: 'Charge again' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Payment method').first().click();
      await page.getByRole('option').last().click();
      await dialog.getByText('Invoice paid').waitFor();
      await dialog.getByRole('button', { name: 'Charge', exact: true }).click();
      await page
        .getByRole('table', { name: 'Payments of the invoice' })
        .getByText('Succeeded')
        .waitFor();
    },
  );

  withInvoice(
    'charge the open invoices of a customer with one charge, less those that are not chosen',
    async ({ open, invoice: { id, customer }, demo: { world } }) => {
      const numbers: string[] = [];
      for (const price of [80_000, 500]) {
        const draft = await createInvoice(sessionOf(world), {
          invoice: { customerId: customer.id, currency: 'EUR' },
          invoiceLineItems: [{ description: 'Rent', quantity: 1, price }],
        });
        await finalizeInvoice(sessionOf(world), { id: draft.id });
        numbers.push(draft.invoiceNumber);
      }
      await createPaymentMethod(sessionOf(world), {
        paymentMethod: { customerId: customer.id, type: 'card', token: 'sandbox_success' },
      });
      const { page: second } = await open(`/invoices/${id}`);
      const { page } = await open(`/customers/${customer.id}`);
      await ready(page);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Charge open invoices' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('€2,005.00').waitFor();
      await dialog.getByLabel(numbers[1] ?? '').click();
      await dialog.getByText('€2,000.00').first().waitFor();
      await dialog.getByText('Invoice paid').first().waitFor();
      await dialog.getByRole('button', { name: 'Charge', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
      await second.locator('h1').getByText('Paid').waitFor();
      const { em } = sessionOf(world);
      const { page: third } = await open(
        `/payments/${(await em.findOneOrFail(Payment, { invoice: id })).id}`,
      );
      await third.getByText('Charge for several invoices').waitFor();
      await third.getByText('€2,000.00').first().waitFor();
    },
  );

  test.for(['remittances', 'refunds', 'disputes'])(
    'of the tab %s are accessible, and fit a telephone',
    async (tab, { open }) => {
      const { page } = await open(`/payments?tab=${tab}`);
      await ready(page);
      await expectAccessible(page, tab);
    },
  );
});
