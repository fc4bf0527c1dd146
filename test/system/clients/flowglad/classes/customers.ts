import { AuthenticationError, BadRequestError, NotFoundError } from '@flowglad/node';
import { describe, expect } from 'vitest';
import { clientOf, errorOf, test } from '../sdk.ts';
import { aCustomer, aShop } from '../shop.ts';

describe('customers', () => {
  test('are created, read, changed and listed', async ({ client, session }) => {
    const { customer, subscription } = await aCustomer(client, session);
    expect(customer).toMatchObject({ externalId: 'ada', email: 'ada@example.com' });
    expect(subscription).toMatchObject({ customerId: customer.id, isFreePlan: true });
    const changed = await client.customers.update('ada', { customer: { name: 'Countess' } });
    expect(changed.customer).toMatchObject({ id: customer.id, name: 'Countess' });
    expect((await client.customers.retrieve('ada')).customer).toEqual(changed.customer);
    expect((await client.customers.list()).data).toEqual([changed.customer]);
  });

  test('have billing details', async ({ client, session }) => {
    const { customer, subscription, paymentMethod } = await aShop(client, session);
    const billing = await client.customers.retrieveBilling('ada');
    expect(billing.customer.id).toBe(customer.id);
    expect(billing.currentSubscription).toMatchObject({ id: subscription.id, status: 'active' });
    expect(billing.currentSubscriptions?.map(({ id }) => id)).toEqual([subscription.id]);
    expect(billing.subscriptions).toHaveLength(2);
    expect(billing.invoices).toMatchObject([
      { invoice: { status: 'paid' }, invoiceLineItems: [{ price: 1_000, quantity: 1 }] },
    ]);
    expect(billing.paymentMethods.map(({ id }) => id)).toEqual([paymentMethod.id]);
    expect(billing.pricingModel.products.map(({ slug }) => slug)).toContain('team');
    expect(billing.catalog).toEqual(billing.pricingModel);
  });

  test('that are missing, taken or without a key are typed errors', async ({
    client,
    session,
    url,
  }) => {
    const missing = await errorOf(client.customers.retrieve('nobody'));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    expect(await errorOf(client.customers.retrieveBilling('nobody'))).toBeInstanceOf(NotFoundError);
    await aCustomer(client, session);
    expect(await errorOf(aCustomer(client, session))).toBeInstanceOf(BadRequestError);
    const stranger = await errorOf(clientOf(url, 'sk_test_unknown').customers.list());
    expect(stranger).toBeInstanceOf(AuthenticationError);
    expect(stranger).toMatchObject({ status: 401, error: { code: 'UNAUTHORIZED', issues: [] } });
  });
});

describe('paymentMethods', () => {
  test('are read and listed', async ({ client, session }) => {
    const { paymentMethod, customer } = await aCustomer(client, session);
    const read = await client.paymentMethods.retrieve(paymentMethod.id);
    expect(read.paymentMethod).toMatchObject({
      ...{ id: paymentMethod.id, customerId: customer.id, default: true, type: 'card' },
      paymentMethodData: expect.objectContaining({ last4: expect.any(String) }),
    });
    const { data, total } = await client.paymentMethods.list();
    expect({ total, ids: data.map(({ id }) => id) }).toEqual({ total: 1, ids: [paymentMethod.id] });
    expect(await errorOf(client.paymentMethods.retrieve('pm_none'))).toBeInstanceOf(NotFoundError);
  });
});
