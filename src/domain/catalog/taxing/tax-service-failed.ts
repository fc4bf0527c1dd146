import { DomainError } from '#domain/kernel/errors.ts';

/** The seconds after which a caller may try again. */
const retryAfter = 5;

/**
 * The subject of a failure: one question, which the service refuses; the service itself; or the turn of a question,
 * which was not sent, since others of the organization wait already.
 */
export type Failing = 'question' | 'service' | 'turn';

/** A tax service without a usable answer. Nothing is written without it. */
export class TaxServiceFailed extends DomainError {
  readonly concerns: Failing;

  /** `reason` is null where the caller must not learn it. */
  constructor(reason: string | null, concerns: Failing, cause?: unknown) {
    const why = reason === null ? '' : `: ${reason}`;
    const message = `The tax service gave no usable answer${why}. Nothing is written; try again`;
    const issues = [{ code: 'TAX_SERVICE_FAILED' as const, path: [], message }];
    super('SERVICE_UNAVAILABLE', message, { retryAfter, issues, cause });
    this.concerns = concerns;
  }
}
