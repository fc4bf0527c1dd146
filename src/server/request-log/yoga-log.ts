import { logged } from '#domain/kernel/database-failure.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { AuthenticationError } from '../auth/authentication-error.ts';
import { understood } from '../errors/mask-error.ts';
import type { Logger } from '../observability/logger.ts';
import { note } from './use-request-log.ts';

/** The log states why a key was refused and, where it is known, which key it is. */
export function noteRefusal(asked: object | undefined, error: unknown) {
  if (!(error instanceof AuthenticationError)) return;
  const { reason, credential } = error;
  const known = credential && {
    ...(credential instanceof ApiKey
      ? { apiKeyId: credential.id }
      : { customerTokenId: credential.id }),
    organizationId: credential.organizationId,
  };
  note(asked, { authentication: reason, ...known });
}

/** The HTTP status that an error of GraphQL itself asks for; 500 without one. */
const statusOf = (error: unknown): number => {
  const { extensions } = (error ?? {}) as { extensions?: { http?: { status?: number } } };
  return extensions?.http?.status ?? 500;
};

/**
 * Yoga logs the errors that it masks; refusals are masked too, and they are answers, not errors.
 * Refusals of the database because of the input, such as text with U+0000, are refusals as well.
 */
export function yogaLog(logger: Logger) {
  const causeOf = (value: unknown) =>
    value instanceof Error && 'originalError' in value ? value.originalError : undefined;
  const isRefusal = (value: unknown) => {
    // A value that a scalar refuses, for example.
    if (statusOf(value) < 500) return true;
    const cause = causeOf(value);
    if (cause === undefined && (value as Error)?.name === 'GraphQLError') return true;
    const refusal = understood(cause ?? value, false);
    if (!(refusal instanceof DomainError)) return false;
    return refusal === (cause ?? value) || refusal.code === 'BAD_REQUEST';
  };
  return {
    debug: () => {},
    info: (...values: unknown[]) => logger.debug({ values }),
    warn: (...values: unknown[]) => logger.warn({ values }),
    error: (...values: unknown[]) => {
      const [error] = values;
      if (isRefusal(error)) return;
      const cause = logged(error);
      if ('reason' in cause) logger.warn(cause, 'The database could not serve a request');
      else logger.error(cause, 'A request has failed');
    },
  };
}
