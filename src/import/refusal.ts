import { z } from 'zod';
import { DomainError } from '#domain/kernel/errors.ts';

/**
 * The reasons of a refusal, in one line. Errors: any error that is none, and SERVICE_UNAVAILABLE, which states nothing about
 * the record.
 */
export function refusalIn(error: unknown): string {
  if (error instanceof z.ZodError) {
    return error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
  }
  if (!(error instanceof DomainError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
  const issues = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
  return issues.length > 0 ? issues.join('; ') : error.message;
}
