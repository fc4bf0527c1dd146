import { GraphQLError } from 'graphql';
import { type MaskError, maskError as maskUnexpected } from 'graphql-yoga';
import { DomainError } from '#domain/errors.ts';

/** Refusals are public, with their code and issues; everything else stays unexpected and unnamed. */
export const maskError: MaskError = (error, message) => {
  const graphQLError = error instanceof GraphQLError ? error : undefined;
  const cause = understood(graphQLError?.originalError ?? error);
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
    },
  });
};

/** What PostgreSQL or the way to it says when it has too much to do, or is not there. */
const unavailable = new Set([
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'ECONNREFUSED',
  'ECONNRESET',
]);

/** Failures of the database that a caller can do something about. */
export function understood(error: unknown) {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  // PostgreSQL's text has every character but one; what a caller sent with it is the caller's to mend.
  // A value with it is refused as text, or cuts the message off that it is written into.
  if (
    code === '22021' ||
    code === '22P05' ||
    (code === '08P01' && message === 'invalid message format')
  ) {
    return new DomainError('BAD_REQUEST', 'Text must not contain the character U+0000', {
      cause: error,
    });
  }
  if (unavailable.has(code) || /timeout exceeded when trying to connect/.test(message)) {
    return new DomainError('SERVICE_UNAVAILABLE', 'The database is busy or not there; try again', {
      cause: error,
    });
  }
  return error;
}
