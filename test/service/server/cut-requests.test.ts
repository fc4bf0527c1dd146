// @module-tag long
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { mailSwitchLink } from '#domain/platform/access/mail-switch-link.ts';
import { connect } from '#server/database/database.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway, type Gateway } from '#server/yoga.ts';
import { effort } from '../../support/effort.ts';
import { aCustomer, anOpenInvoice, aProduct } from '../../support/factories.ts';
import { startProxy } from '../../support/servers/proxy.ts';
import { aKey } from '../../support/tenant.ts';
import { test as base } from '../../support/test.ts';
import '../../support/properties.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
type Json = any;

/** The service on a port of its own, behind whose back the database can stall or be cut. */
const test = base.extend('service', { scope: 'file' }, async ({ database, hub }, { onCleanup }) => {
  const proxy = await startProxy(database.databaseUrl);
  const orm = await connect({ databaseUrl: proxy.databaseUrl, poolSize: 5 });
  const logger = createLogger('silent');
  const parts = { orm, hub, logger, production: true, operationTimeLimitSeconds: 30 };
  const { gateway, pending } = counted(createGateway(parts));
  const server = await startServer(gateway, { host: '127.0.0.1', port: 0 }, hub);
  const admin = new pg.Client({ connectionString: database.databaseUrl });
  await admin.connect();
  onCleanup(async () => {
    await admin.end();
    await server[Symbol.asyncDispose]();
    await orm.close(true);
    await proxy[Symbol.asyncDispose]();
  });
  return { url: new URL(server.url), gateway, proxy, admin, pending };
});

/** The gateway, and how many of its requests are not finished, also of those whose client has gone. */
function counted(gateway: Gateway) {
  let count = 0;
  const apply = (listener: Gateway, self: unknown, args: never) => {
    count += 1;
    return Promise.resolve(Reflect.apply(listener, self, args)).finally(() => (count -= 1));
  };
  return { gateway: new Proxy(gateway, { apply }), pending: () => count };
}

/** The sockets that this process has accepted, by the ports of their clients. */
const accepted = new Map<number, net.Socket>();
subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: net.Socket };
  accepted.set(socket.remotePort ?? 0, socket);
});

/** One request that writes, and what it changes. */
interface Writing {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** What the service has of its object, and what it has after the request. */
  read(): Promise<unknown>;
  readonly after: (before: unknown) => unknown;
}

/** When and how a client goes, and what the database does meanwhile. */
interface Going {
  readonly isChunked: boolean;
  readonly hasKey: boolean;
  /** The part that is sent, and where in it the client goes. */
  readonly place: 'head' | 'body' | 'end' | 'stays';
  readonly share: number;
  readonly after: number;
  readonly how: 'destroy' | 'end' | 'reset';
  readonly database: 'quick' | 'stalled' | 'cut';
  readonly longer: number;
}

const goings: fc.Arbitrary<Going> = fc.record({
  isChunked: fc.boolean(),
  hasKey: fc.boolean(),
  place: fc.constantFrom('head', 'body', 'body', 'end', 'end', 'stays'),
  share: fc.double({ min: 0, max: 0.999, noNaN: true }),
  after: fc.nat(60),
  how: fc.constantFrom('destroy', 'end', 'reset'),
  database: fc.constantFrom('quick', 'stalled', 'stalled', 'cut'),
  longer: fc.nat(100),
});

/** A request as bytes: the head, and the body with its length or in chunks. */
function bytesOf({ method, path, body }: Writing, key: string, isChunked: boolean, own: string[]) {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    isChunked ? 'transfer-encoding: chunked' : `content-length: ${Buffer.byteLength(body)}`,
    ...own,
  ].join('\r\n');
  const half = Math.ceil(body.length / 2);
  const chunks = [body.slice(0, half), body.slice(half), ''].map(
    (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
  );
  return { head: `${head}\r\n\r\n`, rest: isChunked ? chunks.join('') : body };
}

