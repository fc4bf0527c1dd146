import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import type { StoredCatalog } from './catalog.ts';

const form = /^[0-9a-f]{32}$/;

/** The state of the catalog for which a document was planned; any when absent. */
export const expectedCatalogInput = z
  .string()
  .regex(form, 'must be the `state` of a plan: 32 digits 0-9a-f')
  .nullish();

/**
 * The state of a catalog as a digest: it differs when a document may have another plan. Null is a pricing model that
 * does not exist. Recorded usage is no part of it.
 */
export function catalogState(catalog: StoredCatalog | null): string {
  const withoutUsage = (key: string, value: unknown) => (key === 'isUsed' ? undefined : value);
  const text = JSON.stringify(catalog, withoutUsage);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Refuses a document whose plan was made for another state of the locked catalog. Errors: BAD_REQUEST. */
export function expectCatalog(present: string, expected: string | null | undefined) {
  if (expected == null || expected === present) return;
  throw invalid(
    'STALE',
    'expectedCatalog',
    `is ${expected}, but the catalog has changed since that plan: its state is ${present}. Nothing is written; plan the document again`,
  );
}
