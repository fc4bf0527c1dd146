import { createHash } from 'node:crypto';
import { invalid } from '#domain/kernel/errors.ts';
import { isInstant } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Order, Place } from './order.ts';

/** Ties a cursor to its list: the tenant, the entity, the conditions and the order. */
export function fingerprintOf(
  { organizationId, livemode, pricingModelId }: Session,
  list: readonly unknown[],
): string {
  const tenant = [organizationId, livemode, pricingModelId];
  return createHash('sha256')
    .update(JSON.stringify([tenant, ...list]))
    .digest('base64url')
    .slice(0, 12);
}

/** The cursor of a place in a list. */
export const cursorOf = (list: string, { value, id, currency }: Place) =>
  Buffer.from(
    JSON.stringify(currency === undefined ? [list, value, id] : [list, value, id, currency]),
  ).toString('base64url');

/** The place that a cursor of this list names. Errors: BAD_REQUEST for a cursor of another list. */
export function placeOf(list: string, { column }: Order, argument: string, cursor: string): Place {
  const [of, value, id, currency] = partsOf(cursor);
  const known = value === null ? column.nullable === true : isOf[column.kind](value);
  if (of === list && known && isText(id) && (!column.inCurrency || isText(currency))) {
    const place = { value: value as Place['value'], id };
    return column.inCurrency ? { ...place, currency: currency as string } : place;
  }
  throw invalid(
    'INVALID',
    argument,
    'is not a cursor of this list: use a cursor that this list returned',
  );
}

const isOf = {
  time: isInstant,
  integer: (value: unknown) => Number.isSafeInteger(value),
  decimal: (value: unknown) => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value),
  text: isText,
} as const;

/** Whether a value is text that the database can compare. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

/** The parts of a cursor; none of a text that is no JSON array. */
function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
