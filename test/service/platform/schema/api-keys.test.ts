import { describe, expect } from 'vitest';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { checksumOf } from '#domain/platform/access/credential.ts';
import { createApiKey } from '#domain/platform/commands/api-keys/create-api-key.ts';
import { revokeApiKey } from '#domain/platform/commands/api-keys/revoke-api-key.ts';
import { rotateApiKey } from '#domain/platform/commands/api-keys/rotate-api-key.ts';
import { createAuthenticate } from '#server/auth/authenticate.ts';
import { connect } from '#server/database/database.ts';
import { openEventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { aLiveSession, aPricingModel } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const create = /* GraphQL */ `
  mutation Create($apiKey: CreateApiKeyInput!) {
    createApiKey(apiKey: $apiKey) { token apiKey { id name type token active livemode pricingModelId expiresAt hashText } }
  }
`;
const rotate = /* GraphQL */ `
  mutation Rotate($id: ID!, $overlapSeconds: Int) {
    rotateApiKey(id: $id, overlapSeconds: $overlapSeconds) { token apiKey { id name type pricingModelId expiresAt } }
  }
`;
const revoke = /* GraphQL */ `
  mutation Revoke($id: ID!) { revokeApiKey(id: $id) { apiKey { id active } } }
`;

/** The same caller, some seconds earlier. */
const earlier = ({ em, apiKeyId, ...scope }: Session, seconds: number) =>
  openSession(em, { ...scope, now: new Date(scope.now.getTime() - seconds * 1_000) }, apiKeyId);

const refused = (path: string[], message: unknown = expect.any(String)) => ({
  errors: [
    {
      message: 'Invalid input data',
      extensions: { code: 'BAD_REQUEST', issues: [{ path, message }] },
    },
  ],
});

describe('createApiKey', () => {
  test('answers the key once; what is stored is its hash', async ({ graphql, api, session }) => {
    const { data } = await graphql(create, { apiKey: { name: 'CI' } });
    const { token, apiKey } = data.createApiKey;
    expect(token).toMatch(/^sk_test_[0-9A-Za-z]{40}$/);
    expect(apiKey).toEqual({
      id: expect.stringMatching(/^apikey_/),
      name: 'CI',
      type: 'secret',
      token: `sk_test_...${token.slice(-4)}`,
      active: true,
      livemode: false,
      pricingModelId: session.pricingModelId,
      expiresAt: null,
      hashText: null,
    });
    const stored = await session.em.execute(
      'select row_to_json(api_key)::text as row from api_key',
    );
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(await api('GET', '/resources', undefined, { key: token })).toMatchObject({
      status: 200,
    });
  });

  test('a new key ends with the checksum of what comes before', async ({ graphql }) => {
    const { data } = await graphql(create, { apiKey: { name: 'Checked' } });
    const { token } = data.createApiKey;
    expect(checksumOf(token.slice(0, -6))).toBe(token.slice(-6));
    expect(checksumOf('sk_test_fake')).toBe('17dvzQ');
  });

  test('a publishable key reads the catalog and nothing else', async ({ graphql, api }) => {
    const { data } = await graphql(create, { apiKey: { name: 'Shop', type: 'publishable' } });
    const key = data.createApiKey.token;
    expect(key).toMatch(/^pk_test_/);
    const catalog = [
      'pricing-models',
      'products',
      'prices',
      'features',
      'usage-meters',
      'resources',
    ];
    for (const path of catalog) {
      expect(await api('GET', `/${path}`, undefined, { key })).toMatchObject({ status: 200 });
    }
    expect((await graphql('{ apiKeys { totalCount } }', {}, { key })).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
    expect((await graphql(create, { apiKey: { name: 'More' } }, { key })).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  test('for another pricing model of the organization, which is all that the key sees', async ({
    graphql,
    api,
    session,
  }) => {
    const { pricingModelId } = await aPricingModel(session);
    const { data } = await graphql(create, { apiKey: { name: 'Other', pricingModelId } });
    expect(data.createApiKey.apiKey.pricingModelId).toBe(pricingModelId);
    const { body } = await api('GET', '/products', undefined, { key: data.createApiKey.token });
    expect(body.data).toMatchObject([{ slug: 'free', pricingModelId }]);
  });

  test('refuses pricing models of another tenant or mode', async ({
    graphql,
    session,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const live = await aLiveSession(session);
    for (const { pricingModelId } of [other.session, live]) {
      expect(await graphql(create, { apiKey: { name: 'X', pricingModelId } })).toMatchObject(
        refused(['apiKey', 'pricingModelId']),
      );
    }
  });

  test('refuses an expiry that is not in the future', async ({ graphql, session }) => {
    const expiresAt = session.now.getTime() - 60_000;
    expect(await graphql(create, { apiKey: { name: 'X', expiresAt } })).toMatchObject(
      refused(['apiKey', 'expiresAt'], 'must be in the future'),
    );
  });

  test('keeps an expiry to the millisecond', async ({ graphql }) => {
    const expiresAt = 4_102_444_800_123;
    const { data } = await graphql(create, { apiKey: { name: 'X', expiresAt } });
    expect(data.createApiKey.apiKey.expiresAt).toBe(expiresAt);
  });

  test('keeps the latest expiry there is, and refuses a later one', async ({ graphql }) => {
    const expiresAt = Date.parse('9999-12-31T23:59:59.999Z');
    const { data } = await graphql(create, { apiKey: { name: 'X', expiresAt } });
    expect(data.createApiKey.apiKey.expiresAt).toBe(expiresAt);
    const { errors } = await graphql(create, { apiKey: { name: 'X', expiresAt: expiresAt + 1 } });
    expect(errors[0].message).toContain('in the years 1 to 9999');
  });

  test('makes a live key for the live pricing model', async ({ graphql, session }) => {
    const key = await aKey(await aLiveSession(session), 'secret');
    const { data } = await graphql(create, { apiKey: { name: 'Live' } }, { key });
    expect(data.createApiKey).toMatchObject({
      token: expect.stringMatching(/^sk_live_/),
      apiKey: { livemode: true },
    });
  });
});

describe('rotateApiKey', () => {
  test('ends the old key at once; the new one is of the same kind', async ({
    graphql,
    api,
    session,
  }) => {
    const { data } = await graphql(create, { apiKey: { name: 'Shop', type: 'publishable' } });
    const old = data.createApiKey;
    expect(await api('GET', '/resources', undefined, { key: old.token })).toMatchObject({
      status: 200,
    });
    const { data: rotated } = await graphql(rotate, { id: old.apiKey.id });
    expect(rotated.rotateApiKey).toMatchObject({
      token: expect.stringMatching(/^pk_test_/),
      apiKey: {
        name: 'Shop',
        type: 'publishable',
        pricingModelId: session.pricingModelId,
        expiresAt: null,
      },
    });
    expect(await api('GET', '/resources', undefined, { key: old.token })).toMatchObject({
      status: 401,
    });
    const { token } = rotated.rotateApiKey;
    expect(await api('GET', '/resources', undefined, { key: token })).toMatchObject({
      status: 200,
    });
  });

  test('the old key stays valid for the overlap, then 401', async ({ api, session }) => {
    for (const [secondsAgo, status] of [
      [599, 200],
      [601, 401],
    ] as const) {
      const old = await createApiKey(earlier(session, 1_000), { apiKey: { name: 'Old' } });
      const { id } = old.apiKey;
      const issued = await rotateApiKey(earlier(session, secondsAgo), { id, overlapSeconds: 600 });
      expect(await api('GET', '/resources', undefined, { key: old.token })).toMatchObject({
        status,
      });
      expect(await api('GET', '/resources', undefined, { key: issued.token })).toMatchObject({
        status: 200,
      });
    }
  });

  test('an overlap never prolongs a key’s life', async ({ graphql, session }) => {
    const expiresAt = session.now.getTime() + 60_000;
    const { data } = await graphql(create, { apiKey: { name: 'Short', expiresAt } });
    const { id } = data.createApiKey.apiKey;
    const { data: rotated } = await graphql(rotate, { id, overlapSeconds: 3_600 });
    expect(rotated.rotateApiKey.apiKey.expiresAt).toBe(expiresAt);
    const { data: old } = await graphql('query Get($id: ID!) { apiKey(id: $id) { expiresAt } }', {
      id,
    });
    expect(old.apiKey.expiresAt).toBe(expiresAt);
  });

  test('refuses an overlap of more than 7 days, a revoked key and an unknown one', async ({
    graphql,
    session,
  }) => {
    const { data } = await graphql(create, { apiKey: { name: 'Old' } });
    const { id } = data.createApiKey.apiKey;
    expect(await graphql(rotate, { id, overlapSeconds: 604_801 })).toMatchObject(
      refused(['overlapSeconds']),
    );
    await revokeApiKey(earlier(session, 0), { id });
    expect(await graphql(rotate, { id })).toMatchObject(refused(['id']));
    expect((await graphql(rotate, { id: 'apikey_none' })).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
  });
});

describe('revokeApiKey', () => {
  test('401 for the very next request, although known keys are remembered', async ({
    graphql,
    api,
  }) => {
    for (let round = 0; round < 25; round++) {
      const { data } = await graphql(create, { apiKey: { name: 'Short-lived' } });
      const { token, apiKey } = data.createApiKey;
      expect(await api('GET', '/resources', undefined, { key: token })).toMatchObject({
        status: 200,
      });
      const revoked = await graphql(revoke, { id: apiKey.id });
      expect(revoked.data.revokeApiKey.apiKey).toEqual({ id: apiKey.id, active: false });
      expect(await api('GET', '/resources', undefined, { key: token })).toMatchObject({
        status: 401,
      });
    }
  });

  test('401 with all other keys in use, which stay valid', async ({ graphql, api, tenant }) => {
    const { data } = await graphql(create, { apiKey: { name: 'Short-lived' } });
    const { token: key, apiKey } = data.createApiKey;
    const answers = await Promise.all([
      graphql(revoke, { id: apiKey.id }),
      ...Array.from({ length: 10 }, () => api('GET', '/resources', undefined, { key })),
    ]);
    expect(answers).toHaveLength(11);
    expect(await api('GET', '/resources', undefined, { key })).toMatchObject({ status: 401 });
    expect(await api('GET', '/resources', undefined, { key: tenant.key })).toMatchObject({
      status: 200,
    });
  });

  test('takes effect at once even while nothing is heard', async ({ session, database }) => {
    const hub = await openEventHub(database.orm, database.databaseUrl, createLogger('silent'));
    await hub[Symbol.asyncDispose]();
    const authenticate = createAuthenticate(database.orm, hub);
    const { token, apiKey } = await createApiKey(earlier(session, 0), { apiKey: { name: 'Old' } });
    expect(await authenticate(token)).toMatchObject({ apiKeyId: apiKey.id });
    await revokeApiKey(earlier(session, 0), { id: apiKey.id });
    await expect(authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('other processes hear of it long before they would look the key up again', async ({
    authenticate,
    session,
    database,
  }) => {
    const { token, apiKey } = await createApiKey(earlier(session, 0), {
      apiKey: { name: 'Shared' },
    });
    expect(await authenticate(token)).toMatchObject({ apiKeyId: apiKey.id });
    const orm = await connect({ databaseUrl: database.databaseUrl, poolSize: 1 });
    const { em: _, ...scope } = session;
    await revokeApiKey(openSession(orm.em, scope), { id: apiKey.id });
    await orm.close();
    const outcome = () =>
      Promise.resolve(authenticate(token)).then(
        () => 'accepted',
        ({ code }) => code,
      );
    await expect.poll(outcome, { interval: 5 }).toBe('UNAUTHORIZED');
  });

  test('revoking again changes nothing; 404 for a key of another tenant, which stays valid', async ({
    graphql,
    api,
    session,
    database,
  }) => {
    const { data } = await graphql(create, { apiKey: { name: 'Old' } });
    const { id } = data.createApiKey.apiKey;
    for (let n = 0; n < 2; n++) {
      expect((await graphql(revoke, { id })).data.revokeApiKey.apiKey).toEqual({
        id,
        active: false,
      });
    }
    const other = await aTenant(database.orm.em);
    expect(other.session.organizationId).not.toBe(session.organizationId);
    expect((await graphql(revoke, { id: other.session.apiKeyId })).errors).toMatchObject([
      { extensions: { code: 'NOT_FOUND' } },
    ]);
    expect(await api('GET', '/resources', undefined, { key: other.key })).toMatchObject({
      status: 200,
    });
  });
});
