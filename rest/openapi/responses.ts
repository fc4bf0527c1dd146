import { type ErrorCode, errorAnswer, statusOf } from '../engine/errors.ts';
import type { Route } from '../engine/route.ts';
import { exactly, type JsonSchema } from './schemas.ts';

/** The meaning of each kind of refusal. */
const meanings: Readonly<Record<Exclude<ErrorCode, 'CONFLICT'>, string>> = {
  BAD_REQUEST:
    'The request cannot be executed as it is; the issues say what to change. Conflicts, such as a taken slug, are 400, too.',
  UNAUTHORIZED: 'There is no API key, or it is unknown, revoked or expired.',
  FORBIDDEN:
    'The API key may not do this: a publishable key reads the catalog only, and no key may change protected records, such as the price of the default product.',
  NOT_FOUND: 'There is nothing with this id that the API key can see.',
  INTERNAL_SERVER_ERROR: 'A failure of the service; its log names the request by X-Request-Id.',
  TOO_MANY_REQUESTS:
    'The API key, or the address without one, sends more than its limit; Retry-After tells in how many seconds to repeat.',
  SERVICE_UNAVAILABLE:
    'The request took too long, or the service or its database is busy; repeat it later, after Retry-After seconds where it is there.',
};
const codes = Object.keys(meanings) as (keyof typeof meanings)[];

/** The body of every failure: exactly code, message and issues. */
export const errorSchema: JsonSchema = {
  ...exactly({
    code: { type: 'string', enum: codes, description: 'What kind of failure it is, for programs.' },
    message: { type: 'string', description: 'What is wrong, for people.' },
    issues: {
      type: 'array',
      items: exactly({
        message: { type: 'string', description: 'Where it is and what to change.' },
      }),
      description: 'What is wrong in particular; empty when there is nothing more to say.',
    },
  }),
  description: 'Why a request has failed.',
};

/** The failures that say when to try again. */
const retried: ReadonlySet<ErrorCode> = new Set(['TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE']);

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** The failures, by their codes. */
export const errorResponses = Object.fromEntries(codes.map((code) => [code, errorResponse(code)]));

function errorResponse(code: keyof typeof meanings) {
  const description = meanings[code];
  const schema = { $ref: '#/components/schemas/Error' };
  const example: unknown = JSON.parse(errorAnswer(code, description).body);
  const headers = {
    ...requestId,
    ...(retried.has(code) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
  };
  return { description, headers, content: { 'application/json': { schema, example } } };
}

/** The failures that a route can answer, by status. */
export function errorsOf({ method, path }: Route) {
  const hasObject = method !== 'POST' || path.includes(':');
  return Object.fromEntries(
    codes
      .filter((code) => code !== 'NOT_FOUND' || hasObject)
      .map((code) => [statusOf(code), { $ref: `#/components/responses/${code}` }]),
  );
}

/** The headers of a route's success. */
export const headersOf = ({ method, legacy, headers = {} }: Route) => ({
  ...requestId,
  ...(method !== 'GET' && {
    'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' },
  }),
  ...Object.fromEntries(
    Object.keys(headers).map((name) => [
      name,
      { $ref: `#/components/headers/${name.replaceAll('-', '')}` },
    ]),
  ),
  ...((legacy || method !== 'GET') && {
    'Preference-Applied': { $ref: '#/components/headers/PreferenceApplied' },
  }),
});

export const responseHeaders = {
  RequestId: {
    description: 'The id of the request in the log of the service.',
    schema: { type: 'string', pattern: '^[0-9A-Za-z_-]{1,64}$' },
  },
  RetryAfter: {
    description: 'In how many seconds the same request may succeed; absent when that is unknown.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  IdempotentReplayed: {
    description:
      'Present when this is the answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  PreferenceApplied: {
    description: 'What of the preferences was heeded; absent when none was.',
    schema: { type: 'string', examples: ['rendering=current', 'return=all', 'dry-run'] },
  },
  SubscriptionNextStep: {
    description:
      'The step that the subscription waits for; absent when none is missing. An incomplete subscription begins with its first payment.',
    schema: {
      type: 'string',
      enum: ['add_payment_method', 'replace_payment_method', 'confirm_payment', 'await_payment'],
    },
  },
  UsageDuplicates: {
    description: 'How many of the events had been reported before.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
};
