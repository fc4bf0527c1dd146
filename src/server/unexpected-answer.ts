import { DomainError } from '#domain/kernel/errors.ts';
import { understood } from './errors/mask-error.ts';
import type { Logger } from './observability/logger.ts';
import { yogaLog } from './request-log/yoga-log.ts';

const statuses: Readonly<Record<string, number>> = { BAD_REQUEST: 400, SERVICE_UNAVAILABLE: 503 };

/**
 * Answers requests for which a page or a file has failed. The log has the error; the answer has its reason only where the
 * client can do something about it.
 */
export function createUnexpectedAnswer(logger: Logger, isForeign: () => boolean) {
  const log = yogaLog(logger);
  return (error: unknown): Response => {
    log.error(error);
    const cause = understood(error, isForeign());
    const status = cause instanceof DomainError ? statuses[cause.code] : undefined;
    const isRefusal = cause instanceof DomainError && status !== undefined;
    const text = isRefusal ? cause.message : 'Something went wrong: the log of the service has it';
    const retryAfter = isRefusal ? cause.retryAfter : undefined;
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    };
    return new Response(`${text}\n`, { status: status ?? 500, headers });
  };
}
