import { describe, expect } from 'vitest';
import { aCustomer } from '../../../support/factories.ts';
import { aTenant } from '../../../support/tenant.ts';
import { type Answer, test } from '../../../support/test.ts';
import { aMeteredSubscription } from '../../../support/usage.ts';

const issues = ({ body }: Answer) =>
  body.issues?.map(({ message }: { message: string }) => message);

let count = 0;
const event = (usageMeterSlug: string, owner: object) => ({
  ...owner,
  usageMeterSlug,
  transactionId: `by-customer-${++count}`,
  amount: 2,
});

type Api = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A plan without charge for a customer with this id of one's own. */
async function aFreeCustomer(api: Api, externalId: string) {
  const customer = { name: externalId, email: `${externalId}@example.com`, externalId };
  const { body } = await api('POST', '/customers', { customer });
  return body.data as { customer: { id: string }; subscription: { id: string } };
}

describe('Usage of a customer', () => {
  test('is recorded against its current subscription, by either id', async ({ api, session }) => {
    const { slug } = await aMeteredSubscription(session);
    const { customer, subscription } = await aFreeCustomer(api, 'ada');
    for (const owner of [{ customerExternalId: 'ada' }, { customerId: customer.id }]) {
      const answer = await api('POST', '/usage-events', { usageEvent: event(slug, owner) });
      expect(answer).toMatchObject({
        status: 200,
        body: { usageEvent: { customerId: customer.id, subscriptionId: subscription.id } },
      });
    }
    const { body } = await api('GET', '/customers/ada/usage-balances');
    expect(body.usageMeterBalances).toMatchObject([{ availableBalance: -4 }]);
  });

  test('follows the customer from plan to plan, and a repeat stays with its own', async ({
    api,
    session,
  }) => {
    const { slug } = await aMeteredSubscription(session);
    const { subscription } = await aFreeCustomer(api, 'ada');
    const first = event(slug, { customerExternalId: 'ada' });
    await api('POST', '/usage-events', { usageEvent: first });
    await api('POST', '/products', {
      product: { name: 'Pro', slug: 'pro' },
      price: { type: 'subscription', slug: 'pro', unitPrice: 100, intervalUnit: 'month' },
    });
    const paid = { customerExternalId: 'ada', priceSlug: 'pro', doNotCharge: true };
    const { body } = await api('POST', '/subscriptions', paid);
    const usageEvents = [first, event(slug, { customerExternalId: 'ada' })];
    const bulk = await api('POST', '/usage-events/bulk', { usageEvents });
    expect(bulk.headers.get('usage-duplicates')).toBe('1');
    expect(bulk.body.usageEvents).toMatchObject([{ subscriptionId: body.subscription.id }]);
    const again = await api('POST', '/usage-events', { usageEvent: first });
    expect(again.body.usageEvent.subscriptionId).toBe(subscription.id);
  });

  test('is refused for each event by itself where nothing can be chosen', async ({
    api,
    session,
    database,
  }) => {
    const { slug, id: other } = await aMeteredSubscription(session);
    await aCustomer(session, { externalId: 'gone' });
    await api('POST', '/customers/gone/archive');
    const { subscription } = await aFreeCustomer(api, 'left');
    await session.em.execute(
      `update subscription set status = 'canceled', canceled_at = now() where id = ?`,
      [subscription.id],
    );
    const foreign = await aCustomer((await aTenant(database.orm.em)).session);
    const owners = [
      { customerExternalId: 'nobody' },
      { customerId: foreign.id },
      { customerExternalId: 'gone' },
      { customerExternalId: 'left' },
      { customerExternalId: 'left', subscriptionId: other },
      {},
    ];
    const usageEvents = owners.map((owner) => event(slug, owner));
    const answers = await Promise.all(
      usageEvents.map((usageEvent) => api('POST', '/usage-events', { usageEvent })),
    );
    expect(answers.map(issues)).toEqual([
      ['usageEvent.customerExternalId: Unknown customer nobody'],
      [`usageEvent.customerId: Unknown customer ${foreign.id}`],
      ['usageEvent.customerExternalId: Unknown customer gone'],
      [
        'usageEvent.customerExternalId: has no current subscription: subscribe the customer first, or give the subscriptionId of one that is paused or unpaid',
      ],
      [`usageEvent.customerExternalId: is not the customer of ${other}`],
      ['usageEvent.subscriptionId: is required unless customerId or customerExternalId is given'],
    ]);
    const bulk = await api('POST', '/usage-events/bulk', {
      usageEvents: [event(slug, { subscriptionId: other }), ...usageEvents.slice(0, 2)],
    });
    expect(issues(bulk)).toEqual([
      'usageEvents.1.customerExternalId: Unknown customer nobody',
      `usageEvents.2.customerId: Unknown customer ${foreign.id}`,
    ]);
  });

  test('of several current subscriptions goes to the one with credits of the meter', async ({
    api,
    graphql,
    session,
  }) => {
    await graphql(
      'mutation { updateOrganization(organization: { allowMultipleSubscriptionsPerCustomer: true }) { organization { id } } }',
    );
    const { slug, customerId, id } = await aMeteredSubscription(session, {
      credits: 100,
      doNotCharge: true,
    });
    const { slug: bare } = await aMeteredSubscription(session);
    await api('POST', '/products', {
      product: { name: 'More', slug: 'more' },
      price: { type: 'subscription', slug: 'more', unitPrice: 100, intervalUnit: 'month' },
    });
    const second = await api('POST', '/subscriptions', {
      customerId,
      priceSlug: 'more',
      doNotCharge: true,
    });
    expect(second.status).toBe(200);
    const recorded = await api('POST', '/usage-events', {
      usageEvent: event(slug, { customerId }),
    });
    expect(recorded.body.usageEvent.subscriptionId).toBe(id);
    const refused = await api('POST', '/usage-events', { usageEvent: event(bare, { customerId }) });
    expect(issues(refused)).toEqual([
      expect.stringMatching(
        /^usageEvent\.customerId: has several current subscriptions \(sub_\w+, sub_\w+\): give subscriptionId$/,
      ),
    ]);
  });

  test('takes as many statements for twelve customers as for two', async ({
    api,
    database,
    session,
  }) => {
    const { slug } = await aMeteredSubscription(session);
    const names = Array.from({ length: 12 }, (_, index) => `customer-${index}`);
    for (const name of names) await aFreeCustomer(api, name);
    const log = database.orm.config.getLogger();
    const { logQuery } = log;
    const counts: number[] = [];
    for (const size of [2, 12]) {
      let statements = 0;
      log.logQuery = () => {
        statements += 1;
      };
      const usageEvents = names
        .slice(0, size)
        .map((customerExternalId) => event(slug, { customerExternalId }));
      const answer = await api('POST', '/usage-events/bulk', { usageEvents });
      expect(answer.body.usageEvents).toHaveLength(size);
      counts.push(statements);
    }
    log.logQuery = logQuery;
    expect(counts[1]).toBe(counts[0]);
  });
});
