import { runInNewContext } from 'node:vm';
import { describe, expect } from 'vitest';
import { readConfig } from '#config';
import { responseHeaders } from '#rest/openapi/responses.ts';
import type { CheckedPool } from '#server/database/pool.ts';
import { watchReadiness } from '#server/health/readiness.ts';
import { dashboardIn } from '#server/http/dashboard-files.ts';
import { publicOrigin } from '#server/http/public-origin.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { readable } from '../../../src/tools/api/readable.ts';
import { receiverPort, serviceAddress } from '../../../src/tools/service-address.ts';
import { testSecretsKey } from '../../support/secrets.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('its gateway has settings of its own').extend(
  'gateway',
  { scope: 'file' },
  async ({ database, hub }, { onCleanup }) => {
    const { orm, databaseUrl } = database;
    const logger = createLogger('error');
    const pool = (await orm.em.getConnection().getNativeClient()) as CheckedPool;
    const onStuck = () => expect.fail('The pool is stuck');
    const readiness = await watchReadiness({
      databaseUrl,
      pool,
      logger,
      stuckSeconds: 60,
      onStuck,
    });
    onCleanup(() => readiness[Symbol.asyncDispose]());
    const dashboard = dashboardIn('/nothing/is/built/here');
    const parts = { orm, hub, logger, readiness, dashboard, operationTimeLimitSeconds: 30 };
    return createGateway({ ...parts, production: false });
  },
);

