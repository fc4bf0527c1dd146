import { DomainError } from '#domain/kernel/errors.ts';

/** The seconds after which a caller may try again. */
const retryAfter = 5;

/** A tax service without a usable answer. Nothing is written without it. */
export class TaxServiceFailed extends DomainError {
  /** `reason` is null where the caller must not learn it. */
  constructor(reason: string | null, cause?: unknown) {
    const why = reason === null ? '' : `: ${reason}`;
    const message = `The tax service gave no usable answer${why}. Nothing is written; try again`;
    const issues = [{ code: 'TAX_SERVICE_FAILED' as const, path: [], message }];
    super('SERVICE_UNAVAILABLE', message, { retryAfter, issues, cause });
  }
}
