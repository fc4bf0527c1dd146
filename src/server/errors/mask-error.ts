import { GraphQLError } from 'graphql';
import { type MaskError, maskError as maskUnexpected } from 'graphql-yoga';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import {
  ProcessorMisconfigured,
  ProcessorUnreachable,
} from '#domain/money/processing/port/processor-errors.ts';
import { variableError } from './variable-error.ts';

/** The seconds after which to retry after a failure of the database. */
const retryAfter = 1;

/**
 * Refusals are public, with their code and issues, and so is a failure of the database. All other errors are
 * unexpected and masked. `isForeign` returns whether the database belongs to another version.
 */
export const createMaskError =
  (isForeign: () => boolean): MaskError =>
  (error, message) => {
    const graphQLError = error instanceof GraphQLError ? error : undefined;
    const refused = graphQLError && variableError(graphQLError);
    if (refused) return refused;
    const cause = understood(graphQLError?.originalError ?? error, isForeign());
    if (!(cause instanceof DomainError)) return maskUnexpected(error, message, false);
    const { code, issues, retryAfter } = cause;
    return new GraphQLError(cause.message, {
      nodes: graphQLError?.nodes ?? null,
      path: graphQLError?.path ?? null,
      extensions: {
        code,
        ...(issues.length > 0 && { issues }),
        ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
        ...httpOf(cause),
      },
    });
  };

/** The same where the version of the database does not matter. */
export const maskError = createMaskError(() => false);

/** The same function, whose refusals are errors of GraphQL. */
export const masked =
  <Given extends unknown[], T>(work: (...given: Given) => T) =>
  (...given: Given): T => {
    try {
      return work(...given);
    } catch (error) {
      throw maskError(error, 'Unexpected error.', false);
    }
  };

/** No operation was executed, so HTTP may show the refusal as its status. */
function httpOf({ code, retryAfter }: DomainError) {
  if (code === 'UNAUTHORIZED') return { http: { status: 401 } };
  if (code === 'MISDIRECTED') return { http: { status: 421 } };
  if (retryAfter === undefined) return {};
  const status = code === 'TOO_MANY_REQUESTS' ? 429 : 503;
  return { http: { status, headers: { 'retry-after': String(retryAfter) } } };
}

/** Failures of the database and of processors as refusals, with what the caller can do. */
export function understood(error: unknown, isForeign: boolean) {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  // PostgreSQL's text allows every character but U+0000, and the client must remove that one. A
  // value with it is refused as text, or truncates the message that contains it.
  if (
    code === '22021' ||
    code === '22P05' ||
    (code === '08P01' && message === 'invalid message format')
  ) {
    return new DomainError('BAD_REQUEST', 'Text must not contain the character U+0000', {
      cause: error,
    });
  }
  if (error instanceof DomainError) return error;
  if (error instanceof ProcessorUnreachable) {
    return new DomainError(
      'SERVICE_UNAVAILABLE',
      'The payment processor did not answer; try again',
      { cause: error, retryAfter: Math.max(1, Math.ceil((error.retryAfter ?? 0) / 1_000)) },
    );
  }
  if (error instanceof ProcessorMisconfigured) {
    const message =
      'The payment processor refuses this service: the operator finds the reason in processorAccounts';
    return new DomainError('SERVICE_UNAVAILABLE', message, { cause: error });
  }
  if (databaseFailure(error, isForeign) === undefined) return error;
  return new DomainError('SERVICE_UNAVAILABLE', 'The database is busy or unavailable; try again', {
    cause: error,
    retryAfter,
  });
}
