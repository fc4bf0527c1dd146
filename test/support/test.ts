import { test as base } from 'vitest';
import { createAuthenticate } from '#server/auth/authenticate.ts';
import { openEventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { checkAnswer } from './answers/answers.ts';
import { cloneDatabase } from './database.ts';
import { sharedDatabase } from './shared-database.ts';
import { aTenant } from './tenant.ts';

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

/**
 * A test of an organization in a database. `worker`: all files of a process share the database and its gateway. `file`:
 * each file has its own.
 */
function testIn(asked: 'worker' | 'file') {
  // Both have the same types.
  const scope = asked as 'file';
  return base
    .extend('database', { scope }, async ({}, { onCleanup }) => {
      const database = await (asked === 'worker' ? sharedDatabase() : cloneDatabase());
      onCleanup(() => database[Symbol.asyncDispose]());
      return database;
    })
    .extend('hub', { scope }, async ({ database }, { onCleanup }) => {
      const { orm, databaseUrl } = database;
      const hub = await openEventHub(orm, databaseUrl, createLogger('silent'));
      onCleanup(() => hub[Symbol.asyncDispose]());
      return hub;
    })
    .extend('gateway', { scope }, ({ database, hub }) =>
      createGateway({
        orm: database.orm,
        hub,
        logger: createLogger('error'),
        production: false,
        operationTimeLimitSeconds: 30,
        webhookAllowPrivate: true,
      }),
    )
    .extend('authenticate', { scope }, ({ database, hub }) => createAuthenticate(database.orm, hub))
    .extend('tenant', ({ database }) => aTenant(database.orm.em))
    .extend('session', ({ tenant }) => tenant.session)
    .extend('api', ({ gateway, tenant }) => apiOf(gateway, tenant.key))
    .extend('graphql', ({ gateway, tenant }) => graphqlOf(gateway, tenant.key));
}

/** A test in the database of its process. It has an organization of its own, and sees only this one. */
export const test = testIn('worker');

/** A test of a file with a database of its own, such as one that runs jobs, which work for all organizations. */
export const testAlone = (_reason: string) => testIn('file');

/** A test beside processes of the service. */
export const systemTest = testAlone('jobs of processes work for all organizations');

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
