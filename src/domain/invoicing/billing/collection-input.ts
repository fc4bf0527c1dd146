import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { collectionMethods } from '#domain/model/platform/collection-methods.ts';

/** The longest time from the sending of an invoice to its due date. */
const mostDays = 365;

/** How invoices are collected, in the input. */
export const collectionFields = {
  collectionMethod: z.enum(collectionMethods).nullish(),
  daysUntilDue: z.int().min(0).max(mostDays).nullish(),
};

/** Refuses days until due where nothing is sent. Errors: BAD_REQUEST. */
export function checkDaysUntilDue(
  path: string,
  {
    collectionMethod,
    daysUntilDue,
  }: { collectionMethod: string; daysUntilDue?: number | null | undefined },
) {
  if (daysUntilDue == null || collectionMethod === 'send_invoice') return;
  throw invalid('NOT_ALLOWED', path, 'must be left out unless collectionMethod is send_invoice');
}
