import { GraphQLError } from 'graphql';
import type { Answer } from './attempt.ts';

/** The HTTP status of each error code. A conflict is a 400, because clients retry a 409. */
const statuses = {
  BAD_REQUEST: 400,
  CONFLICT: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  INTERNAL_SERVER_ERROR: 500,
  TOO_MANY_REQUESTS: 429,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof statuses;

export const errorCodes: readonly (ErrorCode & string)[] = Object.keys(statuses) as ErrorCode[];
export const statusOf = (code: ErrorCode) => statuses[code];

export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A failure in the documented body: exactly code, message and issues. */
export function errorAnswer(
  code: ErrorCode,
  message: string,
  issues: readonly { readonly message: string }[] = [],
): Answer {
  const documented = code === 'CONFLICT' ? 'BAD_REQUEST' : code;
  const body = { code: documented, message, issues };
  return { status: statuses[code], headers: {}, body: JSON.stringify(body) };
}

/**
 * The public answer to a failed operation. `names` maps each argument to the name that the client
 * used, so that an issue's path matches the request.
 */
export function refusal(
  { extensions, message }: GraphQLError,
  names: Readonly<Record<string, string>> = {},
): Answer {
  const {
    code,
    issues = [],
    retryAfterSeconds,
  } = extensions as { code?: string; issues?: readonly Issue[]; retryAfterSeconds?: number };
  if (!code || !(code in statuses) || code === 'INTERNAL_SERVER_ERROR') {
    return errorAnswer('INTERNAL_SERVER_ERROR', 'Internal server error');
  }
  const answer = errorAnswer(
    code as ErrorCode,
    message,
    issues.map((issue) => ({ message: sentence(issue, names) })),
  );
  if (retryAfterSeconds === undefined) return answer;
  return { ...answer, headers: { 'retry-after': String(retryAfterSeconds) } };
}

function sentence(
  { path: [head, ...rest], message }: Issue,
  names: Readonly<Record<string, string>>,
) {
  const first = head === undefined ? [] : [Object.hasOwn(names, head) ? names[head] : head];
  const path = [...first, ...rest].filter((key) => key !== 'input').join('.');
  return path ? `${path}: ${message}` : message;
}

/** How many issues an answer names at most. */
export const mostIssues = 100;

/** A refusal by this layer itself, in the shape that the graph's own ones have. */
export function refuse(code: ErrorCode, message: string, issues: readonly Issue[] = []) {
  const isMore = issues.length > mostIssues;
  return new GraphQLError(
    isMore ? `${message}: the first ${mostIssues} issues, there are more` : message,
    { extensions: { code, issues: issues.slice(0, mostIssues) } },
  );
}
