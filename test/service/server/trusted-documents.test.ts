import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient as createSseClient } from 'graphql-sse';
import { describe, expect } from 'vitest';
import { readConfig } from '#config';
import { readTrustedDocuments } from '#server/operations/read-trusted-documents.ts';
import { aCustomer } from '../../support/factories.ts';
import { aKey } from '../../support/tenant.ts';
import { test as base, serve, socketOf } from '../../system/clients/service.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const read = 'query Products { products { totalCount } }';
const write =
  'mutation Make($name: String!) { createTestClock(testClock: { name: $name, frozenTime: 0 }) { testClock { id } } }';
const live = 'subscription Follow { revenueChanged { __typename } }';
const old = 'query Old { removedField }';
const own = 'query Own { customers { totalCount } }';
const manifest = Object.fromEntries(
  [read, own, write, live, old].map((text) => [sha256(text), text]),
);

const test = base
  .extend('warnings', { scope: 'file' }, () => [] as string[])
  .extend(
    'served',
    { scope: 'file' },
    async ({ database, hub, folder, warnings }, { onCleanup }) => {
      await writeFile(join(folder, 'page.json'), JSON.stringify(manifest));
      const settings = { TRUSTED_DOCUMENTS: folder, TRUSTED_DOCUMENTS_ONLY: 'publishable, token' };
      const trusted = await readTrustedDocuments(readConfig(settings), (line) =>
        warnings.push(line),
      );
      const server = await serve(database.orm, hub, { trustedDocuments: trusted });
      onCleanup(() => server[Symbol.asyncDispose]());
      return server.url;
    },
  )
  .extend('send', ({ served, tenant }) => sendTo(served, tenant.key));

