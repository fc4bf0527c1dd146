import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { includeAll } from '#rest/engine/extras.ts';
import { routes } from '#rest/index.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';
import type { JsonSchema } from '#rest/openapi/schemas.ts';
import { schema } from '#schema/index.ts';
import { exceptions } from '../../published/exceptions.ts';
import { type Published, without } from './published-schemas.ts';

/** An answer to a REST request, with what was asked. `path` is below `/api/v1`. */
export interface CheckedAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

interface Described {
  readonly paths: Readonly<
    Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>
  >;
}

/** The published schemas of answers. */
export const published: Published = JSON.parse(
  readFileSync(new URL('../../published/answers.json', import.meta.url), 'utf8'),
);

/** Compiles schemas of a document when their first answer arrives. */
function compilerOf(document: object) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema(document, 'document');
  const known = new Map<string, ValidateFunction | undefined>();
  return (...pointer: readonly (string | number)[]) => {
    const at = pointer
      .map((key) => encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    if (!known.has(at)) known.set(at, ajv.getSchema(`document#/${at}`));
    return known.get(at);
  };
}

type Difference = string;

const differencesOf = (validate: ValidateFunction, body: unknown): readonly Difference[] =>
  validate(body)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `${instancePath} ${message} ${JSON.stringify(params)}`,
      );

/** Where a path belongs in the interface description: `/api/v1/products/{id}`. */
type Template = (path: string) => string | undefined;

/** Everything that is worked out once for a process. */
function prepare() {
  const description = JSON.parse(JSON.stringify(openApiOf(routes, schema)));
  const { paths } = description as Described;
  const whole = compilerOf(settled(description, true));
  const templates = Object.keys(paths)
    .toSorted((one, other) => one.split('{').length - other.split('{').length)
    .map((path) => ({ path, expression: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`) }));
  const templateOf: Template = (path) =>
    templates.find(({ expression }) => expression.test(`/api/v1${path.split('?')[0]}`))?.path;
  return { paths, templateOf, plain: compilerOf(settled(description, false)), whole };
}

/** A description in which all extra keys are there, or none is. */
function settled<T>(value: T, hasExtras: boolean): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => settled(item, hasExtras)) as T;
  const entries = Object.entries(value).map(([key, part]) => [key, settled(part, hasExtras)]);
  const { properties, required, ...rest } = Object.fromEntries(entries);
  if (typeof properties !== 'object') return Object.fromEntries(entries);
  const kept = Object.entries(properties as Record<string, JsonSchema>).filter(
    ([, property]) => hasExtras || !isExtra(property),
  );
  const always = kept.filter(([, one]) => isExtra(one) && !one.description?.includes('Left out'));
  return {
    ...rest,
    properties: Object.fromEntries(kept),
    required: [...(Array.isArray(required) ? required : []), ...always.map(([name]) => name)],
  } as T;
}

/** Whether a property is described as an extra key. */
export const isExtra = ({ description }: JsonSchema): boolean =>
  typeof description === 'string' && description.includes(`\`Prefer: ${includeAll}\` only`);

let prepared: ReturnType<typeof prepare> | undefined;
let ofPublished: ReturnType<typeof publishedCheck> | undefined;

/** How an answer differs from what this service's own description states; empty when it does not. */
export function ownDifferences({ method, path, status, body, headers }: CheckedAnswer) {
  prepared ??= prepare();
  const { paths, templateOf, plain, whole } = prepared;
  const own = headers.get('preference-applied')?.includes(includeAll) ? whole : plain;
  const template = templateOf(path);
  const operation = template && paths[template]?.[method.toLowerCase()];
  if (!template || !operation) return [];
  const response = operation.responses[status];
  if (!response) return [`the status ${status} is not described`];
  const at = response.$ref?.split('/').slice(1) ?? [
    ...['paths', template, method.toLowerCase(), 'responses', status],
  ];
  const validate = own(...at, 'content', 'application/json', 'schema');
  return validate ? differencesOf(validate, body) : [`the status ${status} has no schema`];
}

/** The check against the published interface, minus a list of exceptions. */
export function publishedCheck(some = exceptions) {
  prepared ??= prepare();
  const { templateOf } = prepared;
  const { document, older, statuses } = without(published, some, { extras: false });
  const compiled = compilerOf(document);
  const withExtras = compilerOf(without(published, some, { extras: true }).document);
  return ({ method, path, status, body, headers }: CheckedAnswer): readonly Difference[] => {
    const template = templateOf(path);
    const operation = `${method} ${template}`;
    const answers = document.operations[operation];
    if (!answers) return [];
    if (!(status in answers)) {
      const known = [operation, '*'].some((name) => statuses.has(`${status} ${name}`));
      return known ? [] : [`the status ${status} is not published`];
    }
    const applied = headers.get('preference-applied') ?? '';
    if (status === 200 && older.has(operation) && !applied.includes('rendering=current')) return [];
    // The caller asked for what the published error lacks.
    if (status !== 200 && applied.includes('issues=detailed')) return [];
    const compile = applied.includes(includeAll) ? withExtras : compiled;
    const validate = compile('operations', operation, status);
    const { effects, ...plain } = body as Record<string, unknown>;
    return validate
      ? differencesOf(validate, effects === undefined ? body : plain)
      : [`the status ${status} has no schema`];
  };
}

/** Throws when an answer is not as described, or not as published minus the exceptions. */
export function checkAnswer(answer: CheckedAnswer) {
  ofPublished ??= publishedCheck();
  const found = [
    ...ownDifferences(answer).map((difference) => `the own description: ${difference}`),
    ...ofPublished(answer).map((difference) => `the published interface: ${difference}`),
  ];
  if (found.length === 0) return;
  const { method, path, status, body } = answer;
  const about = `${method} /api/v1${path} answers ${status}, which differs from`;
  throw new Error(`${about}\n${found.join('\n')}\n${JSON.stringify(body).slice(0, 2_000)}`);
}
