import { createClient } from 'graphql-ws';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import type { Session } from '#domain/kernel/session.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { expireSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/expire-subscription-item-feature.ts';
import { addFeatureToSubscription } from '#domain/subscriptions/commands/subscriptions/add-feature-to-subscription.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { pauseSubscription } from '#domain/subscriptions/commands/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '#domain/subscriptions/commands/subscriptions/resume-subscription.ts';
import type { EventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import {
  aCreditGrant,
  aCustomer,
  aSubscription,
  aToggle,
  aUsageMeter,
  fresh,
} from '../../../support/factories.ts';
import { at as seenAt } from '../../../support/instants.ts';
import { testAlone } from '../../../support/test.ts';
import { aClockedCustomer, advance, at } from '../../../support/time.ts';

/** The hub, noting whose changes are followed. */
const noting = (hub: EventHub, followed: Set<string>): EventHub => ({
  ...hub,
  async follow(following, after) {
    const iterator = await hub.follow(following, after);
    const leave = iterator.return?.bind(iterator);
    iterator.return = async () => {
      followed.delete(following.customerId ?? '');
      return (await leave?.()) ?? { done: true, value: undefined };
    };
    followed.add(following.customerId ?? '');
    return iterator;
  },
});

const test = testAlone('its gateway has settings of its own')
  .extend('followed', { scope: 'file' }, () => new Set<string>())
  .extend('gateway', { scope: 'file' }, ({ database, hub, followed }) =>
    createGateway({
      orm: database.orm,
      hub: noting(hub, followed),
      logger: createLogger('silent'),
      production: true,
      operationTimeLimitSeconds: 5,
    }),
  )
  .extend('url', { scope: 'file' }, async ({ gateway, hub }, { onCleanup }) => {
    const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    return server.url;
  })
  .extend('client', async ({ url, tenant }, { onCleanup }) => {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: tenant.key },
    });
    onCleanup(() => client.dispose());
    return client;
  });

const changed = `subscription($id: ID!) { entitlementsChanged(customerId: $id) {
  id hasFeature(slug: "sso") featureItems { slug amount } } }`;

const read = `query($id: ID!) { customer(id: $id) {
  hasFeature(slug: "sso") featureItems { slug type amount } } }`;

/** A customer with a paid subscription that grants nothing yet. */
async function aSubscriber(session: Session) {
  const customer = await aCustomer(session);
  const { id } = await aSubscription(session, { customerId: customer.id, doNotCharge: true });
  const feature = await aToggle(session, { slug: 'sso' });
  const add = (featureId = feature.id) =>
    addFeatureToSubscription(fresh(session), { id, featureId });
  const cancel = () =>
    cancelSubscription(fresh(session), { id, cancellation: { timing: 'immediately' } });
  return { customer, id, add, cancel };
}

describe('what a customer has', () => {
  test('are the features of its current subscriptions, and of no other', async ({
    graphql,
    session,
  }) => {
    const { customer, add, cancel } = await aSubscriber(session);
    const has = async () => (await graphql(read, { id: customer.id })).data.customer;
    expect(await has()).toEqual({ hasFeature: false, featureItems: [] });
    await add();
    expect(await has()).toEqual({
      hasFeature: true,
      featureItems: [{ slug: 'sso', type: 'toggle', amount: null }],
    });
    await cancel();
    expect(await has()).toEqual({ hasFeature: false, featureItems: [] });
  });

  test('is nothing by an incomplete subscription', async ({ graphql, session }) => {
    const customer = await aCustomer(session);
    const featureIds = [(await aToggle(session, { slug: 'sso' })).id];
    await aSubscription(session, { customerId: customer.id, featureIds });
    expect((await graphql(read, { id: customer.id })).data.customer.hasFeature).toBe(false);
  });

  test('are of any type where one feature is asked for by its slug', async ({
    graphql,
    session,
  }) => {
    const { customer, add } = await aSubscriber(session);
    const credits = await aCreditGrant(session, (await aUsageMeter(session)).id);
    await add(credits.id);
    const query =
      'query($id: ID!, $slug: String!) { customer(id: $id) { hasFeature(slug: $slug) } }';
    for (const slug of [credits.slug, '', '__proto__', 'a\0b']) {
      const { data } = await graphql(query, { id: customer.id, slug });
      expect([slug, data.customer.hasFeature]).toEqual([slug, slug === credits.slug]);
    }
  });

  test('ends by the customer’s own clock', async ({ graphql, session }) => {
    const clocked = await aClockedCustomer(session);
    const { id } = clocked.customer;
    const featureIds = [(await aToggle(session, { slug: 'sso' })).id];
    const subscription = await aSubscription(session, {
      customerId: id,
      doNotCharge: true,
      featureIds,
    });
    const [item] = await subscription.items.loadItems();
    const [granted] = (await item?.features.loadItems()) ?? [];
    await expireSubscriptionItemFeature(fresh(session), {
      id: granted?.id ?? '',
      expiredAt: at('2026-02-10'),
    });
    const has = async () => (await graphql(read, { id })).data.customer.hasFeature;
    await advance(session, clocked, new Date(at('2026-02-10').getTime() - 1));
    expect(await has()).toBe(true);
    await advance(session, clocked, at('2026-02-10'));
    expect(await has()).toBe(false);
  });
});

