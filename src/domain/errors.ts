/** Every kind of refusal there is; `rest/errors.ts` gives each its status. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'SERVICE_UNAVAILABLE';

/** One problem with the input: where it is (as in the arguments) and what is allowed there. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

interface Details extends ErrorOptions {
  issues?: readonly Issue[];
}

/** An expected refusal. The message is public; put anything internal in `cause`. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly issues: readonly Issue[];

  constructor(code: ErrorCode, message: string, { issues = [], ...options }: Details = {}) {
    super(message, options);
    this.code = code;
    this.issues = issues;
  }
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
