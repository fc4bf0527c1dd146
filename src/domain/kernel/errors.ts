import type { IssueCode } from './issue-codes.ts';

/** All codes of refusals; `rest/engine/errors.ts` maps each to its status. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'MISDIRECTED'
  | 'TOO_MANY_REQUESTS'
  | 'SERVICE_UNAVAILABLE';

/** One problem: its kind, its path (as in the arguments), and a message for people. */
export interface Issue {
  readonly code: IssueCode;
  /** Empty for a problem of the whole call. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The reason of a processor that has declined a payment, such as `insufficient_funds`. */
  readonly declineCode?: string;
}

interface Details extends ErrorOptions {
  issues?: readonly Issue[];
  /** Seconds after which the same call may succeed. */
  retryAfter?: number;
}

/** A conflict has its issues, or the kind of the one problem that its message states. */
type Conflict = Details &
  ({ readonly reason: IssueCode } | { readonly issues: readonly [Issue, ...Issue[]] });

/** How many issues a refusal names at most. */
export const mostIssues = 100;

/** An expected refusal. The message is public; put anything internal in `cause`. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly issues: readonly Issue[];
  readonly retryAfter: number | undefined;

  constructor(code: Exclude<ErrorCode, 'CONFLICT'>, message: string, details?: Details);
  constructor(code: ErrorCode, message: string, details: Conflict);
  constructor(
    code: ErrorCode,
    message: string,
    { issues = [], reason, retryAfter, ...options }: Details & { reason?: IssueCode } = {},
  ) {
    const isMore = issues.length > mostIssues;
    super(isMore ? `${message}: the first ${mostIssues} issues, there are more` : message, options);
    this.code = code;
    const all = reason ? [{ code: reason, path: [], message }] : issues;
    this.issues = isMore ? all.slice(0, mostIssues) : all;
    this.retryAfter = retryAfter;
  }
}

/** The message of every refused input; its issues name the fields to change. */
export const invalidInput = 'Invalid input data';

/** A refusal of one input field, for example `invalid('TAKEN', 'product.slug', 'is taken')`. */
export function invalid(code: IssueCode, path: string, message: string, options?: ErrorOptions) {
  return new DomainError('BAD_REQUEST', invalidInput, {
    ...options,
    issues: [{ code, path: path.split('.'), message }],
  });
}
