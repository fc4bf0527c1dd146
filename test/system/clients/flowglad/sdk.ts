import { Flowglad } from '@flowglad/node';
import { routes } from '#rest/index.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';
import { schema } from '#schema/index.ts';
import { checkAnswer } from '../../../support/answers/answers.ts';
import { test as base } from '../service.ts';

/** The public service's own client and its classes, in this service's tests. */
export type Client = Flowglad;

const { paths } = openApiOf(routes, schema) as { paths: Record<string, Record<string, object>> };

/** Whether the interface description has an operation, such as `POST /discounts`. */
export function serves(operation: string): boolean {
  const [method = '', path = ''] = operation.split(' ');
  return method.toLowerCase() in (paths[`/api/v1${path}`] ?? {});
}

const called = new Set<string>();

/** The methods of an object, those that its constructor sets too. */
const methodsOf = (object: object): string[] =>
  [...Object.getOwnPropertyNames(Object.getPrototypeOf(object)), ...Object.keys(object)].filter(
    (name) => name !== 'constructor' && typeof Reflect.get(object, name) === 'function',
  );

/** Records each call of an object's methods as `<prefix>.<method>`. */
export function watched<T extends object>(prefix: string, object: T): T {
  for (const name of methodsOf(object)) {
    const method = Reflect.get(object, name) as (...args: unknown[]) => unknown;
    Reflect.set(object, name, (...args: unknown[]) => {
      called.add(`${prefix}.${name}`);
      return method.apply(object, args);
    });
  }
  return object;
}

/** The objects of a client, by the names of their resources. */
export const resourcesOf = (client: Client): [string, object][] =>
  Object.entries(client).filter(
    (entry): entry is [string, object] =>
      typeof entry[1] === 'object' && entry[1] !== null && '_client' in entry[1],
  );

/** The methods of objects that no test of the file has called. */
export const notCalled = (objects: readonly (readonly [string, object])[]): string[] =>
  objects
    .flatMap(([prefix, object]) => methodsOf(object).map((name) => `${prefix}.${name}`))
    .filter((name) => !called.has(name));

/** A client that repeats nothing by itself. Each answer is checked, as every answer of the tests. */
export const clientOf = (baseURL: string, apiKey: string): Client =>
  new Flowglad({ baseURL, apiKey, maxRetries: 0, fetch: checkedFetch });

async function checkedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { pathname, search } = new URL(`${url}`);
  const { status, headers } = response;
  checkAnswer({
    ...{ method: init?.method?.toUpperCase() ?? 'GET', status, headers },
    ...{ path: `${pathname.replace('/api/v1', '')}${search}`, body: await response.clone().json() },
  });
  return response;
}

/** Rejects with an error, which is the result. */
export const errorOf = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );

export const test = base.extend('client', ({ url, tenant }) => {
  const client = clientOf(url, tenant.key);
  for (const [name, resource] of resourcesOf(client)) watched(name, resource);
  return client;
});
