import { DomainError } from '#domain/kernel/errors.ts';

/** The seconds after which a caller may try again. */
const retryAfter = 5;

/** A tax service without a usable answer. Nothing is written without it. */
export class TaxServiceFailed extends DomainError {
  constructor(reason: string, cause?: unknown) {
    const message = `The tax service gave no usable answer: ${reason}. Nothing is written; try again`;
    const issues = [{ code: 'TAX_SERVICE_FAILED' as const, path: [], message }];
    super('SERVICE_UNAVAILABLE', message, { retryAfter, issues, cause });
  }
}
