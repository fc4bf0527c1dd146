import { execFile, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { isBrowserHere, openBrowser } from '../../support/browser.ts';
import { aProduct } from '../../support/factories.ts';
import { freePorts } from '../../support/fleet/free-ports.ts';
import { until } from '../../support/fleet/member.ts';
import { dataFolder } from '../../support/process.ts';
import { ready } from '../../support/screen/dashboard.ts';
import { testSecretsKey } from '../../support/secrets.ts';
import { systemTest as test } from '../../support/test.ts';

const run = promisify(execFile);
const repository = path.resolve(import.meta.dirname, '../../..');
const megabytes = 512;

/** The commands that make the file system read-only in a namespace, apart from a temporary folder. */
const readOnly = [
  'mount --make-rprivate /',
  `mount --bind ${repository} ${repository}`,
  `mount -o remount,bind,ro ${repository}`,
  'mount -o remount,bind,ro /',
  'mount -t tmpfs tmpfs /tmp',
].join(' && ');

const reason = await obstacle();
if (reason) process.stdout.write(`The test of a container's conditions is skipped: ${reason}\n`);

describe.skipIf(reason)('a process under the conditions of a container', () => {
  test('serves as PID 1 with 512 MiB and a read-only file system, below a path behind a proxy with TLS (also the dashboard and WebSocket), and ends with 0', async ({
    database,
    tenant,
    session,
  }) => {
    const [port = 0, proxyPort = 0] = await freePorts(2);
    const publicUrl = `https://localhost:${proxyPort}/billing`;
    const service = await startContained({
      PORT: String(port),
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      DATABASE_URL: database.databaseUrl,
      SECRETS_KEY: testSecretsKey,
      PUBLIC_URL: publicUrl,
      TRUSTED_PROXIES: '1',
    });
    await startProxy(proxyPort, port);
    const ready = () => ask(`${publicUrl}/ready`);
    await until('the process to be ready', async () => (await ready()).status === 200);
    expect(await service.isReadOnly()).toBe(true);

    await aProduct(session, { slug: 'plan', price: { slug: 'plan', unitPrice: 1_000 } });
    const call = (method: string, to: string, body?: unknown) =>
      ask(`${publicUrl}/api/v1${to}`, { method, body, key: tenant.key });
    const customer = { externalId: 'c1', name: 'Ada', email: 'ada@example.com' };
    const created = await call('POST', '/customers', { customer });
    expect(created.status, created.text).toBe(200);
    const checkoutSession = {
      ...{ customerExternalId: 'c1', priceSlug: 'plan', type: 'product' },
      successUrl: 'https://shop.example.com/done',
      cancelUrl: 'https://shop.example.com/back',
    };
    const opened = await call('POST', '/checkout-sessions', { checkoutSession });
    const { url } = JSON.parse(opened.text);
    expect(url).toMatch(new RegExp(`^${publicUrl}/`));
    // The page and everything that it loads are below the path.
    const dashboard = [`${publicUrl}/`, `${publicUrl}/customers`, `${publicUrl}/invoices/inv_1`];
    const guides = [`${publicUrl}/docs`, `${publicUrl}/docs/getting-started`];
    for (const page of [url, ...guides, ...dashboard]) {
      const { status, text } = await ask(page, { accept: 'text/html' });
      expect([page, status]).toEqual([page, 200]);
      const [, base = ''] = /<base href="([^"]+)">/.exec(text) ?? [];
      const addresses = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(
        ([, address]) => address,
      );
      for (const address of new Set(addresses)) {
        if (address === base) continue;
        const target = new URL(address ?? '', new URL(base, page));
        if (target.host !== `localhost:${proxyPort}`) continue;
        expect([page, address, target.pathname.startsWith('/billing')]).toEqual([
          page,
          address,
          true,
        ]);
        if (base) expect([address, (await ask(target.href)).status]).toEqual([address, 200]);
      }
    }
    await followCustomers(publicUrl, tenant.key, () =>
      call('POST', '/customers', { customer: { ...customer, externalId: 'c2' } }),
    );
    if (isBrowserHere) await signIn(`${publicUrl}/customers`, tenant.key);
    const work = Array.from({ length: 40 }, async (_, client) => {
      for (let round = 0; round < 5; round++) {
        const name = `${client}-${round}`;
        const { status } = await call('POST', '/customers', {
          customer: { externalId: name, name, email: 'ada@example.com' },
        });
        expect(status).toBe(200);
        expect((await call('GET', '/customers?limit=100')).status).toBe(200);
      }
    });
    await Promise.all(work);
    const peak = await service.peakMegabytes();
    process.stdout.write(`At most ${peak} MiB\n`);
    expect(peak).toBeLessThan(megabytes);
    expect(await service.stop()).toBe(0);
  });
});

/** Why this machine cannot limit a process; undefined where it can. */
async function obstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux, and root';
  const isPossible = await run('unshare', [
    ...['--mount', '--pid', '--fork', '--mount-proc'],
    ...['sh', '-c', `${readOnly} && openssl version`],
  ]).then(
    () => true,
    () => false,
  );
  if (!isPossible) return 'namespaces, mounts or openssl are not available';
  return (await memoryFolder()) ? undefined : 'cgroups with memory are not available';
}

/** The folder of the control group for memory, and the name of its limit. */
async function memoryFolder(): Promise<{ folder: string; limit: string } | undefined> {
  const root = '/sys/fs/cgroup';
  const controllers = await readFile(`${root}/cgroup.subtree_control`, 'utf8').catch(() => '');
  if (/\bmemory\b/.test(controllers)) return { folder: root, limit: 'memory.max' };
  const older = `${root}/memory`;
  if (existsSync(`${older}/memory.limit_in_bytes`)) {
    return { folder: older, limit: 'memory.limit_in_bytes' };
  }
  return undefined;
}

