import { detailedIssues, type ErrorCode, errorAnswer, statusOf } from '../engine/errors.ts';
import type { Route } from '../engine/route.ts';
import { exactly, type JsonSchema } from './schemas.ts';

/** The meaning of each error code. */
const meanings: Readonly<Record<Exclude<ErrorCode, 'CONFLICT'>, string>> = {
  BAD_REQUEST:
    'The request is not executed; the issues state the necessary changes. Conflicts, such as a taken slug, are 400 too.',
  UNAUTHORIZED: 'The API key is missing, unknown, revoked or expired.',
  FORBIDDEN:
    'The API key is not allowed to do this. A publishable key reads the catalog only. No key may change protected records, such as the price of the default product.',
  NOT_FOUND: 'The API key can see no object with this id.',
  MISDIRECTED:
    'The organization has moved to another cell, which the message names: send the request there.',
  INTERNAL_SERVER_ERROR: 'The service failed; its log identifies the request by X-Request-Id.',
  TOO_MANY_REQUESTS:
    'The API key, or the address of a request without a key, exceeds its limit. Repeat the request after the seconds stated in Retry-After.',
  SERVICE_UNAVAILABLE:
    'The request took too long, or the service or its database is busy. Repeat the request later, after the seconds stated in Retry-After if present.',
};
const codes = Object.keys(meanings) as (keyof typeof meanings)[];

/** The body of every failure: exactly code, message and issues. */
export const errorSchema: JsonSchema = {
  ...exactly({
    code: { type: 'string', enum: codes, description: 'The machine-readable code of the failure.' },
    message: { type: 'string', description: 'The human-readable message.' },
    issues: {
      type: 'array',
      items: exactly(
        {
          message: {
            type: 'string',
            description: 'The location of the error and the necessary change.',
          },
          code: {
            type: 'string',
            description: `The kind of the error. Present with \`Prefer: ${detailedIssues}\` only.`,
          },
          path: {
            type: 'array',
            items: { type: ['string', 'integer'] },
            description: `The path of the value in the request. Present with \`Prefer: ${detailedIssues}\` only.`,
          },
          declineCode: {
            type: 'string',
            description: 'The decline code of the processor, for a payment that it declined.',
          },
        },
        ['code', 'path', 'declineCode'],
      ),
      description: 'The individual errors; empty when the message is complete.',
    },
  }),
  description: 'The error of a failed request.',
};

/** The failures that say when to try again. */
const retried: ReadonlySet<ErrorCode> = new Set(['TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE']);

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** The refusals of idempotency keys that have statuses of their own, where the caller prefers these. */
const ofKeys = {
  KEY_IN_PROGRESS: 'The first request with this key is in progress. With a preference only.',
  KEY_REUSED: 'The key belongs to another request. With a preference only.',
} as const;

/** The failures, by their codes. */
export const errorResponses = {
  ...Object.fromEntries(codes.map((code) => [code, errorResponse(code)])),
  KEY_IN_PROGRESS: { ...errorResponse('SERVICE_UNAVAILABLE'), description: ofKeys.KEY_IN_PROGRESS },
  KEY_REUSED: { ...errorResponse('BAD_REQUEST'), description: ofKeys.KEY_REUSED },
};

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
export function errorsOf({ method, path, namesObject = false }: Route) {
  const hasObject = method !== 'POST' || path.includes(':') || namesObject;
  const to = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return {
    ...Object.fromEntries(
      codes
        .filter((code) => code !== 'NOT_FOUND' || hasObject)
        .map((code) => [statusOf(code), to(code)]),
    ),
    ...(method !== 'GET' && { 409: to('KEY_IN_PROGRESS'), 422: to('KEY_REUSED') }),
  };
}

/** Whether a preference of the caller can change the answer of a route. */
export const isPreferable = ({ method, legacy, whole, extraKeys }: Route) =>
  method !== 'GET' || legacy !== undefined || whole !== undefined || extraKeys !== undefined;

/** The headers of a route's success. */
export const headersOf = ({ rest, headers = {}, ...route }: Route) => ({
  ...requestId,
  ...(rest && { Link: { $ref: '#/components/headers/Link' } }),
  ...(route.method !== 'GET' && {
    'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' },
  }),
  ...Object.fromEntries(
    Object.keys(headers).map((name) => [
      name,
      { $ref: `#/components/headers/${name.replaceAll('-', '')}` },
    ]),
  ),
  ...(isPreferable(route) && {
    'Preference-Applied': { $ref: '#/components/headers/PreferenceApplied' },
  }),
});

export const responseHeaders = {
  RequestId: {
    description: 'The id of the request in the log of the service.',
    schema: { type: 'string', pattern: '^[0-9A-Za-z_-]{1,64}$' },
  },
  RetryAfter: {
    description: 'The seconds after which the same request may succeed; absent when unknown.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  IdempotentReplayed: {
    description:
      'Present when this is the response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  PreferenceApplied: {
    description: 'The preferences that were applied; absent when none was.',
    schema: {
      type: 'string',
      examples: [
        ...['include=all', 'rendering=current', 'return=all', 'respond-async', 'dry-run'],
        'issues=detailed',
      ],
    },
  },
  Link: {
    description:
      'Present when the answer does not list all records: the address of the list that has them all, with `rel="collection"`.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The version of the object, for `If-Match`.',
    schema: { type: 'string', pattern: '^"[0-9]+"$' },
  },
  PaymentActionURL: {
    description: 'The page where the customer confirms the payment; absent when none waits for it.',
    schema: { type: 'string', format: 'uri' },
  },
  SubscriptionNextStep: {
    description:
      'The next step that the subscription requires; absent when none is required. An incomplete subscription starts with its first payment.',
    schema: {
      type: 'string',
      enum: ['add_payment_method', 'replace_payment_method', 'confirm_payment', 'await_payment'],
    },
  },
  UsageDuplicates: {
    description: 'The number of events that had been reported before.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
};
