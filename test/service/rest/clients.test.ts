// @module-tag long
import http from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import type { EventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import type { TestDatabase } from '../../support/database.ts';
import { aCustomer } from '../../support/factories.ts';
import { test } from '../../support/test.ts';

const serve = ({ orm }: TestDatabase, hub: EventHub, publicUrl?: string) =>
  startServer(
    createGateway({
      orm,
      hub,
      logger: createLogger('error'),
      production: false,
      operationTimeLimitSeconds: 30,
      publicUrl,
    }),
    { host: '127.0.0.1', port: 0 },
    hub,
  );

/** The answer of a server to a request as it is written here, head and body. */
async function said(url: string, request: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(request);
  return (await socket.toArray()).join('');
}

const request = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');

describe('HTTP as clients speak it', () => {
  test.for([
    ['h2c', ['Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABk']],
    ['TLS/1.0', ['Upgrade: TLS/1.0', 'Connection: Upgrade']],
    ['several', ['Upgrade: h2c, websocket', 'Connection: Upgrade']],
    ['websocket where there is none', ['Upgrade: websocket', 'Connection: Upgrade']],
  ] as const)('an offered upgrade to %s is ignored', async ([_, headers], { database, hub }) => {
    await using server = await serve(database, hub);
    const answer = await said(server.url, request('GET /health', ...headers));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\{"status":"ok"\}$/s);
  });

  test('a body arrives in spite of an offered upgrade, and WebSockets still open', async ({
    database,
    hub,
    tenant,
  }) => {
    await using server = await serve(database, hub);
    const body = '{"query":"{ __typename }"}';
    const answer = await said(
      server.url,
      `${request('POST /graphql', 'Upgrade: h2c', 'Connection: Upgrade', `Authorization: Bearer ${tenant.key}`, 'Content-Type: application/json', `Content-Length: ${body.length}`)}${body}`,
    );
    expect(answer).toContain('{"data":{"__typename":"Query"}}');

    const address = `${server.url.replace('http', 'ws')}/graphql`;
    const socket = new WebSocket(address, 'graphql-transport-ws');
    const acknowledged = new Promise((resolve) =>
      socket.once('message', (data) => resolve(`${data}`)),
    );
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(
      JSON.stringify({
        type: 'connection_init',
        payload: { authorization: `Bearer ${tenant.key}` },
      }),
    );
    expect(await acknowledged).toBe('{"type":"connection_ack"}');
    socket.terminate();
  });

  test('HTTP/2 without asking is refused in HTTP/1.1', async ({ database, hub }) => {
    await using server = await serve(database, hub);
    expect(await said(server.url, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 .*"code":"BAD_REQUEST"/s,
    );
  });

  test('a target in absolute form is its path', async ({ database, hub, tenant }) => {
    await using server = await serve(database, hub);
    const key = `Authorization: Bearer ${tenant.key}`;
    const read = (target: string) => said(server.url, request(`GET ${target}`, key));
    const listed = /^HTTP\/1\.1 200 .*"total":1\}$/s;
    expect(await read('http://billing.example/api/v1/products?limit=1')).toMatch(listed);
    expect(await read('HTTPS://billing.example:444/api/v1/products')).toMatch(listed);
    expect(await read('http://billing.example/nothing')).toMatch(/^HTTP\/1\.1 404 /);
    expect(await read('http://not%20a%20host/api/v1/products')).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('HEAD is GET without the body, wherever GET is', async ({ database, hub, tenant }) => {
    await using server = await serve(database, hub);
    const key = `Authorization: Bearer ${tenant.key}`;
    for (const path of [
      '/health',
      '/docs',
      '/api/v1/openapi.json',
      '/api/v1/openapi-3.0.json',
      '/api/v1/products',
      '/api/v1/products/none',
      '/api/v1/nothing',
      '/graphql?query=%7B__typename%7D',
    ]) {
      const [got = '', had = ''] = await Promise.all(
        ['GET', 'HEAD'].map((method) => said(server.url, request(`${method} ${path}`, key))),
      );
      const head = (answer: string) =>
        answer.split('\r\n\r\n')[0]?.replace(/^(x-request-id|date): .*$/gim, '');
      expect(head(had), path).toBe(head(got));
      expect(had.split('\r\n\r\n')[1], path).toBe('');
      expect(got.split('\r\n\r\n')[1], path).not.toBe('');
    }
  });

  test('node:http keeps a connection over HEAD and an offered upgrade', async ({
    database,
    hub,
  }) => {
    await using server = await serve(database, hub);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { connection: 'Upgrade', upgrade: 'h2c' };
    const statuses = [];
    for (const method of ['HEAD', 'GET', 'HEAD', 'GET']) {
      const asked = http.request(`${server.url}/health`, { agent, method, headers }).end();
      const answer = await new Promise<http.IncomingMessage>((resolve, reject) =>
        asked.on('response', resolve).on('error', reject),
      );
      statuses.push([answer.statusCode, (await answer.toArray()).join('')]);
    }
    agent.destroy();
    expect(statuses.map(([status]) => status)).toEqual([200, 200, 200, 200]);
    expect(statuses.map(([, body]) => body)).toEqual([
      '',
      '{"status":"ok"}',
      '',
      '{"status":"ok"}',
    ]);
  });
});

describe('Paths', () => {
  test('a trailing slash makes no difference', async ({ api, session }) => {
    const { externalId, id } = await aCustomer(session);
    expect((await api('GET', '/customers/')).body).toMatchObject({ total: 1, data: [{ id }] });
    expect((await api('GET', `/customers/${externalId}/`)).body.customer.id).toBe(id);
    expect((await api('GET', `/customers/${externalId}/billing/`)).body.customer.id).toBe(id);
  });

  test('a customer can be read and changed by whatever external id it was created with', async ({
    api,
  }) => {
    const parts = fc.constantFrom(
      ...['a', 'Z', '0', '.', '..', '/', '%', '%2F', '%25', '?', '#', '&', '+', ';', ':', '@', '='],
      ...[
        ' ',
        '\\',
        '"',
        "'",
        '<',
        '|',
        '~',
        'ä',
        '日',
        '💸',
        '\t',
        '\n',
        '\u0085',
        '{',
        '^',
        '`',
        ',',
      ],
    );
    const externalIds = fc
      .array(parts, { minLength: 1, maxLength: 12 })
      .map((texts) => `x${texts.join('')}y`);
    await fc.assert(
      fc.asyncProperty(externalIds, async (externalId) => {
        const customer = { name: 'A', email: 'a@example.com', externalId };
        const created = await api('POST', '/customers', { customer });
        // Two runs may make the same one.
        fc.pre(created.status === 200);
        const path = `/customers/${encodeURIComponent(externalId)}`;
        const { body, status } = await api('GET', path);
        expect({ status, externalId: body.customer?.externalId }).toEqual({
          status: 200,
          externalId,
        });
        const renamed = await api('PUT', path, { customer: { name: 'B' } });
        expect(renamed.body.customer?.name).toBe('B');
      }),
      { numRuns: 40 },
    );
  });

  test('an external id of 255 characters is read, the longest in percent-encoding too', async ({
    api,
  }) => {
    for (const externalId of [
      'x'.repeat(255),
      '日'.repeat(255),
      '💸'.repeat(127),
      'health',
      'graphql',
    ]) {
      const customer = { name: 'A', email: 'a@example.com', externalId };
      expect((await api('POST', '/customers', { customer })).status).toBe(200);
      for (const path of ['', '/billing', '/usage-balances']) {
        const { status } = await api('GET', `/customers/${encodeURIComponent(externalId)}${path}`);
        expect(status, `${externalId}${path}`).toBe(200);
      }
    }
  });

  test('external ids that no path can hold are refused', async ({ api }) => {
    for (const externalId of ['.', '..']) {
      const customer = { name: 'A', email: 'a@example.com', externalId };
      const { status, body } = await api('POST', '/customers', { customer });
      expect(status).toBe(400);
      expect(body.issues).toEqual([{ message: expect.stringContaining('customer.externalId: ') }]);
    }
  });

  test.for(['/nothing', '//api/v1/products', '/API/V1/products', '/api/v2', '/documents/x/y'])(
    '%s is a 404 in the documented shape',
    async (path, { gateway }) => {
      for (const method of ['GET', 'POST']) {
        const response = await gateway.fetch(`http://test${path}`, { method });
        expect(response.status).toBe(404);
        expect(await response.json()).toEqual({
          code: 'NOT_FOUND',
          message: expect.stringContaining('/api/v1'),
          issues: [],
        });
      }
    },
  );
});

describe('Headers of answers', () => {
  test('keep browsers from guessing, storing and framing', async ({ gateway, tenant }) => {
    const headersOf = async (path: string, accept = '*/*') => {
      const headers = { authorization: `Bearer ${tenant.key}`, accept };
      return (await gateway.fetch(`http://test${path}`, { headers })).headers;
    };
    for (const path of ['/health', '/api/v1/products', '/api/v1/x', '/x', '/graphql?query={id}']) {
      const headers = await headersOf(path);
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('no-referrer');
      expect(headers.get('cache-control'), path).toBe('no-store');
      expect(headers.has('strict-transport-security'), path).toBe(false);
    }
    for (const path of ['/docs', '/graphql']) {
      const headers = await headersOf(path, 'text/html');
      expect(headers.get('content-type')).toContain('text/html');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('state HSTS where the service is reached over https', async ({ database, hub }) => {
    await using server = await serve(database, hub, 'https://billing.example/base');
    const { headers } = await fetch(`${server.url}/health`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  test('challenge who has no key, over REST and GraphQL', async ({ gateway }) => {
    for (const path of ['/api/v1/products', '/graphql?query=%7Borganization%7Bid%7D%7D']) {
      for (const headers of [{}, { authorization: 'Bearer sk_test_unknown' }]) {
        const response = await gateway.fetch(`http://test${path}`, { headers });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Tollgate"');
      }
    }
  });

  test('health is the documented body, whatever else ends like its path', async ({
    gateway,
    api,
  }) => {
    for (const path of ['/health', '/health/', '/health?x=1']) {
      const response = await gateway.fetch(`http://test${path}`);
      expect(await response.json(), path).toEqual({ status: 'ok' });
    }
    expect((await api('GET', '/customers/health')).body.code).toBe('NOT_FOUND');
    expect((await api('GET', '/products?cursor=/health')).status).toBe(400);
  });
});
