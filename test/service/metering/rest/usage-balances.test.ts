import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { allowSeveral, aSubscription, aUsageMeter, fresh } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';
import { grant, use } from '../../../support/usage.ts';

async function aUser(session: Session) {
  const [{ id, customerId }, { slug }] = [
    await aSubscription(session, { doNotCharge: true }),
    await aUsageMeter(session),
  ];
  const { externalId } = await fresh(session).em.findOneOrFail(Customer, customerId);
  return { user: { id, slug }, customerId, path: `/customers/${externalId}/usage-balances` };
}

describe('GET /customers/{externalId}/usage-balances', () => {
  test('200 with the meter’s own fields, what is available, and the subscription', async ({
    api,
    session,
  }) => {
    const { user, path } = await aUser(session);
    await grant(session, user, '10.5');
    await use(session, user, '0.25');
    const { status, body } = await api('GET', path);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        usageMeterBalances: [
          {
            id: expect.stringMatching(/^usage_meter_/),
            createdAt: expect.any(Number),
            updatedAt: expect.any(Number),
            livemode: false,
            organizationId: expect.stringMatching(/^org_/),
            pricingModelId: expect.stringMatching(/^pricing_model_/),
            name: 'API calls',
            slug: user.slug,
            aggregationType: 'sum',
            availableBalance: 10.25,
            subscriptionId: user.id,
          },
        ],
      },
    });
  });

  test('the billing of the customer shows the same', async ({ api, session }) => {
    const { user, path } = await aUser(session);
    await use(session, user, 4);
    const { usageMeterBalances } = (await api('GET', path)).body;
    const billing = (await api('GET', path.replace('usage-balances', 'billing'))).body;
    expect(usageMeterBalances).toMatchObject([{ availableBalance: -4 }]);
    expect(billing.currentSubscription.experimental.usageMeterBalances).toEqual(usageMeterBalances);
  });

  test('only meters that were used or have credits are in it, the oldest first', async ({
    api,
    session,
  }) => {
    const { user, path } = await aUser(session);
    expect((await api('GET', path)).body.usageMeterBalances).toEqual([]);
    const other = { ...user, slug: (await aUsageMeter(session)).slug };
    await grant(session, other, 5);
    await use(session, user, 1);
    const slugs = (await api('GET', path)).body.usageMeterBalances.map(
      ({ slug, availableBalance }: Record<string, unknown>) => [slug, availableBalance],
    );
    expect(slugs).toHaveLength(2);
    expect(slugs).toEqual(
      expect.arrayContaining([
        [other.slug, 5],
        [user.slug, -1],
      ]),
    );
  });

  test('of all current subscriptions, or of the one that is asked for', async ({
    api,
    session,
  }) => {
    await allowSeveral(session);
    const { user, customerId, path } = await aUser(session);
    const { id } = await aSubscription(session, { customerId, doNotCharge: true });
    await use(session, user, 1);
    await use(session, { ...user, id }, 2);
    const balances = async (query = '') =>
      (await api('GET', path + query)).body.usageMeterBalances
        .map(({ availableBalance }: { availableBalance: number }) => availableBalance)
        .sort();
    expect(await balances()).toEqual([-1, -2]);
    expect(await balances(`?subscriptionId=${id}`)).toEqual([-2]);
  });

  test('a balance is exact to the last digit, beyond what a binary float can hold', async ({
    gateway,
    tenant,
    session,
  }) => {
    const { user, path } = await aUser(session);
    await grant(session, user, '9007199254740990.123456789');
    const response = await gateway.fetch(`http://test/api/v1${path}`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    expect(await response.text()).toContain('"availableBalance":9007199254740990.123456789,');
  });

  test('404 for an unknown customer, one of another organization, and an unknown subscription', async ({
    api,
    session,
    database,
  }) => {
    const { path } = await aUser(session);
    expect(await api('GET', '/customers/nobody/usage-balances')).toMatchObject({ status: 404 });
    const { key } = await aTenant(database.orm.em);
    expect(await api('GET', path, undefined, { key })).toMatchObject({ status: 404 });
    const other = await aUser(session);
    for (const id of ['sub_x', other.user.id]) {
      expect(await api('GET', `${path}?subscriptionId=${id}`)).toMatchObject({
        status: 404,
        body: { message: `Subscription ${id} not found` },
      });
    }
    expect(await fresh(session).em.count(UsageMeter)).toBe(2);
  });

  test('401 without a key, 403 with a publishable one', async ({ api, session }) => {
    const { path } = await aUser(session);
    const key = await aKey(session, 'publishable');
    expect(await api('GET', path, undefined, { key: null })).toMatchObject({ status: 401 });
    expect(await api('GET', path, undefined, { key })).toMatchObject({ status: 403 });
  });
});