/** Sends a GraphQL request as it is written here. */
const sendTo =
  (url: string, ownKey: string) =>
  async (body: object, { key = ownKey, headers = {} } = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${key}`,
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return response.json();
  };

const products = { data: { products: { totalCount: 1 } } };
const trustedOnly = {
  errors: [{ message: expect.stringContaining('documentId'), extensions: { code: 'FORBIDDEN' } }],
};

describe('a trusted document', () => {
  test.for<[string, object]>([
    ['documentId', { documentId: `sha256:${sha256(read)}` }],
    ['documentId as in the manifest', { documentId: sha256(read) }],
    ['Apollo’s hash', { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(read) } } }],
  ])(
    'is executed by its %s, over HTTP, GET and WebSocket',
    async ([, named], { send, served, tenant }) => {
      expect(await send(named)).toEqual(products);
      const parts = Object.entries(named).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      const got = await fetch(`${served}/graphql?${new URLSearchParams(parts)}`, {
        headers: { authorization: tenant.key },
      });
      expect(await got.json()).toEqual(products);
      const client = socketOf(served, tenant.key);
      for await (const result of client.iterate({ query: '', ...named })) {
        expect(result).toEqual(products);
      }
      await client.dispose();
    },
  );

  test('is executed once with an idempotency key, whether it is sent by id or as a text', async ({
    send,
  }) => {
    const request = { variables: { name: 'A clock' } };
    const headers = { 'idempotency-key': 'clock-1' };
    const first = await send({ ...request, documentId: sha256(write) }, { headers });
    const second = await send({ ...request, query: write }, { headers });
    expect(first.data.createTestClock.testClock.id).toMatch(/_/);
    expect(second.data).toEqual(first.data);
    expect(second.extensions.idempotentReplayed).toBe(true);
  });

  test('that is live is followed over SSE', async ({ served, tenant }) => {
    const client = createSseClient({
      url: `${served}/graphql`,
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    const named = { query: '', documentId: sha256(live) };
    for await (const result of client.iterate(named)) {
      expect(result.errors).toBeUndefined();
      expect(result.data).toHaveProperty('revenueChanged');
      break;
    }
    client.dispose();
  });

  test('that is unknown is refused with the code after which Apollo Client sends the text', async ({
    send,
  }) => {
    expect(await send({ documentId: 'sha256:unknown' })).toMatchObject({
      errors: [
        {
          message: expect.stringContaining('sha256:unknown'),
          extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
        },
      ],
    });
  });

  test('that does not fit the schema is a warning at the start, and an error when executed', async ({
    send,
    warnings,
  }) => {
    expect(warnings).toEqual([expect.stringMatching(/page\.json.*removedField/)]);
    const { errors } = await send({ documentId: sha256(old) });
    expect(errors[0].message).toContain('removedField');
  });
});

describe('a credential that may execute trusted documents only', () => {
  test('is refused for any other text, over HTTP, SSE and WebSocket', async ({
    send,
    served,
    session,
  }) => {
    const key = await aKey(session, 'publishable');
    const query = '{ products { nodes { id } } }';
    expect(await send({ query }, { key })).toMatchObject(trustedOnly);
    expect(await send({ query, documentId: sha256(read) }, { key })).toMatchObject(trustedOnly);
    const sse = { headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' } };
    const streamed = await fetch(`${served}/graphql?${new URLSearchParams({ query })}`, sse);
    expect(await streamed.text()).toContain('documentId');
    const client = socketOf(served, key);
    await expect(client.iterate({ query }).next()).rejects.toMatchObject(trustedOnly.errors);
    await client.dispose();
  });

  test('may be a customer token', async ({ send, session }) => {
    const { id } = await aCustomer(session);
    const issue = 'mutation ($id: ID!) { createCustomerToken(customer: $id) { token } }';
    const { data } = await send({ query: issue, variables: { id } });
    const key = data.createCustomerToken.token;
    expect(await send({ query: '{ customers { totalCount } }' }, { key })).toMatchObject(
      trustedOnly,
    );
    expect(await send({ documentId: sha256(own) }, { key })).toEqual({
      data: { customers: { totalCount: 1 } },
    });
  });

  test('executes them by id and as their exact text', async ({ send, session }) => {
    const key = await aKey(session, 'publishable');
    expect(await send({ documentId: sha256(read) }, { key })).toEqual(products);
    expect(await send({ query: read }, { key })).toEqual(products);
  });

  test('uses REST as before', async ({ served, session }) => {
    const key = await aKey(session, 'publishable');
    const response = await fetch(`${served}/api/v1/products`, { headers: { authorization: key } });
    expect(response.status).toBe(200);
  });
});

test('the settings are refused where no document could be read', async ({ folder }) => {
  expect(() => readConfig({ TRUSTED_DOCUMENTS_ONLY: 'all' })).toThrow('needs TRUSTED_DOCUMENTS');
  expect(() => readConfig({ TRUSTED_DOCUMENTS_ONLY: 'some' })).toThrow('must be all, none');
  const readAt = (TRUSTED_DOCUMENTS: string) =>
    readTrustedDocuments(readConfig({ TRUSTED_DOCUMENTS }), () => {});
  await expect(readAt(join(folder, 'none.json'))).rejects.toThrow('cannot be read');
  const other = join(folder, 'other');
  await mkdir(other);
  await writeFile(join(other, 'a.json'), '[1]');
  await expect(readAt(other)).rejects.toThrow('must be an object of documents');
  await writeFile(join(other, 'a.json'), JSON.stringify({ operations: [{ id: 'x', body: read }] }));
  expect((await readAt(other)).texts.get('x')).toBe(read);
});

describe('the cost of an operation', () => {
  const query = '{ products(first: 3) { nodes { prices { id } } } }';
  const cost = { requested: 64, allowed: 200_000, depth: 3, allowedDepth: 12 };

  test('is in the extensions of the answer to a request that asks for it', async ({
    send,
    served,
    tenant,
  }) => {
    expect((await send({ query })).extensions).toBeUndefined();
    expect((await send({ query, extensions: { cost: true } })).extensions).toEqual({ cost });
    expect((await send({ query }, { headers: { prefer: 'cost' } })).extensions).toEqual({ cost });
    const client = socketOf(served, tenant.key);
    const asked = { query: live, extensions: { cost: true } };
    for await (const result of client.iterate(asked)) {
      expect(result.extensions).toMatchObject({ cost: { requested: 20 } });
      break;
    }
    await client.dispose();
  });

  test('is in the refusal of an operation that costs too much', async ({ gateway, session }) => {
    const query = '{ products(first: 100) { nodes { prices { id } } } }';
    const key = await aKey(session, 'publishable');
    const response = await gateway.fetch('http://test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: key, prefer: 'cost' },
      body: JSON.stringify({ query }),
    });
    const { errors, extensions } = await response.json();
    expect(errors[0].message).toContain('The cost of the operation is 2101');
    expect(extensions.cost).toMatchObject({ requested: 2_101, allowed: 1_000 });
  });

  test('is not in the bodies of REST', async ({ api }) => {
    const { body } = await api('GET', '/products', undefined, { headers: { prefer: 'cost' } });
    expect(body).not.toHaveProperty('extensions');
  });
});
