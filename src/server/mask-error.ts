import { GraphQLError } from 'graphql';
import { type MaskError, maskError as maskUnexpected } from 'graphql-yoga';
import { DomainError } from '#domain/errors.ts';
import { databaseFailure } from './database/failure.ts';

/** When a caller may try again whom the database has failed. */
const retryAfterSeconds = 1;

/**
 * Refusals are public, with their code and issues, and so is that the database is the reason; everything else
 * stays unexpected and unnamed. `isForeign` says whether the database belongs to another version.
 */
export const createMaskError =
  (isForeign: () => boolean): MaskError =>
  (error, message) => {
    const graphQLError = error instanceof GraphQLError ? error : undefined;
    const cause = understood(graphQLError?.originalError ?? error, isForeign());
    if (!(cause instanceof DomainError)) return maskUnexpected(error, message, false);
    const { code, issues } = cause;
    return new GraphQLError(cause.message, {
      nodes: graphQLError?.nodes ?? null,
      path: graphQLError?.path ?? null,
      extensions: {
        code,
        ...(issues.length > 0 && { issues }),
        // The caller is unknown, so nothing was executed: HTTP may say it with its status.
        ...(code === 'UNAUTHORIZED' && { http: { status: 401 } }),
        ...(cause instanceof DatabaseUnavailable && retryLater),
      },
    });
  };

class DatabaseUnavailable extends DomainError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'The database is busy or not there; try again', { cause });
  }
}

const retryLater = {
  retryAfterSeconds,
  http: { status: 503, headers: { 'retry-after': String(retryAfterSeconds) } },
};

/** Failures of the database that a caller can do something about. */
function understood(error: unknown, isForeign: boolean) {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  // PostgreSQL's text has every character but one; what a caller sent with it is the caller's to mend.
  // A value with it is refused as text, or cuts the message off that it is written into.
  if (code === '22021' || (code === '08P01' && message === 'invalid message format')) {
    return new DomainError('BAD_REQUEST', 'Text must not contain the character U+0000', {
      cause: error,
    });
  }
  if (error instanceof DomainError) return error;
  return databaseFailure(error, isForeign) === undefined ? error : new DatabaseUnavailable(error);
}
