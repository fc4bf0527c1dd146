import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { createClient } from 'graphql-ws';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { preparedUrl } from '../../support/database.ts';
import { startService } from '../../support/process.ts';
import { templateKey } from '../../support/secrets.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string };
  }[];
}

/** A collector of OTLP, with the spans that it has got. */
async function aCollector() {
  const spans: Span[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    spans.push(
      ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)),
    );
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { spans, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
}

const attributeOf = ({ attributes }: Span, name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue;

const aCustomer = { externalId: 'secret-id', name: 'Secret Name', email: 'secret@example.com' };

test('a request continues the trace of its caller down to its statements, without values, and the log has its ids', async () => {
  const { spans, url } = await aCollector();
  const service = await startService({
    DATABASE_URL: await preparedUrl(),
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    CRON: 'off',
  });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const answer = await fetch(`${service.url}/api/v1/customers`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${templateKey}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({ customer: aCustomer }),
  });
  expect(answer.status).toBe(200);
  await fetch(`${service.url}/api/v1/customers/secret-id`, {
    headers: { authorization: `Bearer ${templateKey}` },
  });
  service.kill('SIGTERM');
  expect(await service.ended()).toMatchObject({ code: 0 });

  const own = spans.filter((span) => span.traceId === traceId);
  const request = own.find(({ parentSpanId }) => parentSpanId === '00f067aa0ba902b7');
  expect(request?.name).toBe('POST /api/v1/customers');
  expect(request && attributeOf(request, 'tollgate.request_id')).toBe(
    answer.headers.get('x-request-id'),
  );
  const operation = own.find(({ name }) => name === 'mutation createCustomer');
  expect(operation?.parentSpanId).toBe(request?.spanId);
  const statements = own.filter(({ parentSpanId }) => parentSpanId === operation?.spanId);
  const texts = statements.map((span) => attributeOf(span, 'db.query.text') ?? '');
  expect(texts.some((text) => /insert into "?customer"?/i.test(text))).toBe(true);
  expect(texts.map((text) => text.toLowerCase())).toContain('commit');
  expect(JSON.stringify(spans)).not.toMatch(/secret-id|Secret Name|secret@example|sk_test/);
  expect(spans.map(({ name }) => name)).toContain('GET /api/v1/customers/*');
  const line = service
    .stdout()
    .split('\n')
    .find((line) => line.includes('"path":"/api/v1/customers"'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ traceId, spanId: request?.spanId });
});

test('an operation of a WebSocket begins a trace of its own, with its statements', async () => {
  const { spans, url } = await aCollector();
  const service = await startService({
    DATABASE_URL: await preparedUrl(),
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    CRON: 'off',
  });
  const client = createClient({
    url: `${service.url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${templateKey}` },
  });
  const query =
    'mutation { createResource(resource: { name: "Seats", slug: "seats" }) { resource { id } } }';
  const refused = 'mutation { archiveCustomer(externalId: "nobody") { customer { id } } }';
  for (const each of [query, refused]) for await (const _ of client.iterate({ query: each }));
  await client.dispose();
  service.kill('SIGTERM');
  expect(await service.ended()).toMatchObject({ code: 0 });
  const operation = spans.find(({ name }) => name === 'mutation createResource');
  expect(operation?.parentSpanId ?? '').toBe('');
  const below = spans.filter(({ parentSpanId }) => parentSpanId === operation?.spanId);
  expect(below.length).toBeGreaterThan(1);
  expect(new Set(below.map(({ traceId }) => traceId))).toEqual(new Set([operation?.traceId]));
  const other = spans.find(({ name }) => name === 'mutation archiveCustomer');
  expect(other && attributeOf(other, 'error.type')).toBe('NOT_FOUND');
});

test('a webhook continues the trace of its delivery', async () => {
  const { spans, url } = await aCollector();
  const received: (string | undefined)[] = [];
  const receiver = createServer((request, response) => {
    received.push(request.headers.traceparent as string | undefined);
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  const service = await startService({
    DATABASE_URL: await preparedUrl(),
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const call = (path: string, body: object) =>
    fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${templateKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { port } = receiver.address() as { port: number };
  const webhook = {
    name: 'Ours',
    url: `http://127.0.0.1:${port}/`,
    filterTypes: ['customer.created'],
  };
  expect((await call('/webhooks', { webhook })).status).toBe(200);
  expect((await call('/customers', { customer: aCustomer })).status).toBe(200);
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1);
  service.kill('SIGTERM');
  expect(await service.ended()).toMatchObject({ code: 0 });
  const [, traceId, spanId] = received[0]?.split('-') ?? [];
  const span = spans.find(({ name }) => name === 'send webhook');
  expect(span).toMatchObject({ traceId, spanId });
});

test('a collector that is gone delays neither a request nor the end of the process', async () => {
  const service = await startService({
    DATABASE_URL: await preparedUrl(),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
  });
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
  service.kill('SIGTERM');
  expect(await service.ended()).toMatchObject({ code: 0, stderr: '' });
});
