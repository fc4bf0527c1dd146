/** A problem with one value of a request. */
export interface Issue {
  readonly code: string;
  /** Where the value is in the request. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A refusal by the service, or an answer that did not arrive. */
export class TollgateError extends Error {
  /** The code of the service, such as `NOT_FOUND`; `NETWORK` where no answer arrived. */
  readonly code: string;
  readonly issues: readonly Issue[];

  constructor(code: string, message: string, issues: readonly Issue[] = []) {
    super(message);
    this.name = 'TollgateError';
    this.code = code;
    this.issues = issues;
  }
}

/** An error as GraphQL answers have it. */
export interface AnsweredError {
  readonly message: string;
  readonly extensions?: { readonly [name: string]: unknown };
}

/** The error of an answer, with the code and the issues that the service stated. */
export function errorOf({ message, extensions = {} }: AnsweredError): TollgateError {
  const { code = 'UNKNOWN', issues = [] } = extensions as {
    code?: string;
    issues?: readonly Issue[];
  };
  return new TollgateError(code, message, issues);
}

/** The codes with which the service closes a socket whose credential it refuses. */
const closeCodes: Readonly<Record<number, string>> = {
  4401: 'UNAUTHORIZED',
  4403: 'FORBIDDEN',
  4421: 'MISDIRECTED',
  4429: 'TOO_MANY_REQUESTS',
};

/** The error of an answer with several errors: the first one, with the issues of all. */
export function errorOfAll(errors: readonly AnsweredError[]): TollgateError {
  const all = errors.map(errorOf);
  const { code = 'UNKNOWN', message = '' } = all[0] ?? {};
  return new TollgateError(
    code,
    message,
    all.flatMap(({ issues }) => issues),
  );
}

/** The error of a socket: a refusal, a list of errors of an operation, or a connection that ended. */
export function socketErrorOf(failure: unknown): TollgateError {
  if (failure instanceof TollgateError) return failure;
  if (Array.isArray(failure)) return errorOfAll(failure as readonly AnsweredError[]);
  const { code, reason, extensions } = (failure ?? {}) as {
    code?: number;
    reason?: string;
    extensions?: unknown;
  };
  if (extensions) return errorOf(failure as AnsweredError);
  const known = closeCodes[code ?? 0];
  if (known) return new TollgateError(known, reason || 'The service refused the connection');
  return new TollgateError('NETWORK', 'The connection to the service was interrupted');
}
