import type { EntityManager } from '@mikro-orm/postgresql';
import { test as base } from 'vitest';
import { createApiKey } from '#domain/api-keys/create-api-key.ts';
import { type ApiKeyType, openSession, type Session } from '#domain/kernel/session.ts';
import { foundOrganization } from '#domain/organizations/found-organization.ts';
import { createAuthenticate } from '#server/authenticate.ts';
import { openEventHub } from '#server/event-hub.ts';
import { createLogger } from '#server/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { checkAnswer } from './answers.ts';
import { cloneDatabase } from './database.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test is about
type Json = any;

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

export interface RequestOptions {
  /** In place of the test's own secret key; null sends none. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** A new organization, with a session that sees it and a secret key. */
export interface Tenant {
  readonly session: Session;
  readonly key: string;
}

/** A new organization with its default pricing model, free product and secret test key. */
export async function aTenant(em: EntityManager, currency = 'USD'): Promise<Tenant> {
  const now = new Date();
  const { apiKey, token } = await foundOrganization(em.fork(), { name: 'Test', now, currency });
  const { organizationId, livemode, pricingModelId, type: keyType, id } = apiKey;
  const scope = { organizationId, livemode, pricingModelId, keyType, now };
  return { session: openSession(em, scope, id), key: token };
}

/** A key of the session's tenant. */
export async function aKey(session: Session, type: ApiKeyType): Promise<string> {
  const { em, ...scope } = session;
  const input = { apiKey: { name: 'Another', type } };
  return (await createApiKey(openSession(em, scope, session.apiKeyId), input)).token;
}

export const test = base
  .extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
    const database = await cloneDatabase();
    onCleanup(() => database[Symbol.asyncDispose]());
    return database;
  })
  .extend('hub', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const { orm, databaseUrl } = database;
    const hub = await openEventHub(orm, databaseUrl, createLogger('silent'));
    onCleanup(() => hub[Symbol.asyncDispose]());
    return hub;
  })
  .extend('gateway', { scope: 'file' }, ({ database, hub }) =>
    createGateway({
      orm: database.orm,
      hub,
      logger: createLogger('error'),
      production: false,
      operationTimeLimitSeconds: 30,
      webhookAllowPrivate: true,
    }),
  )
  .extend('authenticate', { scope: 'file' }, ({ database, hub }) =>
    createAuthenticate(database.orm, hub),
  )
  .extend('tenant', ({ database }) => aTenant(database.orm.em))
  .extend('session', ({ tenant }) => tenant.session)
  .extend('api', ({ gateway, tenant }) => apiOf(gateway, tenant.key))
  .extend('graphql', ({ gateway, tenant }) => graphqlOf(gateway, tenant.key));

type Gateway = ReturnType<typeof createGateway>;

/**
 * Calls the service in process, as REST clients do. `path` is below `/api/v1`. Errors: an answer that is not as described
 * or as published.
 */
export const apiOf =
  (gateway: Gateway, ownKey: string) =>
  async (
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Answer> => {
    const { key = ownKey, headers = {} } = options;
    const response = await gateway.fetch(`http://test/api/v1${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer = {
      status: response.status,
      body: await response.json(),
      headers: response.headers,
    };
    checkAnswer({ method, path, ...answer });
    return answer;
  };

/** Calls the graph in process; the body of the result is `{ data, errors }`. */
export const graphqlOf =
  (gateway: Gateway, ownKey: string) =>
  async (
    query: string,
    variables: Record<string, unknown> = {},
    { key = ownKey, headers = {} }: RequestOptions = {},
  ): Promise<Json> => {
    const response = await gateway.fetch('http://test/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  };
