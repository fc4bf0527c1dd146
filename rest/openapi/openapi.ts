import type { GraphQLSchema } from 'graphql';
import type { Route } from '../engine/route.ts';
import { version } from '../engine/version.ts';
import { answerSchema, effectsSchema } from './answers.ts';
import { examples } from './examples.ts';
import { legacySchema } from './legacy.ts';
import { pathExample } from './path-examples.ts';
import { requestOf } from './requests.ts';
import {
  errorResponses,
  errorSchema,
  errorsOf,
  headersOf,
  isPreferable,
  responseHeaders,
} from './responses.ts';
import { type Components, described, type JsonSchema, referred, shared } from './schemas.ts';
import { introduction, tags } from './tags.ts';
import { webhookEventOf, webhooksOf } from './webhooks.ts';

/** The OpenAPI description of the endpoints, drawn from their operations and from the graph. */
export function openApiOf(routes: readonly Route[], schema: GraphQLSchema): object {
  const components: Components = new Map([
    ['Error', errorSchema],
    ['WebhookEvent', webhookEventOf(schema)],
  ]);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = `/api/v1${route.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationOf(route, schema, components),
    };
  }
  const used = new Set(routes.map(tagOf));
  const known = tags.filter(({ name }) => used.delete(name));
  return {
    openapi: '3.1.1',
    info: { title: 'Tollgate', version, description: introduction, license },
    servers: [{ url: '/' }],
    security: [{ ApiKeyAuth: [] }],
    tags: [...known, ...[...used].map((name) => ({ name }))],
    paths,
    webhooks: webhooksOf(schema),
    components: {
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
      responses: errorResponses,
      parameters: requestHeaders,
      headers: responseHeaders,
      securitySchemes: { ApiKeyAuth: apiKeyAuth },
    },
  };
}

/** As package.json states it. */
const license = { name: 'Apache License 2.0', identifier: 'Apache-2.0' };

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
      'Makes the request safe to repeat for 24 hours. A repeat with the same key receives the first final response (200, 400 or 404). After 401, 403, 429, 500 and 503 the request is executed again. Keys belong to the pricing model. Another request with the same key receives a 400, or a 422 with `Prefer: idempotency-statuses`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`rendering=current` requests the current rendering where an older one is the default. `include=all` adds the keys that the published interface does not have. `return=all` includes records that existed before, where the operation supports it. `issues=detailed` adds a code and a path to each issue of a refusal. `idempotency-statuses` answers another request with a used key with 422, and one whose first request is in progress with 409 at once. `respond-async` requests an answer before the work is done (202), where the operation supports it. `dry-run` executes the request and rolls it back. The response is the same, with `effects` in addition (invoices, lineItems, charges, entitlements, events, and catalog for a catalog document).',
    schema: {
      type: 'string',
      examples: [
        ...['include=all', 'rendering=current', 'return=all', 'issues=detailed'],
        ...['respond-async', 'dry-run', 'idempotency-statuses'],
      ],
    },
  },
};

function operationOf(route: Route, schema: GraphQLSchema, components: Components) {
  const { method } = route;
  const { parameters, requestBody } = requestOf(route, schema, components);
  const example = examples[operationIdOf(route)];
  const headers = [
    ...(method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
    ...(isPreferable(route) ? [{ $ref: '#/components/parameters/Prefer' }] : []),
  ];
  return {
    operationId: operationIdOf(route),
    tags: [tagOf(route)],
    ...textOf(route, schema),
    ...(route.deprecated && { deprecated: true }),
    parameters: [...parameters.map((one) => withExample(route, one)), ...headers],
    ...(requestBody && { requestBody: withBodyExample(requestBody, example, route.yaml?.body) }),
    responses: {
      200: successOf(route, schema, components),
      ...(route.later && { 202: acceptedOf(route.later, schema, components) }),
      ...errorsOf(route),
    },
  };
}

const tagOf = ({ path }: Route) => path.split('/')[1] ?? '';

const operationIdOf = ({ operation }: Route) =>
  operation.name?.value.replace(/^./, (letter) => letter.toLowerCase()) ?? '';

function withExample<P extends { name: string; in: string }>({ path }: Route, parameter: P) {
  const example = parameter.in === 'path' ? pathExample(path, parameter.name) : undefined;
  return example ? { ...parameter, example } : parameter;
}

function withBodyExample(
  body: NonNullable<ReturnType<typeof requestOf>['requestBody']>,
  example: object | undefined,
  takesYaml = false,
) {
  const json = { ...body.content['application/json'], ...(example && { example }) };
  const yaml = takesYaml && { 'application/yaml': { schema: json.schema } };
  return { ...body, content: { 'application/json': json, ...yaml } };
}

/**
 * The name of the operation in words, and the description of its field in the graph, with REST's
 * codes.
 */
function textOf(route: Route, schema: GraphQLSchema) {
  const { operation, fields } = route;
  const [field] = fields;
  const root = schema.getRootType(operation.operation);
  const description = root?.getFields()[field?.name.value ?? '']?.description ?? '';
  const words = operationIdOf(route).replaceAll(
    /(?<!^)[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  );
  return {
    summary: words.replace(/^./, (letter) => letter.toUpperCase()),
    description: route.description ?? description.replaceAll(/\bCONFLICT\b/g, 'BAD_REQUEST'),
  };
}

function successOf(route: Route, schema: GraphQLSchema, components: Components) {
  const { legacy } = route;
  const current = withEffects(route, answerSchema(route, schema, components), components);
  const answer = legacy
    ? eitherRendering(legacySchema(current, legacy, components), current)
    : current;
  return {
    description: legacy
      ? 'Success. The response has the older rendering unless `Prefer: rendering=current` requests the current one.'
      : 'Success.',
    headers: headersOf(route),
    content: contentOf(route, answer, components),
  };
}

/** The answer to `Prefer: respond-async`. */
const acceptedOf = (later: Route, schema: GraphQLSchema, components: Components) => ({
  ...successOf(later, schema, components),
  description: 'Accepted, for `Prefer: respond-async`. The work is stored durably, and done soon.',
});

/** The forms of an answer. A document that callers may send back has the shape of the input. */
function contentOf({ yaml }: Route, answer: JsonSchema, components: Components) {
  if (!yaml?.answer || !yaml.schema) return { 'application/json': { schema: answer } };
  const document = { $ref: `#/components/schemas/${yaml.schema}` };
  if (!components.has(yaml.schema)) throw new Error(`There is no schema ${yaml.schema}`);
  const properties = { ...answer.properties, [yaml.answer]: document };
  return {
    'application/json': { schema: { ...answer, properties } },
    'application/yaml': { schema: document },
  };
}

/** A dry run adds `effects` to the answer of any change. */
function withEffects({ method }: Route, answer: JsonSchema, components: Components): JsonSchema {
  if (method === 'GET') return answer;
  const effects = shared(components, 'Effects', effectsSchema);
  const adding = (schema: JsonSchema): JsonSchema => {
    const whole = schema.$ref ? referred(components, schema.$ref).schema : schema;
    return whole.anyOf
      ? { ...whole, anyOf: whole.anyOf.map(adding) }
      : { ...whole, properties: { ...whole.properties, effects } };
  };
  return adding(answer);
}

const eitherRendering = (older: JsonSchema, current: JsonSchema): JsonSchema => ({
  anyOf: [
    described(
      older,
      'The older rendering, which is the default. Its records have `createdByCommit`.',
    ),
    described(
      current,
      'The current rendering, for `Prefer: rendering=current`. Its records lack `createdByCommit`.',
    ),
  ],
});
