import { BadRequestError, NotFoundError } from '@flowglad/node';
import { describe, expect } from 'vitest';
import { errorOf, test } from '../sdk.ts';
import { aShop } from '../shop.ts';

describe('invoices', () => {
  test('are read and listed', async ({ client, session }) => {
    const { customer, subscription } = await aShop(client, session);
    const { data } = await client.invoices.list();
    expect(data).toMatchObject([
      { customerId: customer.id, subscriptionId: subscription.id, status: 'paid', subtotal: 1_000 },
    ]);
    const [listed] = data;
    const { invoice, invoiceLineItems } = await client.invoices.retrieve(`${listed?.id}`);
    expect(invoice).toEqual(listed);
    expect(invoiceLineItems).toMatchObject([{ invoiceId: invoice.id, price: 1_000, quantity: 1 }]);
    expect(await errorOf(client.invoices.retrieve('inv_none'))).toBeInstanceOf(NotFoundError);
  });
});

describe('invoiceLineItems', () => {
  test('are read and listed', async ({ client, session }) => {
    await aShop(client, session);
    const { data, total } = await client.invoiceLineItems.list();
    expect({ total, data }).toMatchObject({ total: 1, data: [{ type: 'static', price: 1_000 }] });
    const read = await client.invoiceLineItems.retrieve(`${data[0]?.id}`);
    expect(read).toEqual(data[0]);
    const missing = await errorOf(client.invoiceLineItems.retrieve('inv_li_none'));
    expect(missing).toBeInstanceOf(NotFoundError);
  });
});

describe('payments', () => {
  test('are read, listed and refunded', async ({ client, session }) => {
    const { customer } = await aShop(client, session);
    const { data } = await client.payments.list();
    expect(data).toMatchObject([
      { customerId: customer.id, amount: 1_000, status: 'succeeded', refunded: false },
    ]);
    const id = `${data[0]?.id}`;
    expect((await client.payments.retrieve(id)).payment).toEqual(data[0]);
    const part = await client.payments.refund(id, { partialAmount: 400 });
    expect(part.payment).toMatchObject({ id, refundedAmount: 400 });
    const rest = await client.payments.refund(id, {});
    expect(rest.payment).toMatchObject({ id, refundedAmount: 1_000, status: 'refunded' });
    expect(await errorOf(client.payments.refund(id, {}))).toBeInstanceOf(BadRequestError);
    expect(await errorOf(client.payments.retrieve('pym_none'))).toBeInstanceOf(NotFoundError);
  });
});
