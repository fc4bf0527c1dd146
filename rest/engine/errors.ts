import { GraphQLError, type GraphQLErrorExtensions } from 'graphql';
import type { Answer } from './attempt.ts';

/** The HTTP status of each error code. A conflict is a 400, because clients retry a 409. */
export const statuses = {
  BAD_REQUEST: 400,
  CONFLICT: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  MISDIRECTED: 421,
  INTERNAL_SERVER_ERROR: 500,
  TOO_MANY_REQUESTS: 429,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof statuses;

export const statusOf = (code: ErrorCode) => statuses[code];

/** The codes of this layer's own issues; the graph has more of them, in its enum `IssueCode`. */
export const issueCodes = [
  'REQUIRED',
  'INVALID',
  'TOO_LONG',
  'NOT_ALLOWED',
  'MISMATCH',
  'KEY_REUSED',
] as const;

type IssueCode = (typeof issueCodes)[number];

export interface Issue {
  readonly code: IssueCode;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** An issue as the graph reports it. */
interface ReportedIssue extends Omit<Issue, 'code'> {
  readonly code?: string;
  readonly declineCode?: string;
}

/** The preference for issues with their codes and paths. */
export const detailedIssues = 'issues=detailed';

/**
 * The preference for the statuses of the draft for `Idempotency-Key`: 422 for a key of another request, and at once 409
 * while the first request is in progress.
 */
export const idempotencyStatuses = 'idempotency-statuses';

/** The status of a refusal for a caller with that preference; undefined where it is the usual one. */
function statusForKey({ issues = [], isInProgress }: GraphQLErrorExtensions) {
  if (isInProgress) return 409;
  return (issues as readonly ReportedIssue[]).some(({ code }) => code === 'KEY_REUSED')
    ? 422
    : undefined;
}

/** A failure in the documented body: exactly code, message and issues. */
export function errorAnswer(
  code: ErrorCode,
  message: string,
  issues: readonly object[] = [],
): Answer {
  const documented = code === 'CONFLICT' ? 'BAD_REQUEST' : code;
  const body = { code: documented, message, issues };
  return { status: statuses[code], headers: {}, body: JSON.stringify(body) };
}

/**
 * The public answer to a failed operation. `names` maps each argument to the name that the client
 * used, so that an issue's path matches the request. `detailed` adds the codes and paths of issues.
 */
export function refusal(
  { extensions, message }: GraphQLError,
  { names = {}, detailed = false, ofKeys = false }: Rendering = {},
): Answer {
  const {
    code,
    issues = [],
    retryAfterSeconds,
  } = extensions as {
    code?: string;
    issues?: readonly ReportedIssue[];
    retryAfterSeconds?: number;
  };
  if (!code || !(code in statuses) || code === 'INTERNAL_SERVER_ERROR') {
    return errorAnswer('INTERNAL_SERVER_ERROR', 'Internal server error');
  }
  const answer = errorAnswer(
    code as ErrorCode,
    message,
    detailed
      ? issues.map((issue) => ({ ...issue, ...shown(issue, names) }))
      : issues
          .filter(isOfField(message))
          .map((issue) => ({ message: shown(issue, names).message })),
  );
  const status = ofKeys ? statusForKey(extensions) : undefined;
  const applied = [...(detailed ? [detailedIssues] : []), ...(status ? [idempotencyStatuses] : [])];
  const headers = {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(applied.length > 0 && { 'preference-applied': applied.join(', ') }),
  };
  return { ...answer, ...(status && { status }), headers };
}

interface Rendering {
  readonly names?: Readonly<Record<string, string>>;
  readonly detailed?: boolean;
  /** Whether refusals of a key have statuses of their own. */
  readonly ofKeys?: boolean;
}

/** An issue of the whole call only repeats the message of the error, with a code. */
const isOfField =
  (whole: string) =>
  ({ path, message }: ReportedIssue) =>
    path.length > 0 || message !== whole;

/** An issue with the path of the request, which its message starts with. */
function shown({ path: given, message }: ReportedIssue, names: Readonly<Record<string, string>>) {
  // A condition of a list is one parameter: the longest path that has a name is replaced by it.
  const known = [3, 2, 1].find((length) => Object.hasOwn(names, given.slice(0, length).join('.')));
  const first = known ? [names[given.slice(0, known).join('.')] ?? ''] : [];
  const path = [...first, ...given.slice(known ?? 0)].filter((key) => key !== 'input');
  return { path, message: path.length > 0 ? `${path.join('.')}: ${message}` : message };
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
