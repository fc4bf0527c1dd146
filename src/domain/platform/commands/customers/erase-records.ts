import type { EntityName } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { type Erased, personalRecords } from './personal-data.ts';

/** The number of records of a kind, such as `PaymentMethod`, that lost personal data. */
export interface ErasedRecords {
  readonly kind: string;
  readonly count: number;
}

/**
 * Replaces the personal data in the records of a customer, without an event for each, because the customer has one
 * event for all of them. Returns the number of records of each kind that had such data.
 */
export async function eraseRecords({ em }: Session, customerId: string): Promise<ErasedRecords[]> {
  const counts: ErasedRecords[] = [];
  for (const [Kind, owner, erased] of personalRecords) {
    const rows = { [owner]: customerId, $or: filled(erased) };
    const count = await em.nativeUpdate(Kind as EntityName<object>, rows, erased);
    counts.push({ kind: Kind.name, count });
  }
  return counts;
}

/** The rows where at least one field has another value than the erased one. */
const filled = (erased: Erased) =>
  Object.entries(erased).map(([field, value]) =>
    typeof value === 'object' && value !== null
      ? { [field]: { $ne: JSON.stringify(value) } }
      : { [field]: { $ne: value } },
  );

/** The fields that events lose, by the kind of their object. */
export const erasedFields = (): Record<string, Erased> =>
  Object.fromEntries(personalRecords.map(([Kind, , erased]) => [Kind.name, erased]));
