import { expect } from 'vitest';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { createKey, revokeKey } from '../../../../src/tools/keys/commands.ts';
import { aBusySubscription } from '../../../support/seats.ts';
import { aKey } from '../../../support/tenant.ts';
import { apiOf, testAlone } from '../../../support/test.ts';
import { aMeteredSubscription } from '../../../support/usage.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const actorsOf = async (api: ReturnType<typeof apiOf>, query: string) => {
  const { body } = await api('GET', `/events?limit=100&${query}`);
  return body.data.map(({ type, actor }: { type: string; actor: object }) => [type, actor]);
};

test('events name the API key that acts, in the feed of REST and GraphQL', async ({
  api,
  graphql,
  session,
}) => {
  await api('POST', '/resources', { resource: { slug: 'seats', name: 'Seats' } });
  const actor = { type: 'api_key', id: session.apiKeyId };
  expect(await actorsOf(api, 'types=resource.created')).toEqual([['resource.created', actor]]);
  const { data } = await graphql(
    '{ events(types: ["resource.created"]) { nodes { actor { type id } } } }',
  );
  expect(data.events.nodes).toEqual([{ actor }]);
});

test('claims of two keys that share a transaction each name their own key', async ({
  gateway,
  api,
  session,
  graphql,
}) => {
  const { subscriptionId, resourceSlug } = await aBusySubscription(session, 20);
  const other = await aKey(session, 'secret');
  const { data } = await graphql('{ apiKeys(first: 10) { nodes { id name } } }');
  const otherId = data.apiKeys.nodes.find(({ name }: { name: string }) => name === 'Another').id;
  const claim = (call: typeof api, body: object) =>
    call('POST', `/resource-claims/${subscriptionId}/claim`, { resourceSlug, ...body });
  const second = apiOf(gateway, other);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => claim(n % 2 ? second : api, { quantity: 1 })),
  );
  await claim(second, { externalIds: ['ada'] });
  await second('POST', `/resource-claims/${subscriptionId}/release`, {
    resourceSlug,
    externalIds: ['ada'],
  });
  const of = await Promise.all(
    answers.map(async ({ body, headers }) => {
      const [{ id }] = body.claims;
      const { body: feed } = await api('GET', `/events?objectId=${id}`);
      const [{ actor, causeId }] = feed.data;
      expect(causeId).toBe(headers.get('x-request-id'));
      return actor;
    }),
  );
  expect(of).toEqual(
    answers.map((_, n) => ({ type: 'api_key', id: n % 2 ? otherId : session.apiKeyId })),
  );
  expect((await actorsOf(api, 'types=resource_claim.released')).at(-1)?.[1]).toEqual({
    type: 'api_key',
    id: otherId,
  });
});

test('usage that two keys report at the same time names the key of each call', async ({
  gateway,
  api,
  session,
}) => {
  const { id, slug } = await aMeteredSubscription(session);
  const second = apiOf(gateway, await aKey(session, 'secret'));
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      (n % 2 ? second : api)('POST', '/usage-events', {
        usageEvent: {
          subscriptionId: id,
          usageMeterSlug: slug,
          transactionId: `t${n}`,
          amount: 1,
        },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { body } = await api('GET', '/events?types=usage_event.recorded&limit=100');
  const own = body.data.filter(
    ({ actor }: { actor: { id: string } }) => actor.id === session.apiKeyId,
  );
  expect(body.data.every(({ actor }: { actor: object }) => actor)).toBe(true);
  expect([own.length, body.data.length]).toEqual([4, 8]);
});

test('what a job does later is of the job, and what the command line does is of the command line', async ({
  api,
  database,
  session,
}) => {
  const { subscriptionId } = await aBusySubscription(session);
  const later = new Date(session.now.getTime() + 40 * 86_400_000);
  await transitionDueSubscriptions(database.orm.em.fork(), later, 'transition-billing-periods');
  expect(
    (await actorsOf(api, `objectId=${subscriptionId}&types=subscription.updated`)).at(-1),
  ).toEqual(['subscription.updated', { type: 'job', id: 'transition-billing-periods' }]);

  const { em } = database.orm;
  const name = 'From the command line';
  const { pricingModelId } = session;
  const options = { command: 'create', name, type: 'secret', live: false } as const;
  await createKey(
    em.fork(),
    { ...options, pricingModelId, expiresInDays: undefined, currency: undefined },
    later,
  );
  const cli = { type: 'system', id: 'cli' };
  const { body } = await api('GET', '/events?types=api_key.created&limit=100');
  const [created] = body.data.filter(({ data }: { data: { name: string } }) => data.name === name);
  expect(created.actor).toEqual(cli);
  const limited = [
    { ...options, type: 'secret', name: 'Scoped', scopes: ['usage_write'] },
    { ...options, type: 'publishable', name: 'Page', allowedOrigins: ['https://a.example'] },
  ] as const;
  for (const key of limited) {
    await createKey(em.fork(), { ...key, pricingModelId, expiresInDays: undefined }, later);
    const { scopes, allowedOrigins } = await em
      .fork()
      .findOneOrFail(ApiKey, { name: key.name }, { filters: { tenant: false } });
    expect({ scopes, allowedOrigins }).toEqual({
      scopes: 'scopes' in key ? ['read', 'usage_write'] : null,
      allowedOrigins: 'allowedOrigins' in key ? ['https://a.example'] : null,
    });
  }
  await revokeKey(em.fork(), created.objectId, later);
  expect(await actorsOf(api, 'types=api_key.updated')).toEqual([['api_key.updated', cli]]);
});
