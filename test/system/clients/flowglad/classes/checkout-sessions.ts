import { BadRequestError, NotFoundError } from '@flowglad/node';
import { describe, expect } from 'vitest';
import { errorOf, serves, test } from '../sdk.ts';
import { aCatalog, aCustomer, aShop } from '../shop.ts';

const urls = { successUrl: 'https://example.com/paid', cancelUrl: 'https://example.com/cart' };

describe.skipIf(!serves('POST /checkout-sessions'))('checkoutSessions', () => {
  test('of a product are created, read and listed', async ({ client, session }) => {
    await aCatalog(client, session);
    const { customer } = await aCustomer(client, session);
    const { checkoutSession, url } = await client.checkoutSessions.create({
      checkoutSession: {
        ...{ type: 'product', customerExternalId: 'ada', priceSlug: 'pro-monthly', quantity: 2 },
        ...{ ...urls, outputMetadata: { order: 7 } },
      },
    });
    expect(url).toMatch(/^https?:\/\//);
    expect(checkoutSession).toMatchObject({
      ...{ type: 'product', status: 'open', customerId: customer.id, quantity: 2 },
      ...{ ...urls, outputMetadata: { order: 7 } },
    });
    const read = await client.checkoutSessions.retrieve(checkoutSession.id);
    expect(read.checkoutSession).toEqual(checkoutSession);
    const { data, total } = await client.checkoutSessions.list();
    expect({ total, ids: data.map(({ id }) => id) }).toEqual({
      total: 1,
      ids: [checkoutSession.id],
    });
  });

  test('take a payment method or activate a subscription', async ({ client, session }) => {
    const { subscription } = await aShop(client, session);
    const added = await client.checkoutSessions.create({
      checkoutSession: { type: 'add_payment_method', customerExternalId: 'ada', ...urls },
    });
    expect(added.checkoutSession).toMatchObject({ type: 'add_payment_method', status: 'open' });
    const activated = errorOf(
      client.checkoutSessions.create({
        checkoutSession: {
          ...{ type: 'activate_subscription', customerExternalId: 'ada' },
          ...{ targetSubscriptionId: subscription.id, ...urls },
        },
      }),
    );
    // The subscription is active already, so there is nothing to activate.
    expect(await activated).toSatisfy(
      (error) => error === undefined || error instanceof BadRequestError,
    );
  });

  test('that are missing or name no price are typed errors', async ({ client, session }) => {
    await aCustomer(client, session);
    const missing = await errorOf(client.checkoutSessions.retrieve('chckt_session_none'));
    expect(missing).toBeInstanceOf(NotFoundError);
    const refused = errorOf(
      client.checkoutSessions.create({
        checkoutSession: { type: 'product', customerExternalId: 'ada', ...urls },
      }),
    );
    expect(await refused).toBeInstanceOf(BadRequestError);
  });
});