describe('GET /', () => {
  test('is a page that loads nothing, where the dashboard is not built', async ({ gateway }) => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const response = await gateway.fetch('http://test/', { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await response.text();
    expect(html).toContain('Ready');
    expect(html).toContain('tollgate keys create');
    expect(html).not.toMatch(/<script|https?:\/\/(?!www\.w3)/);
    for (const [, href] of html.matchAll(/href="([^"]+)"/g)) expect(href).not.toMatch(/^\//);
  });

  test('is JSON for every other client, and there is an icon', async ({ gateway }) => {
    const response = await gateway.fetch('http://test/');
    expect(await response.json()).toMatchObject({ name: 'Tollgate', status: 'ready' });
    const icon = await gateway.fetch('http://test/favicon.ico');
    expect(icon.headers.get('content-type')).toBe('image/svg+xml');
  });

  test('leads to pages that are there, by relative addresses', async ({ gateway }) => {
    const { links } = (await (await gateway.fetch('http://test/')).json()) as {
      links: Record<string, string>;
    };
    for (const name of ['docs', 'ready']) {
      expect((await gateway.fetch(`http://test/${links[name]}`)).status).toBe(200);
    }
    const docs = await (await gateway.fetch('http://test/docs')).text();
    expect(docs).not.toMatch(/(src|href)="\//);
    const moved = await gateway.fetch('http://test/docs/', { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '../docs']);
  });
});

test('GET /docs is dark where the browser prefers that, also when the preference changes', async ({
  gateway,
}) => {
  const script = await (await gateway.fetch('http://test/docs/start.js')).text();
  const classes = new Set<string>();
  const toggle = (name: string, on: boolean) =>
    void (on ? classes.add(name) : classes.delete(name));
  let change = () => {};
  const dark = {
    matches: true,
    addEventListener: (_: string, paint: () => void) => (change = paint),
  };
  runInNewContext(script, {
    location: new URL('http://test/docs'),
    document: { documentElement: { classList: { toggle } } },
    matchMedia: (query: string) => (query === '(prefers-color-scheme: dark)' ? dark : undefined),
    fetch: () => new Promise(() => {}),
  });
  expect([...classes]).toEqual(['dark-mode']);
  // The viewer's own style defines the class.
  const style = await (await gateway.fetch('http://test/docs/swagger-ui.css')).text();
  expect(style).toContain('html.dark-mode .swagger-ui{');
  dark.matches = false;
  change();
  expect([...classes]).toEqual([]);
});

test('CORS_ORIGINS restricts which pages may call the service', async ({ database, hub }) => {
  const allowedFor = async (setting: string, origin: string) => {
    const { corsOrigins } = readConfig({ CORS_ORIGINS: setting });
    const gateway = createGateway({
      orm: database.orm,
      hub,
      logger: createLogger('silent'),
      production: false,
      operationTimeLimitSeconds: 30,
      corsOrigins,
    });
    const response = await gateway.fetch('http://test/api/v1/products', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    return response.headers.get('access-control-allow-origin');
  };
  const [mine, other] = ['https://app.example.com', 'https://evil.example'];
  expect(await allowedFor('*', other)).toBe(other);
  expect(await allowedFor('none', mine)).toBe(null);
  for (const setting of [mine, `${mine}, https://b.example.com`]) {
    expect(await allowedFor(setting, mine)).toBe(mine);
    expect(await allowedFor(setting, other)).toBe(null);
    expect(await allowedFor(setting, 'null')).toBe(null);
  }
  for (const own of [
    'http://localhost:5173',
    'https://127.0.0.1',
    'http://[::1]:80',
    'http://a.localhost',
  ]) {
    expect(await allowedFor('loopback', own)).toBe(own);
  }
  for (const foreign of [
    ...[
      'https://a.example',
      'null',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
    ],
    ...['http://10.0.0.1', 'file://localhost', 'http://xlocalhost'],
  ]) {
    expect(await allowedFor('loopback', foreign)).toBe(null);
  }
  expect(readConfig({}).corsOrigins).toBe('loopback');
  const address = 'postgresql://u:p@db.example/tollgate';
  const production = { NODE_ENV: 'production', DATABASE_URL: address, SECRETS_KEY: testSecretsKey };
  const publicUrl = { PUBLIC_URL: 'https://billing.example.com' };
  expect(readConfig({ ...production, ...publicUrl }).corsOrigins).toBe('*');
  for (const wrong of ['app.example.com', 'https://a.example/', '*,https://a.example', 'all']) {
    expect(() => readConfig({ CORS_ORIGINS: wrong })).toThrow(/CORS_ORIGINS must be/);
  }
});

test('a page of another origin reads every documented header, and sends one preflight in two hours', async ({
  gateway,
}) => {
  const origin = 'https://app.example.com';
  const send = (method: string) =>
    gateway.fetch('http://test/api/v1/products', {
      method,
      headers: { origin, 'access-control-request-method': 'GET' },
    });
  const exposed = (await send('GET')).headers.get('access-control-expose-headers');
  const documented = Object.keys(responseHeaders).map((name) => name.toLowerCase());
  const readable = exposed?.split(', ').map((name) => name.toLowerCase().replaceAll('-', ''));
  expect(readable).toEqual(
    expect.arrayContaining(documented.map((name) => name.replace(/^requestid$/, 'xrequestid'))),
  );
  expect((await send('OPTIONS')).headers.get('access-control-max-age')).toBe('7200');
});

test('links begin with PUBLIC_URL, with what a trusted proxy states, or with the request’s own address', () => {
  const headers = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'pay.example.com',
    'x-forwarded-prefix': '/billing/',
  };
  const request = new Request('http://10.0.0.5:4000/api/v1/invoices', { headers });
  expect(publicOrigin({}, request)).toBe('http://10.0.0.5:4000');
  expect(publicOrigin({ trustProxy: true }, request)).toBe('https://pay.example.com/billing');
  expect(publicOrigin({ publicUrl: 'https://a.example', trustProxy: true }, request)).toBe(
    'https://a.example',
  );
  const hostile = new Request('http://10.0.0.5:4000/', {
    headers: {
      'x-forwarded-proto': 'javascript',
      'x-forwarded-host': 'a.example/"><x',
      'x-forwarded-prefix': '//evil.example',
    },
  });
  expect(publicOrigin({ trustProxy: true }, hostile)).toBe('http://10.0.0.5:4000');
});

describe('The tools', () => {
  test('find the service by URL, else by PORT, else at port 4000', () => {
    expect(serviceAddress({}).href).toBe('http://127.0.0.1:4000/');
    expect(serviceAddress({ PORT: '4810' }).href).toBe('http://127.0.0.1:4810/');
    const named = serviceAddress({ URL: 'http://localhost:5000', PORT: '4810' });
    expect([named.port, receiverPort(named)]).toEqual(['5000', 5001]);
  });

  test('print times for people and leave everything else as it is', () => {
    const answer = { id: 'a', createdAt: 1769853600000, unitPrice: 4900, trialEnd: null };
    expect(JSON.parse(readable(JSON.stringify(answer)))).toEqual({
      ...answer,
      createdAt: '2026-01-31T10:00:00.000Z',
    });
    expect(readable('not JSON')).toBe('not JSON');
  });
});
