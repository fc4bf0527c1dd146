import { describe, expect } from 'vitest';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { releaseResource } from '#domain/capacity/commands/resource-claims/release-resource.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { sequenceEvents } from '#domain/platform/feed/sequence-events.ts';
import { expireSubscriptionItemFeature } from '#domain/subscriptions/commands/subscription-item-features/expire-subscription-item-feature.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import { fresh } from '../../../support/factories.ts';
import { aCatalog, seated, withSeats } from '../../../support/plans.ts';
import { aSubscriptionWithSeats, type Seats } from '../../../support/seats.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test as base } from '../../../support/test.ts';
import { advance, at, eventsOf } from '../../../support/timeline.ts';

const test = base.extend('seats', ({ session }) => aSubscriptionWithSeats(session));

const selection = 'resourceSlug capacity claimed reserved available';

/** Follows `resourceUsageChanged` over SSE; each call answers the next change. */
async function follow(
  gateway: { fetch: (url: string, init: object) => Promise<Response> | Response },
  key: string,
  { subscriptionId }: Pick<Seats, 'subscriptionId'>,
) {
  const response = await gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({
      query: `subscription($id: ID!) { resourceUsageChanged(subscriptionId: $id) { asOfSequence usages { ${selection} } } }`,
      variables: { id: subscriptionId },
    }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const found = /data: (\{.*\})\n/.exec(text);
        if (found) {
          text = text.slice(found.index + found[0].length);
          const { data, errors } = JSON.parse(found[1] ?? '');
          return errors ? errors[0].extensions.code : data.resourceUsageChanged;
        }
        text += (await reader?.read())?.value ?? '';
      }
    },
    leave: () => reader?.cancel(),
  };
}

describe('resourceUsageChanged', () => {
  test('starts with the state, then tells each difference, with the place in the feed that it contains', async ({
    gateway,
    tenant,
    seats,
    session,
  }) => {
    const live = await follow(gateway, tenant.key, seats);
    const told = async (claimed: number) => {
      const change = await live.next();
      expect(change.usages).toEqual([
        {
          resourceSlug: seats.resourceSlug,
          capacity: 5,
          claimed,
          reserved: 0,
          available: 5 - claimed,
        },
      ]);
      return change.asOfSequence;
    };
    const sequences = [await told(0)];
    const { claims } = await claimResource(fresh(session), { ...seats, externalIds: ['a', 'b'] });
    sequences.push(await told(2));
    await sequenceEvents(session.em.fork());
    const [created] = await eventsOf(session, claims[0]?.id ?? '');
    expect(sequences[0]).toBeLessThan(created?.sequence ?? 0);
    expect(sequences[1]).toBeGreaterThanOrEqual(sequences[0]);
    // A change of something else is not emitted.
    await claimResource(fresh(session), { ...seats, externalIds: ['a', 'b'] });
    await releaseResource(fresh(session), { ...seats, externalId: 'a' });
    await told(1);
    await live.leave();
  });

  test('tells on a test clock of what ends by time alone', async ({
    gateway,
    tenant,
    seats,
    session,
  }) => {
    const { subscriptionId, clockId } = seats;
    const features = fresh(session).em.find(SubscriptionItemFeature, { subscriptionId });
    const [feature] = await features;
    const expiredAt = at('2026-02-05');
    await expireSubscriptionItemFeature(fresh(session), { id: feature?.id ?? '', expiredAt });
    const live = await follow(gateway, tenant.key, seats);
    expect((await live.next()).usages).toMatchObject([{ capacity: 5 }]);
    await advance(session, clockId, '2026-02-10');
    expect((await live.next()).usages).toMatchObject([{ capacity: 0 }]);
    await live.leave();
  });

  test('tells of the capacity that an adjustment leaves while it is paid for, and when it is not paid', async ({
    gateway,
    tenant,
    session,
  }) => {
    const catalog = await aCatalog(session);
    const it = await withSeats(session, catalog, [10], 0);
    await it.pays('sandbox_requires_action', { default: true });
    await it.toDay(15);
    const live = await follow(gateway, tenant.key, { subscriptionId: it.id });
    const told = async (capacity: number) =>
      expect((await live.next()).usages).toMatchObject([{ capacity }]);
    await told(10);
    await it.adjust([await seated(session, catalog, 5, 5_000)]);
    await told(5);
    await it.toDay(16);
    await told(10);
    await live.leave();
  });

  test('tells of what expires at the instant, though no job comes by', async ({
    gateway,
    tenant,
    seats,
    session,
  }) => {
    await claimResource(fresh(session), { ...seats, quantity: 2 });
    const soon = new Date(Date.now() + 700);
    await session.em.execute('update subscription set test_clock_id = null where id = ?', [
      seats.subscriptionId,
    ]);
    await session.em.execute('update customer set test_clock_id = null where id = ?', [
      seats.customerId,
    ]);
    await session.em.execute(
      'update resource_claim set expired_at = ?, test_clock_id = null where subscription_id = ?',
      [soon, seats.subscriptionId],
    );
    const live = await follow(gateway, tenant.key, seats);
    expect((await live.next()).usages).toMatchObject([{ claimed: 2 }]);
    expect((await live.next()).usages).toMatchObject([{ claimed: 0 }]);
    expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime());
    await live.leave();
  });

  test('is refused to strangers and for what is unknown', async ({
    gateway,
    tenant,
    seats,
    database,
  }) => {
    const unknown = await follow(gateway, tenant.key, { ...seats, subscriptionId: 'sub_x' });
    expect(await unknown.next()).toBe('NOT_FOUND');
    const { key } = await aTenant(database.orm.em);
    expect(await (await follow(gateway, key, seats)).next()).toBe('NOT_FOUND');
  });
});

