import { GraphQLError } from 'graphql';
import { type MaskError, maskError as maskUnexpected } from 'graphql-yoga';
import { DomainError } from '#domain/errors.ts';

/** Refusals are public, with their code and issues; everything else stays unexpected and unnamed. */
export const maskError: MaskError = (error, message, isDev) => {
  const graphQLError = error instanceof GraphQLError ? error : undefined;
  const cause = understood(graphQLError?.originalError ?? error);
  if (!(cause instanceof DomainError)) return maskUnexpected(error, message, isDev);
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

/** PostgreSQL's text has every character but one; what a caller sent with it is the caller's to mend. */
function understood(error: unknown) {
  const hasNul = (error as { code?: string } | undefined)?.code === '22021';
  return hasNul
    ? new DomainError('BAD_REQUEST', 'Text must not contain the character U+0000', { cause: error })
    : error;
}
