/** All codes of refusals; `rest/engine/errors.ts` maps each to its status. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'TOO_MANY_REQUESTS'
  | 'SERVICE_UNAVAILABLE';

/** One problem with the input: its path (as in the arguments) and the allowed values. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

interface Details extends ErrorOptions {
  issues?: readonly Issue[];
  /** Seconds after which the same call may succeed. */
  retryAfter?: number;
}

/** How many issues a refusal names at most. */
export const mostIssues = 100;

/** An expected refusal. The message is public; put anything internal in `cause`. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly issues: readonly Issue[];
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    { issues = [], retryAfter, ...options }: Details = {},
  ) {
    const isMore = issues.length > mostIssues;
    super(isMore ? `${message}: the first ${mostIssues} issues, there are more` : message, options);
    this.code = code;
    this.issues = isMore ? issues.slice(0, mostIssues) : issues;
    this.retryAfter = retryAfter;
  }
}

/** For `catch` of a read that may find nothing: answers null for NOT_FOUND. Errors: every other one. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
  throw error;
}

/** The message of every refused input; its issues say what to change. */
export const invalidInput = 'Invalid input data';

/** A refusal of one input field, for example `invalid('product.slug', 'is taken')`. */
export function invalid(path: string, message: string, options?: ErrorOptions) {
  return new DomainError('BAD_REQUEST', invalidInput, {
    ...options,
    issues: [{ path: path.split('.'), message }],
  });
}
