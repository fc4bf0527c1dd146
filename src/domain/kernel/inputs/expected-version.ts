import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';

/** The version that a change is based on; any when absent. */
export const expectedVersionInput = z.int().min(1).nullish();

/** A record as its lock shows it. */
interface Versioned {
  readonly id: string;
  readonly version: number;
}

/**
 * Refuses a change that is based on an older version of a locked record, so that it overwrites nothing unseen.
 * Errors: BAD_REQUEST.
 */
export function expectVersion({ id, version }: Versioned, expected: number | null | undefined) {
  if (expected == null || expected === version) return;
  throw invalid(
    'STALE',
    'expectedVersion',
    `is ${expected}, but ${id} has version ${version}: read it again and repeat the change`,
  );
}
