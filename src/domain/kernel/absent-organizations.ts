import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from './errors.ts';

/** The class of the advisory locks of moving organizations; an arbitrary number. */
export const moveLock = 7_011_448;

/**
 * The organizations that a database does not serve now, with the name of the cell of those that have left for good; null
 * for those on their way.
 */
export type AbsentOrganizations = ReadonlyMap<string, string | null>;

const absent = new WeakMap<object, AbsentOrganizations>();

/** Sets the organizations that the database of an EntityManager does not serve now, for all on its connections. */
export const setAbsent = (em: EntityManager, organizations: AbsentOrganizations) =>
  void absent.set(em.getConnection(), organizations);

/** Whether an organization is frozen for its move, or in another cell, as this process last saw it. */
export const isAbsent = (em: EntityManager, organizationId: string): boolean =>
  absent.get(em.getConnection())?.has(organizationId) ?? false;

/** Refuses work for an organization that is not served here. Errors: SERVICE_UNAVAILABLE, MISDIRECTED. */
export function requireServed(em: EntityManager, organizationId: string) {
  const cell = absent.get(em.getConnection())?.get(organizationId);
  if (cell !== undefined) throw notServed(cell);
}

/** A condition of statements that change rows of every organization: the database does not serve those of others. */
export const isServed = (column = 'organization_id') =>
  `${column} not in (select absent.organization_id from absent_organizations() absent)`;

/** Whether the database has refused a change, since the organization of the row is frozen or elsewhere. */
export const isRefusedByMove = (error: unknown): boolean =>
  (error as { code?: string } | undefined)?.code === '57M01';

/** The refusal of a request for an organization on its way to another cell, or in the cell of this name. */
export const notServed = (cell: string | null) =>
  cell === null
    ? new DomainError('SERVICE_UNAVAILABLE', 'The organization is being moved; try again', {
        retryAfter: 1,
      })
    : new DomainError(
        'MISDIRECTED',
        `The organization has moved to the cell ${cell}: send its requests to the address of that cell`,
      );
