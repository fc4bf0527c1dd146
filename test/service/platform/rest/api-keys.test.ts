import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { newCredential } from '#domain/platform/access/credential.ts';
import { issueApiKey } from '#domain/platform/access/issue-api-key.ts';
import { revokeApiKey } from '#domain/platform/commands/api-keys/revoke-api-key.ts';
import { aLiveSession, aPricingModel } from '../../../support/factories.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { testAlone } from '../../../support/test.ts';

const test = testAlone('it changes the database or its connections');

/** The fields of an API key; `expiresAt` is always present. */
const record = {
  id: expect.stringMatching(/^apikey_\w{21}$/),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
  livemode: false,
  organizationId: expect.stringMatching(/^org_/),
  pricingModelId: expect.stringMatching(/^pricing_model_/),
  name: 'Default',
  token: expect.stringMatching(/^sk_test_\.\.\.\w{4}$/),
  active: true,
  type: 'secret',
  expiresAt: null,
  idpHostedBillingUserId: null,
  hashText: null,
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const recordOf = ({ em }: Session, token: string) =>
  em.fork().findOneOrFail(ApiKey, { hashText: sha256(token) });

describe('GET /api-keys/{id}', () => {
  test('200 with exactly the documented fields, the key itself left out', async ({
    api,
    tenant,
  }) => {
    const { status, body } = await api('GET', `/api-keys/${tenant.session.apiKeyId}`);
    expect({ status, body }).toEqual({ status: 200, body: { apiKey: record } });
    const { body: feed } = await api('GET', '/events?types=api_key.created');
    expect(feed.data).toHaveLength(1);
    expect(JSON.stringify([body, feed])).not.toContain(sha256(tenant.key));
    expect(body.apiKey.token.slice(-4)).toBe(tenant.key.slice(-4));
    expect(JSON.stringify(body)).not.toContain(tenant.key);
  });

  test('200 for a publishable key’s record', async ({ api, session }) => {
    const { id } = await recordOf(session, await aKey(session, 'publishable'));
    expect(await api('GET', `/api-keys/${id}`)).toMatchObject({
      status: 200,
      body: {
        apiKey: { type: 'publishable', token: expect.stringMatching(/^pk_test_\.\.\.\w{4}$/) },
      },
    });
  });

  test('401 without a key', async ({ api, session }) => {
    expect(
      await api('GET', `/api-keys/${session.apiKeyId}`, undefined, { key: null }),
    ).toMatchObject({
      status: 401,
    });
  });

  test('403 with a publishable key, also for its own record', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const { id } = await recordOf(session, key);
    expect(await api('GET', `/api-keys/${id}`, undefined, { key })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [] },
    });
  });

  test('404 for an unknown id and for keys of another tenant, mode or pricing model', async ({
    api,
    session,
    database,
  }) => {
    const other = await aTenant(database.orm.em);
    const live = await aLiveSession(session);
    const sibling = await aPricingModel(session);
    const foreign = [
      other.session.apiKeyId,
      (await recordOf(live, await aKey(live, 'secret'))).id,
      (await recordOf(sibling, await aKey(sibling, 'secret'))).id,
    ];
    for (const id of ['apikey_none', ...foreign]) {
      const { status, body } = await api('GET', `/api-keys/${id}`);
      const message = `ApiKey ${id} not found`;
      expect({ status, body }).toEqual({
        status: 404,
        body: { code: 'NOT_FOUND', message, issues: [] },
      });
    }
  });
});

describe('Authorization', () => {
  test.for(['Bearer ', 'bearer ', 'BEARER  ', ''])(
    '200 with «%s<key>»',
    async (scheme, { api, tenant }) => {
      const options = { key: null, headers: { authorization: `${scheme}${tenant.key}` } };
      expect(await api('GET', '/resources', undefined, options)).toMatchObject({ status: 200 });
    },
  );

  test('401 without the header states how to send it', async ({ api }) => {
    const missing = {
      code: 'UNAUTHORIZED',
      message: 'Authorization not provided',
      issues: [{ message: 'Authorization: must be Bearer <API key>, or the bare key' }],
    };
    for (const headers of [{}, { authorization: '' }]) {
      const { status, body } = await api('GET', '/resources', undefined, { key: null, headers });
      expect({ status, body }).toEqual({ status: 401, body: missing });
    }
  });

  test.for([
    'Bearer',
    'Basic sk_test_0123456789',
    'Bearer sk_test_0123456789 more',
    'sk_prod_0123456789',
    'Bearer sk_test_\'; drop table "api_key"',
    `sk_test_${'x'.repeat(5_000)}`,
  ])('401 for the malformed «%.40s»', async (authorization, { api }) => {
    const { status, body } = await api('GET', '/resources', undefined, {
      key: null,
      headers: { authorization },
    });
    const message = expect.stringMatching(/^(Authorization must be|The API key is incomplete)/);
    expect({ status, body }).toEqual({
      status: 401,
      body: { code: 'UNAUTHORIZED', message, issues: [] },
    });
  });

  test('401 for unknown, revoked and expired keys alike', async ({ api, session }) => {
    const { em, ...scope } = session;
    const fresh = () => ({ ...scope, em: em.fork() });
    const key = { name: 'Old', type: 'secret', pricingModelId: session.pricingModelId } as const;
    const revoked = await issueApiKey(
      fresh(),
      newCredential('secret', false, session.organizationId),
      {
        ...key,
        expiresAt: null,
      },
    );
    await revokeApiKey(fresh(), revoked.apiKey);
    const past = new Date(session.now.getTime() - 60_000);
    const expired = await issueApiKey(
      fresh(),
      newCredential('secret', false, session.organizationId),
      {
        ...key,
        expiresAt: past,
      },
    );

    for (const token of [
      newCredential('secret', false, session.organizationId),
      revoked.token,
      expired.token,
    ]) {
      const { status, body } = await api('GET', '/resources', undefined, { key: token });
      const message = 'The API key is unknown, revoked or expired';
      expect({ status, body }).toEqual({
        status: 401,
        body: { code: 'UNAUTHORIZED', message, issues: [] },
      });
    }
  });

  test('who asks is settled before what they send is looked at', async ({ api }) => {
    expect(await api('POST', '/resources', '{not json', { key: null })).toMatchObject({
      status: 401,
    });
  });
});