/** Sends a request, or its beginning, and goes; returns the status of the answer where it stays. */
async function sendAndGo(url: URL, { head, rest }: ReturnType<typeof bytesOf>, going: Going) {
  const { place, share, after, how } = going;
  const part = {
    head: head.slice(0, share * head.length),
    body: head + rest.slice(0, share * rest.length),
  };
  const socket = net.connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  await once(socket, 'connect');
  socket.write(place === 'head' || place === 'body' ? part[place] : head + rest);
  if (place === 'stays') while (!answer.includes('\r\n\r\n') && !socket.closed) await sleep(10);
  else await sleep(after);
  const { localPort = 0 } = socket;
  if (how === 'end') socket.end();
  else if (how === 'reset') socket.resetAndDestroy();
  else socket.destroy();
  // The service has read all that it will ever read.
  while (!accepted.get(localPort)?.closed) await sleep(5);
  accepted.delete(localPort);
  return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? Number.NaN);
}

/** Runs `work` while the lookup of keys stalls, or while each connection of the service is cut once. */
async function whileDatabase(
  { database, longer }: Going,
  {
    admin,
    proxy,
  }: { readonly admin: pg.Client; readonly proxy: Awaited<ReturnType<typeof startProxy>> },
  work: () => Promise<number>,
): Promise<number> {
  if (database === 'quick') return work();
  if (database === 'cut') {
    const [status] = await Promise.all([work(), sleep(longer / 4).then(() => proxy.cut())]);
    return status;
  }
  await admin.query('begin; lock table api_key in access exclusive mode');
  const working = work();
  await Promise.race([working, sleep(100)]);
  await sleep(longer);
  await admin.query('rollback');
  return working;
}

test('what is executed equals what was sent, or nothing, whenever its client goes; a repetition gets the first answer', async ({
  api,
  graphql,
  session,
  service,
}) => {
  const { externalId } = await aCustomer(session);
  const product = await aProduct(session);
  const { customerId } = await anOpenInvoice(session);
  await graphql('mutation($id: ID!) { payInvoice(id: $id) { invoice { status } } }', {
    id: (await api('GET', `/invoices?customerId=${customerId}`)).body.data[0].id,
  });
  const paid = (await api('GET', `/payments?customerId=${customerId}&status=succeeded`)).body
    .data[0];
  let count = 0;
  const writings: Readonly<Record<string, () => Writing>> = {
    rename: () => {
      const name = `Customer ${++count}`;
      return {
        method: 'PUT',
        path: `/api/v1/customers/${externalId}`,
        body: JSON.stringify({ customer: { name } }),
        read: async () => (await api('GET', `/customers/${externalId}`)).body.customer.name,
        after: () => name,
      };
    },
    // Without its amount it refunds all.
    refund: () => ({
      method: 'POST',
      path: `/api/v1/payments/${paid.id}/refund`,
      body: JSON.stringify({ partialAmount: ++count }),
      read: async () => (await api('GET', `/payments/${paid.id}`)).body.payment.refundedAmount ?? 0,
      after: (
        (amount: number) => (before: unknown) =>
          Number(before) + amount
      )(count),
    }),
    create: () => {
      const slug = `meter-${++count}`;
      return {
        method: 'POST',
        path: '/api/v1/usage-meters',
        body: JSON.stringify({ usageMeter: { name: 'Meter', slug } }),
        read: async () => (await api('GET', `/usage-meters?slug=${slug}`)).body.total,
        after: () => 1,
      };
    },
    graph: () => {
      const name = `Product ${++count}`;
      const query = `mutation { updateProduct(id: "${product.id}", product: { name: "${name}" }) { product { id } } }`;
      return {
        method: 'POST',
        path: '/graphql',
        body: JSON.stringify({ query }),
        read: async () =>
          (await graphql('query($id: ID!) { product(id: $id) { name } }', { id: product.id })).data
            .product.name,
        after: () => name,
      };
    },
  };

  const kinds = fc.constantFrom(...Object.keys(writings));
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(kinds, goings, async (kind, going) => {
      const writing = (writings[kind] as () => Writing)();
      const key = await aKey(session, 'secret');
      const own = going.hasKey ? [`idempotency-key: ${kind}-${count}`] : [];
      const before = await writing.read();
      const bytes = bytesOf(writing, key, going.isChunked, own);
      const status = await whileDatabase(going, service, () =>
        sendAndGo(service.url, bytes, going),
      );
      while (service.pending() > 0) await sleep(5);

      const now = await writing.read();
      const isDone = now !== before;
      if (isDone) expect(now).toEqual(writing.after(before));
      if (going.place === 'head' || going.place === 'body') expect(isDone).toBe(false);
      if (status === 200) expect(isDone).toBe(true);
      outcomes.add(`${going.place} ${isDone}`);
      if (!going.hasKey) return;

      const repeat = () => finalAnswer(service.url, writing, key, own);
      const first = await repeat();
      expect(first.status, JSON.stringify(first.body)).toBe(200);
      // An operation in steps whose last connection was cut has no kept answer yet: the repetition finishes it.
      if (going.database !== 'cut') expect(first.isReplayed).toBe(isDone);
      expect(await writing.read()).toEqual(writing.after(before));
      expect(await repeat()).toEqual({ ...first, isReplayed: true });
      expect(await writing.read()).toEqual(writing.after(before));
    }),
    { numRuns: Math.round(50 * effort) },
  );
  // Clients that have sent everything are not refused for going.
  expect([...outcomes]).toContain('end true');
  expect([...outcomes]).toContain('body false');
});

