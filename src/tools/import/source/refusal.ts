import { DriverException } from '@mikro-orm/core';
import { z } from 'zod';
import '#domain/kernel/inputs/plain-words.ts';
import { DomainError } from '#domain/kernel/errors.ts';

/** Codes of the database for a value that it cannot store (22), and for a constraint that a record violates (23). */
const valueStates = /^2[23]/;

/**
 * The reasons of a refusal, in one line. Errors: any error that is none, and SERVICE_UNAVAILABLE, which states nothing about
 * the record.
 */
export function refusalIn(error: unknown): string {
  if (error instanceof z.ZodError) {
    return error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
  }
  if (error instanceof DriverException && valueStates.test(error.code ?? '')) {
    const { constraint } = error as { constraint?: string };
    return `cannot be stored: the database refuses it by ${constraint ?? error.message.split(' - ').at(-1)}`;
  }
  if (!(error instanceof DomainError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
  const issues = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
  return issues.length > 0 ? issues.join('; ') : error.message;
}