async function startContained(settings: Readonly<Record<string, string>>) {
  const { folder: root = '', limit = '' } = (await memoryFolder()) ?? {};
  const group = path.join(root, `tollgate-test-${process.pid}`);
  await mkdir(group);
  await writeFile(path.join(group, limit), String(megabytes * 1024 * 1024));
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', '--mount-proc', 'sh', '-c'],
      `echo 0 > ${group}/cgroup.procs && ${readOnly} && exec "$0" src/launch.js src/main.ts`,
      process.execPath,
    ],
    { cwd: repository, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...settings } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const ended = once(child, 'exit').then(([code]) => Number(code));
  /** The process as this machine numbers it; there it is 1. */
  const processId = async () => {
    const file = `/proc/${child.pid}/task/${child.pid}/children`;
    return Number((await readFile(file, 'utf8').catch(() => '')).trim());
  };
  onTestFinished(async () => {
    const id = await processId();
    if (id) process.kill(id, 'SIGKILL');
    await ended;
    await rmdir(group);
  });
  return {
    async isReadOnly() {
      const lines = (await readFile(`/proc/${await processId()}/mounts`, 'utf8')).split('\n');
      const options = ['/', repository].map(
        (place) => lines.findLast((line) => line.split(' ')[1] === place)?.split(' ')[3] ?? '',
      );
      return options.every((some) => some.split(',').includes('ro'));
    },
    async peakMegabytes() {
      const status = await readFile(`/proc/${await processId()}/status`, 'utf8');
      return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
    },
    /** Returns the exit code. */
    async stop() {
      process.kill(await processId(), 'SIGTERM');
      const code = await ended;
      expect(code, output).toBe(0);
      return code;
    },
  };
}

/** A proxy that ends TLS, and takes the path `/billing` away. */
async function startProxy(port: number, to: number) {
  const folder = await dataFolder();
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')] as const;
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
    ...['-keyout', key, '-out', cert],
  ]);
  const secrets = { key: await readFile(key), cert: await readFile(cert) };
  await rm(folder, { recursive: true });
  const onwardOf = (request: http.IncomingMessage) => {
    const [, rest] = /^\/billing(\/.*)$/.exec(request.url ?? '') ?? [];
    if (!rest) return undefined;
    const headers = {
      ...request.headers,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': request.headers.host,
      'x-forwarded-prefix': '/billing',
    };
    const { method } = request;
    return http.request({ host: '127.0.0.1', port: to, method, path: rest, headers });
  };
  const proxy = https.createServer(secrets, (request, response) => {
    const onward = onwardOf(request);
    if (!onward) return void response.writeHead(404).end();
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  proxy.on('upgrade', (request, socket: Duplex) => {
    const onward = onwardOf(request);
    if (!onward) return void socket.destroy();
    onward.on('upgrade', ({ rawHeaders }, far) => {
      const lines = rawHeaders.map((text, place) => (place % 2 ? `${text}\r\n` : `${text}: `));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      socket.pipe(far).pipe(socket);
      socket.on('error', () => far.destroy());
      far.on('error', () => socket.destroy());
    });
    onward.on('response', ({ statusCode }) => socket.end(`HTTP/1.1 ${statusCode} \r\n\r\n`));
    onward.on('error', () => socket.destroy());
    onward.end();
  });
  await once(proxy.listen(port, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
}

/** Follows new customers over a WebSocket through the proxy, and makes one. */
async function followCustomers(publicUrl: string, key: string, make: () => Promise<unknown>) {
  const address = `${publicUrl.replace('https', 'wss')}/graphql`;
  const socket = new WebSocket(address, 'graphql-transport-ws', { rejectUnauthorized: false });
  const messages = on(socket, 'message');
  const next = async () => {
    const { value = [] } = await messages.next();
    return JSON.parse(String(value[0]));
  };
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: key } }));
  expect(await next()).toMatchObject({ type: 'connection_ack' });
  const query = 'subscription { events(types: ["customer.created"]) { type } }';
  socket.send(JSON.stringify({ id: 'one', type: 'subscribe', payload: { query } }));
  // The subscription is there when the service answers what was sent after it.
  socket.send(JSON.stringify({ type: 'ping' }));
  expect(await next()).toMatchObject({ type: 'pong' });
  await make();
  expect(await next()).toMatchObject({
    id: 'one',
    type: 'next',
    payload: { data: { events: { type: 'customer.created' } } },
  });
  socket.terminate();
}

/** Opens the dashboard in a browser, signed in: its rows are there, and it follows the feed. */
async function signIn(address: string, key: string) {
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('requestfailed', (request) => problems.push(request.url()));
  await page.addInitScript(`sessionStorage.setItem('tollgate.key', ${JSON.stringify(key)})`);
  await page.goto(address);
  await ready(page);
  await page.getByText('Ada').first().waitFor();
  expect(new URL(page.url()).pathname).toBe(new URL(address).pathname);
  await browser.close();
  expect(problems).toEqual([]);
}

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly accept?: string;
}

/** Calls through the proxy, whose certificate nobody has signed. */
async function ask(url: string, { method = 'GET', body, key, accept }: Asked = {}) {
  const request = https.request(url, {
    method,
    rejectUnauthorized: false,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(accept && { accept }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  const text = Buffer.concat(await Array.fromAsync(answer)).toString();
  return { status: answer.statusCode, text };
}
