import { p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from './ids.ts';
import { scopeOf } from './session.ts';

/** A `timestamptz` with the precision of the API: whole milliseconds. */
export const instant = () => p.datetime(3);

/** An integer amount in minor units of a currency, or a count, up to 2^53 - 1. */
export const safeInteger = () => p.bigint('number');

/** The checks of a table, each by its name. */
export const checksOf = (expressions: Readonly<Record<string, string>>) =>
  Object.entries(expressions).map(([name, expression]) => ({ name, expression }));

/** The order of every list: by creation; rows of the same instant in the order of insertion. */
export const oldestFirst = { createdAt: 'asc', position: 'asc', id: 'asc' } as const;

/**
 * Orders the rows of one instant as they were written. A sequence of the table fills it, so it works for set-based
 * SQL and for several processes. Sequences count the rows of all tenants: no response and no cursor may show it. Rows
 * that are older than the column have 0, and stay in the order of their ids.
 */
export const positionColumn = () => safeInteger().autoincrement().hidden();

/**
 * A change by a machine with a slower clock has the instant of the change before it, so that no instant goes back.
 * Statements write `updated_at = greatest(updated_at, …)` for the same reason.
 */
export const later = (before: Date | undefined, now: Date) =>
  before && before > now ? before : now;

const idColumn = (prefix: string) =>
  p
    .string()
    .primary()
    .onCreate(() => newId(prefix));

/**
 * The organization of a row that belongs to another row. The foreign key to that row contains it, so both agree. ORM
 * rows get it from the session, others from their statement.
 */
export const organizationColumn = () =>
  p
    .string()
    .hidden()
    .onCreate((_row, em) => scopeOf(em as EntityManager).organizationId);

/** The columns that every record has: id, instants, version, mode and organization. */
export const baseColumns = (prefix: string) => ({
  id: idColumn(prefix),
  position: positionColumn(),
  createdAt: instant().onCreate((_row, em) => scopeOf(em as EntityManager).now),
  updatedAt: instant()
    .onCreate((_row, em) => scopeOf(em as EntityManager).now)
    .onUpdate(({ updatedAt }, em) => later(updatedAt, scopeOf(em as EntityManager).now)),
  /** Counts the changes of the row, from 1. */
  version: p
    .integer()
    .hidden()
    .default(1)
    .onCreate(() => 1)
    .onUpdate((row) => row.version + 1),
  livemode: p.boolean().onCreate((_row, em) => scopeOf(em as EntityManager).livemode),
  organizationId: p.string().onCreate((_row, em) => scopeOf(em as EntityManager).organizationId),
});

/** The columns of a row that belongs to an organization in both modes. */
export function organizationColumns(prefix: string) {
  const { livemode: _, ...columns } = baseColumns(prefix);
  return columns;
}

/** The columns of a row that belongs to one pricing model; filled from the session, never by a command. */
export const tenantColumns = (prefix: string) => ({
  ...baseColumns(prefix),
  pricingModelId: p.string().onCreate((_row, em) => scopeOf(em as EntityManager).pricingModelId),
});