describe('entitlementsChanged', () => {
  test('tells the present state first, then only what makes a difference', async ({
    client,
    session,
  }) => {
    const { customer, add, cancel } = await aSubscriber(session);
    const messages = client.iterate({ query: changed, variables: { id: customer.id } });
    // Features that are added at one instant have no order among them.
    const next = async () => {
      const { value } = await messages.next();
      const items = value.data.entitlementsChanged.featureItems as { slug: string }[];
      items.sort((one, other) => one.slug.localeCompare(other.slug));
      return value;
    };
    const told = (hasFeature: boolean, ...featureItems: object[]) => ({
      data: { entitlementsChanged: { id: customer.id, hasFeature, featureItems } },
    });
    expect(await next()).toEqual(told(false));
    const second = next();
    const { externalId } = customer;
    await updateCustomer(fresh(session), { externalId, customer: { name: 'Eve' } });
    await add();
    expect(await second).toEqual(told(true, { slug: 'sso', amount: null }));
    const third = next();
    await add();
    const { id: creditsId, slug } = await aCreditGrant(session, (await aUsageMeter(session)).id);
    await add(creditsId);
    const sso = { slug: 'sso', amount: null };
    expect(await third).toEqual(told(true, { slug, amount: 100 }, sso));
    const fourth = next();
    await add(creditsId);
    expect(await fourth).toEqual(told(true, { slug, amount: 200 }, sso));
    const fifth = next();
    await cancel();
    expect(await fifth).toEqual(told(false));
    await messages.return?.();
  });

  test('tells of a pause, and of its end', async ({ client, session }) => {
    const { customer, id, add } = await aSubscriber(session);
    await add();
    const messages = client.iterate({ query: changed, variables: { id: customer.id } });
    const next = async () => (await messages.next()).value.data.entitlementsChanged.hasFeature;
    expect(await next()).toBe(true);
    const second = next();
    await pauseSubscription(fresh(session), { id, pause: { timing: 'immediately' } });
    expect(await second).toBe(false);
    const third = next();
    await resumeSubscription(fresh(session), { id });
    expect(await third).toBe(true);
    await messages.return?.();
  });

  test('tells of a feature that expires by time alone, also by a test clock', async ({
    client,
    session,
  }) => {
    const clocked = await aClockedCustomer(session);
    const customers = [clocked.customer, await aCustomer(session)] as const;
    for (const customer of customers) {
      const featureIds = [(await aToggle(session)).id];
      const subscription = await aSubscription(session, {
        customerId: customer.id,
        doNotCharge: true,
        featureIds,
      });
      const onClock = customer.id === clocked.customer.id;
      const present = seenAt(session, new Date());
      const [item] = await subscription.items.loadItems();
      const [granted] = (await item?.features.loadItems()) ?? [];
      const expiredAt = onClock ? at('2026-02-10') : new Date(Date.now() + 400);
      await expireSubscriptionItemFeature(present, { id: granted?.id ?? '', expiredAt });
      const messages = client.iterate({ query: changed, variables: { id: customer.id } });
      const next = async () =>
        (await messages.next()).value.data.entitlementsChanged.featureItems.length;
      expect(await next()).toBe(1);
      const second = next();
      if (onClock) await advance(session, clocked, at('2026-02-10'));
      expect(await second).toBe(0);
      await messages.return?.();
    }
  });

  test('ends when its subscriber leaves, without a follower afterwards', async ({
    client,
    session,
    followed,
  }) => {
    const { id } = await aCustomer(session);
    const messages = client.iterate({ query: changed, variables: { id } });
    await messages.next();
    expect(followed).toContain(id);
    await messages.return?.();
    await expect.poll(() => followed, { interval: 5 }).not.toContain(id);
  });

  test('is refused for an unknown customer, without a follower afterwards', async ({
    client,
    followed,
  }) => {
    const messages = client.iterate({ query: changed, variables: { id: 'cust_none' } });
    expect((await messages.next()).value).toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    });
    expect(followed).not.toContain('cust_none');
  });
});