/** Sends a request whole until its answer is final. */
async function finalAnswer(url: URL, { method, path, body }: Writing, key: string, own: string[]) {
  for (;;) {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...Object.fromEntries(own.map((line) => line.split(': '))),
    };
    const response = await fetch(new URL(path, url), { method, headers, body });
    const answer: Json = await response.json();
    const isBusy = JSON.stringify(answer).includes('SERVICE_UNAVAILABLE');
    if (isBusy) continue;
    const isReplayed = response.headers.get('idempotent-replayed') === 'true';
    delete answer.extensions;
    return { status: response.status, body: answer, isReplayed };
  }
}

const form = 'application/x-www-form-urlencoded';
const key = { authorization: `Bearer sk_test_${'x'.repeat(30)}` };
const session = { cookie: `tollgate_portal=ct_test_${'x'.repeat(21)}.zzzzzzzz.${'x'.repeat(43)}` };
const switching = mailSwitchLink({ customerId: 'cust_x', kind: 'alert', epoch: 0 });

test.for([
  ['/api/v1/payments/pym_x/refund', 'application/json', key],
  ['/graphql', 'application/json', key],
  ['/portal/cancel', form, session],
  ['/checkout/chckt_session_x?key=x', form, {}],
  ['/sandbox/pages/x', form, {}],
  ['/sandbox/confirmations/x', form, {}],
  [switching, form, {}],
  [switching, 'multipart/form-data; boundary=x', {}],
  ['/auth/sign-in', 'application/json', {}],
  ['/auth/invitations/accept', 'application/json', {}],
  ['/processors/stripe/org_x', 'application/json', {}],
] as const)(
  '%s (%s) reads its body before it asks the database',
  async ([path, type, more], { service }) => {
    // Each statement of the service waits for ever.
    service.proxy.swallowAll();
    onTestFinished(() => {
      service.proxy.heal();
      service.proxy.cut();
    });
    const whole = '{"partialAmount": 100, "query": "mutation { x }", "a": "';
    const cutOff = () => {
      let isFirst = true;
      return new ReadableStream({
        pull(controller) {
          if (isFirst) controller.enqueue(Buffer.from(whole));
          else controller.error(new Error('aborted'));
          isFirst = false;
        },
      });
    };
    const short = () => new Blob([whole]).stream();
    for (const [body, headers] of [
      [cutOff(), {}],
      [short(), { 'content-length': String(whole.length + 1) }],
    ] as const) {
      const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
      const all = { 'content-type': type, ...more, ...headers };
      const response = await service.gateway.fetch(`http://test${path}`, { ...init, headers: all });
      expect([400, 403]).toContain(response.status);
    }
  },
);
