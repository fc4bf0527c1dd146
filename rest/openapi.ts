import type { GraphQLSchema } from 'graphql';
import { answerSchema } from './openapi-answers.ts';
import { legacySchema } from './openapi-legacy.ts';
import { requestOf } from './openapi-requests.ts';
import {
  errorResponses,
  errorSchema,
  errorsOf,
  headersOf,
  responseHeaders,
} from './openapi-responses.ts';
import { type Components, described, type JsonSchema } from './openapi-schemas.ts';
import type { Route } from './route.ts';
import { version } from './version.ts';

/** The OpenAPI description of the endpoints, drawn from their operations and from the graph. */
export function openApiOf(routes: readonly Route[], schema: GraphQLSchema): object {
  const components: Components = new Map([['Error', errorSchema]]);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `/api/v1${route.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationOf(route, schema, components),
    };
  }
  const tags = [...new Set(routes.map(tagOf))].map((name) => ({ name }));
  return {
    openapi: '3.1.1',
    info: { title: 'Tollgate', version, description: about },
    servers: [{ url: '/' }],
    security: [{ ApiKeyAuth: [] }],
    tags,
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
      responses: errorResponses,
      parameters: requestHeaders,
      headers: responseHeaders,
      securitySchemes: { ApiKeyAuth: apiKeyAuth },
    },
  };
}

const about =
  'Billing and subscriptions of an organization. Every record belongs to live or to test data, as does every API key. Points in time are milliseconds since 1970, amounts of money minor units of their currency.';

const apiKeyAuth = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: '`Bearer` and the API key, or the API key alone.',
};

const requestHeaders = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request safe to repeat for 24 hours: a repeat with the same key gets the first final answer (200, 400 or 404). After 401, 403, 429, 500 and 503 it runs at once. Keys belong to the pricing model. Another request under the same key is a 400.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`rendering=current` asks for the current rendering where there is an older one. `return=all` asks for what had been there before, too, where there is such a choice. `dry-run` carries a request out and takes all of it back: the answer is the same, with `effects` (invoices, lineItems, charges, entitlements, events) beside it.',
    schema: { type: 'string', examples: ['rendering=current', 'return=all', 'dry-run'] },
  },
};

function operationOf(route: Route, schema: GraphQLSchema, components: Components) {
  const { method, legacy, operation } = route;
  const { parameters, ...request } = requestOf(route, schema, components);
  const headers = [
    ...(method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
    ...(legacy || method !== 'GET' ? [{ $ref: '#/components/parameters/Prefer' }] : []),
  ];
  return {
    operationId: operation.name?.value.replace(/^./, (letter) => letter.toLowerCase()),
    tags: [tagOf(route)],
    ...textOf(route, schema),
    parameters: [...parameters, ...headers],
    ...request,
    responses: { 200: successOf(route, schema, components), ...errorsOf(route) },
  };
}

const tagOf = ({ path }: Route) => path.split('/')[1] ?? '';

/** What the graph says of the operation's field, its first sentence in short. */
function textOf({ operation, fields: [field] }: Route, schema: GraphQLSchema) {
  const root = schema.getRootType(operation.operation);
  const description = root?.getFields()[field?.name.value ?? '']?.description ?? '';
  const [summary] = description.split(/\.(?:\s|$)/);
  return { summary, description };
}

function successOf(route: Route, schema: GraphQLSchema, components: Components) {
  const { legacy } = route;
  const current = answerSchema(route, schema, components);
  const answer = legacy
    ? eitherRendering(legacySchema(current, legacy, components), current)
    : current;
  return {
    description: legacy
      ? 'It is done. The answer has the older rendering unless `Prefer: rendering=current` asks for the current one.'
      : 'It is done.',
    headers: headersOf(route),
    content: { 'application/json': { schema: answer } },
  };
}

const eitherRendering = (older: JsonSchema, current: JsonSchema): JsonSchema => ({
  anyOf: [
    described(older, 'The older rendering, which is the default.'),
    described(current, 'The current rendering, for `Prefer: rendering=current`.'),
  ],
});
