import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'graphql-ws';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { EventHub } from '#server/feed/event-hub.ts';
import type { GatewayParts } from '#server/gateway-parts.ts';
import { createLogger } from '#server/observability/logger.ts';
import { startServer } from '#server/server.ts';
import { createGateway } from '#server/yoga.ts';
import { systemTest as base } from '../../support/test.ts';

/** Starts the service for clients that connect over the network. */
export function serve(
  orm: MikroORM,
  hub: EventHub,
  parts: Pick<GatewayParts, 'trustedDocuments' | 'corsOrigins'> = {},
) {
  const logger = createLogger('silent');
  const gateway = createGateway({
    orm,
    hub,
    logger,
    production: true,
    operationTimeLimitSeconds: 30,
    ...parts,
  });
  const { trustedDocuments, corsOrigins } = parts;
  return startServer(gateway, { host: '127.0.0.1', port: 0 }, hub, {
    ...(trustedDocuments && { trustedDocuments }),
    ...(corsOrigins && { corsOrigins }),
  });
}

/** A client of the WebSocket protocol, as the libraries use it for live updates. */
export const socketOf = (url: string, key: string): Client =>
  createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${key}` },
  });

export const test = base
  .extend('url', { scope: 'file' }, async ({ database, hub }, { onCleanup }) => {
    const server = await serve(database.orm, hub);
    onCleanup(() => server[Symbol.asyncDispose]());
    return `${server.url}`;
  })
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clients-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  });