describe('the graph', () => {
  test('shows the usage on the subscription and on the customer', async ({
    graphql,
    seats,
    session,
  }) => {
    await claimResource(fresh(session), { ...seats, quantity: 2 });
    const { data } = await graphql(
      `query($id: ID!, $customer: ID!) {
        subscription(id: $id) { resourceUsages { ${selection} } }
        customer(id: $customer) { resourceUsages { ${selection} subscriptionId } } }`,
      { id: seats.subscriptionId, customer: seats.customerId },
    );
    const usage = { resourceSlug: seats.resourceSlug, capacity: 5, claimed: 2, available: 3 };
    expect(data.subscription.resourceUsages).toMatchObject([usage]);
    expect(data.customer.resourceUsages).toMatchObject([
      { ...usage, subscriptionId: seats.subscriptionId },
    ]);
    await cancelSubscription(fresh(session), {
      id: seats.subscriptionId,
      cancellation: { timing: 'immediately' },
    });
    const after = await graphql(
      `query($customer: ID!) { customer(id: $customer) { resourceUsages { capacity } } }`,
      { customer: seats.customerId },
    );
    expect(after.data.customer.resourceUsages).toEqual([]);
  });

  test('lists active, released and all claims in pages', async ({ graphql, seats, session }) => {
    await claimResource(fresh(session), { ...seats, quantity: 4 });
    await releaseResource(fresh(session), { ...seats, quantity: 1 });
    const list = (active: boolean | null, after?: string) =>
      graphql(
        `query($id: ID!, $after: String) { resourceClaims(
          where: { subscription: { is: $id }, active: ${active} }, first: 2, after: $after
        ) { totalCount pageInfo { hasNextPage endCursor } nodes { id releasedAt } } }`,
        { id: seats.subscriptionId, after },
      );
    const first = (await list(true)).data.resourceClaims;
    expect(first).toMatchObject({ totalCount: 3, nodes: [{ releasedAt: null }, {}] });
    const second = (await list(true, first.pageInfo.endCursor)).data.resourceClaims;
    expect(second).toMatchObject({
      nodes: [{ releasedAt: null }],
      pageInfo: { hasNextPage: false },
    });
    expect((await list(false)).data.resourceClaims).toMatchObject({ totalCount: 1 });
    expect((await list(null)).data.resourceClaims).toMatchObject({ totalCount: 4 });
    expect((await list(false, first.pageInfo.endCursor)).errors[0].extensions.code).toBe(
      'BAD_REQUEST',
    );
    // A claim of a customer without a test clock that expired a second ago, and is not marked yet.
    await session.em.execute(
      `update resource_claim set expired_at = now() - interval '1 second', test_clock_id = null where id = ?`,
      [first.nodes[0].id],
    );
    expect((await list(true)).data.resourceClaims).toMatchObject({ totalCount: 2 });
  });

  test('an event shows a claim as it is read', async ({ graphql, seats, session }) => {
    const [made] = (await claimResource(fresh(session), { ...seats, externalId: 'a' })).claims;
    const [created] = await eventsOf(session, made?.id ?? '');
    const names = session.em
      .getMetadata(ResourceClaim)
      .props.filter(({ hidden }) => !hidden)
      .map(({ name }) => name);
    expect(Object.keys(created?.data ?? {}).sort()).toEqual(names.sort());
    const { data } = await graphql(
      `query($id: ID!) { resourceClaim(id: $id) { ${names.join(' ')} } }`,
      { id: made?.id },
    );
    expect(created?.data).toEqual(data.resourceClaim);
    expect(created).toMatchObject({ type: 'resource_claim.created', previousAttributes: null });
  });

  test('10,000 claims are made and released in one call each, with an event for every one', async ({
    graphql,
    session,
  }) => {
    const seats = await aSubscriptionWithSeats(session, { seats: 10_000 });
    const variables = { id: seats.subscriptionId, slug: seats.resourceSlug };
    const made = await graphql(
      `mutation($id: ID!, $slug: String!) { claimResource(subscriptionId: $id, resourceSlug: $slug,
        quantity: 10000) { claims { id } usage { claimed } } }`,
      variables,
    );
    expect(made.data.claimResource).toMatchObject({ usage: { claimed: 10_000 } });
    expect(made.data.claimResource.claims).toHaveLength(10_000);
    const gone = await graphql(
      `mutation($id: ID!, $slug: String!) { releaseResource(subscriptionId: $id, resourceSlug: $slug,
        quantity: 10000) { usage { claimed } } }`,
      variables,
    );
    expect(gone.data.releaseResource).toMatchObject({ usage: { claimed: 0 } });
    const told = await session.em.execute(
      `select type, count(*)::int as n from event where object_type = 'ResourceClaim'
       and customer_id = ? group by type order by type`,
      [seats.customerId],
    );
    expect(told).toEqual([
      { type: 'resource_claim.created', n: 10_000 },
      { type: 'resource_claim.released', n: 10_000 },
    ]);
  });
});
