import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { Hono } from 'hono';
import { describe, expect, onTestFinished } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { webhookHandler as ofExpress } from '../../../../dashboard/adapters/webhooks/src/express.ts';
import { webhookHandler as ofHono } from '../../../../dashboard/adapters/webhooks/src/hono.ts';
import {
  webhookHandler as ofFetch,
  type WebhookOptions,
} from '../../../../dashboard/adapters/webhooks/src/index.ts';
import type { WebhookEvent } from '../../../../dashboard/client/src/webhooks.ts';
import { aResource } from '../../../support/factories.ts';
import { aReceiver, type Received } from '../../../support/outside/receiver.ts';
import { aHook, test } from '../deliveries.ts';

type Send = (request: RequestInit) => Promise<Response>;

/** Serves a listener of `node:http`, and sends requests to it. */
async function served(listener: Parameters<typeof createServer>[1]): Promise<Send> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (request) => fetch(`http://127.0.0.1:${port}/webhooks`, request);
}

const failed: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(500).send(`${error}`);
};

/** An application of each kind, which handles deliveries at `/webhooks`. */
const applications = {
  fetch: async (options: WebhookOptions): Promise<Send> => {
    const handle = ofFetch(options);
    return (request) =>
      handle(new Request('http://app/webhooks', request)).catch(
        (error) => new Response(`${error}`, { status: 500 }),
      );
  },
  hono: async (options: WebhookOptions): Promise<Send> => {
    const app = new Hono().all('/webhooks', ofHono(options));
    app.onError((error) => new Response(`${error}`, { status: 500 }));
    return async (request) => app.request('/webhooks', request);
  },
  express: (options: WebhookOptions) =>
    served(express().all('/webhooks', ofExpress(options)).use(express.json()).use(failed)),
  'express with a raw body': (options: WebhookOptions) => {
    const raw = express.raw({ type: () => true });
    return served(express().all('/webhooks', raw, ofExpress(options)).use(failed));
  },
} as const;

/** A delivery as the service sends it, and the secret of its webhook. */
async function aDelivery(session: Session, deliver: () => Promise<void>) {
  const receiver = await aReceiver();
  const { secret } = await aHook(session, receiver.url);
  const { id } = await aResource(session);
  await deliver();
  const [{ body, headers }] = receiver.received as [Received];
  const own = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
  return { id, secret, body, headers: Object.fromEntries(own) as Record<string, string> };
}

describe.for(Object.entries(applications))('a handler of webhooks for %s', ([_, start]) => {
  test('acts on what the service sends, and on nothing else', async ({ session, deliver }) => {
    const { id, secret, body, headers } = await aDelivery(session, deliver);
    const events: WebhookEvent[] = [];
    const onEvent = (event: WebhookEvent) => events.push(event);
    const send = await start({ secrets: secret, onEvent, largestBytes: body.length });
    const sent = { method: 'POST', headers, body };
    for (const [status, change] of [
      [400, { body: body.replace('resource.created', 'resource.deleted') }],
      [400, { headers: {} }],
      [405, { method: 'PUT' }],
    ] as const) {
      expect((await send({ ...sent, ...change })).status, JSON.stringify(change)).toBe(status);
    }
    expect((await send({ ...sent, body: `${body} ` })).status).toBe(413);
    expect(events).toEqual([]);
    expect((await send(sent)).status).toBe(200);
    expect(events).toMatchObject([{ type: 'resource.created', objectId: id }]);
  });

  test('answers 500 while the application fails, so that the delivery is repeated', async ({
    session,
    deliver,
  }) => {
    const { secret, body, headers } = await aDelivery(session, deliver);
    let isDown = true;
    const onEvent = async () => {
      if (isDown) throw new Error('The database is down');
    };
    const send = await start({ secrets: () => ['whsec_AAAA', secret], onEvent });
    const sent = { method: 'POST', headers, body };
    const answer = await send(sent);
    expect([answer.status, await answer.text()]).toEqual([500, 'Error: The database is down']);
    isDown = false;
    expect((await send(sent)).status).toBe(200);
  });

  test('states a secret that is none as a mistake of the application', async ({
    session,
    deliver,
  }) => {
    const { body, headers } = await aDelivery(session, deliver);
    const send = await start({ secrets: 'whsec_', onEvent: () => {} });
    const answer = await send({ method: 'POST', headers, body });
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('secret')]);
  });
});

describe('a handler of webhooks for express', () => {
  test('receives deliveries of the service', async ({ session, deliver }) => {
    const types: string[] = [];
    let secret = '';
    const app = express().post(
      '/webhooks',
      ofExpress({ secrets: () => secret, onEvent: ({ type }) => types.push(type) }),
    );
    const server = createServer(app);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    ({ secret } = await aHook(session, `http://127.0.0.1:${port}/webhooks`));
    await aResource(session);
    await deliver();
    expect(types).toEqual(['resource.created']);
  });

  test('states that the body was parsed before it', async ({ session, deliver }) => {
    const { secret, body, headers } = await aDelivery(session, deliver);
    const handle = ofExpress({ secrets: secret, onEvent: () => {} });
    const send = await served(express().use(express.json()).post('/webhooks', handle).use(failed));
    const type = { 'content-type': 'application/json' };
    const answer = await send({ method: 'POST', headers: { ...headers, ...type }, body });
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining('express.json()'),
    ]);
  });
});
