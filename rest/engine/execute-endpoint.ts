import type { ExecutionResult } from 'graphql';
import type { YogaServer } from 'graphql-yoga';
import type { Answer } from './attempt.ts';
import { adviseQuotes } from './documents.ts';
import { type Endpoint, invalidInput, respondAsync } from './endpoint.ts';
import { detailedIssues, idempotencyStatuses, refusal } from './errors.ts';
import { includeAll, refuseExtras } from './extras.ts';
import { renderLegacy } from './legacy.ts';
import { inEnvelope, nextPage } from './pages.ts';
import type { Preferences } from './preferences.ts';
import { takenHeaders } from './taken-headers.ts';
import { refuseUnheeded } from './unheeded.ts';
import { findUnknownFields } from './unknown-fields.ts';
import { fieldsOf, type Parts, readVariables } from './variables.ts';
import { renderVariants } from './variants.ts';
import { written } from './written.ts';

/** The path of all endpoints. */
export const base = '/api/v1';

/** The server's own way to execute an operation. */
export type Pipeline = ReturnType<YogaServer<object, object>['getEnveloped']>;

/** Executes the operation of an endpoint, and renders its answer. Errors: those of the request’s parts. */
export async function executeEndpoint(
  endpoint: Endpoint,
  { schema, execute }: Pipeline,
  contextValue: object,
  parts: Parts,
  preferences: Preferences,
): Promise<Answer> {
  const { document, variables, names, legacy, omitNull, times, hasVariants } = endpoint;
  refuseUnheeded(endpoint, parts, contextValue);
  const preferred = preferencesOf(endpoint, preferences);
  const reading = await readVariables(variables, parts);
  findUnknownFields(fieldsOf(endpoint, variables), parts, reading.findings);
  if (endpoint.strict) adviseQuotes(reading.findings);
  if (reading.findings.issues.length > 0) throw await invalidInput(endpoint, reading);
  const variableValues = { ...reading.values, ...preferred.values };
  const result: ExecutionResult<Record<string, unknown>> = await execute({
    schema,
    document,
    variableValues,
    contextValue,
  });
  const replayed: Record<string, string> = result.extensions?.idempotentReplayed
    ? { 'idempotent-replayed': 'true' }
    : {};
  const { position } = result.extensions ?? {};
  if (position !== undefined) replayed['tollgate-position'] = String(position);
  const [error] = result.errors ?? [];
  if (error) {
    const refused = refusal(error, {
      names,
      detailed: preferences.has(detailedIssues),
      ofKeys: preferences.has(idempotencyStatuses),
    });
    return { ...refused, headers: { ...refused.headers, ...replayed } };
  }
  const whole = bodyIn(result.data as Record<string, unknown>);
  const current = inEnvelope(whole, reading.values);
  if (endpoint.nextTo) moveOut(current, endpoint.nextTo);
  for (const name of omitNull ?? []) if (current[name] === null) current[name] = undefined;
  if (!preferences.has(includeAll)) refuseExtras(endpoint, current);
  const headers: Record<string, string> = { ...replayed, ...takenHeaders(endpoint, current) };
  const older = legacy && !preferences.has('rendering=current');
  const effects = result.extensions?.effects;
  const applied = [
    ...(legacy && !older ? ['rendering=current'] : []),
    ...preferred.applied,
    ...(preferences.has(includeAll) && endpoint.status === 200 ? [includeAll] : []),
    ...(effects ? ['dry-run'] : []),
    ...(endpoint.status === 202 ? [respondAsync] : []),
  ];
  const varied = hasVariants ? renderVariants(current) : current;
  const shown = older ? renderLegacy(varied, legacy, times) : varied;
  const rest = endpoint.rest?.(current, parts);
  const next = nextPage(current, parts, variables);
  const link = [rest && `<${base}${rest}>; rel="collection"`, next].filter(Boolean).join(', ');
  if (link) headers.link = link;
  const all = effects === undefined ? shown : { ...(shown as object), effects };
  return answered(endpoint.status, all, {
    ...headers,
    ...(applied.length > 0 && { 'preference-applied': applied.join(', ') }),
  });
}

/** The answer itself. The key `body` leads to it, also within a payload. */
const bodyIn = (data: Record<string, unknown>): Record<string, unknown> =>
  'body' in data ? bodyIn(data.body as Record<string, unknown>) : data;

/** Moves keys out of objects of an answer. A key that has moved is undefined within, which JSON leaves out. */
function moveOut(answer: Record<string, unknown>, nextTo: NonNullable<Endpoint['nextTo']>) {
  for (const [name, keys] of Object.entries(nextTo)) {
    const object = answer[name] as Record<string, unknown>;
    for (const key of keys) {
      answer[key] = object[key];
      object[key] = undefined;
    }
  }
}

/** The client's preferences that the endpoint supports. */
function preferencesOf({ preferences: known }: Endpoint, wanted: Preferences) {
  if (!known || wanted.size === 0) return unpreferred;
  const applied = Object.entries(known).filter(([name]) => wanted.has(name));
  return {
    values: Object.fromEntries(applied.map(([, variable]) => [variable, true])),
    applied: applied.map(([name]) => name),
  };
}

const unpreferred = { values: {}, applied: [] } as const;

const answered = async (
  status: Endpoint['status'],
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => ({
  status,
  headers,
  body: await written(body),
});
