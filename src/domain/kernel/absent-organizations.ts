import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from './errors.ts';

/** The class of the advisory locks of moving organizations; an arbitrary number. */
export const moveLock = 7_011_448;

const absent = new WeakMap<object, ReadonlySet<string>>();

/** Sets the organizations that the database of an EntityManager does not serve now, for all on its connections. */
export const setAbsent = (em: EntityManager, organizationIds: ReadonlySet<string>) =>
  void absent.set(em.getConnection(), organizationIds);

/** Whether an organization is frozen for its move, or in another cell, as this process last saw it. */
export const isAbsent = (em: EntityManager, organizationId: string): boolean =>
  absent.get(em.getConnection())?.has(organizationId) ?? false;

/** A condition of statements that change rows of every organization: the database does not serve those of others. */
export const isServed = (column = 'organization_id') =>
  `${column} not in (select absent.organization_id from absent_organizations() absent)`;

/** Whether the database has refused a change, since the organization of the row is frozen or elsewhere. */
export const isRefusedByMove = (error: unknown): boolean =>
  (error as { code?: string } | undefined)?.code === '57M01';

/** The refusal of a request for an organization on its way to another cell. */
export const isMoving = () =>
  new DomainError('SERVICE_UNAVAILABLE', 'The organization is being moved; try again', {
    retryAfter: 1,
  });
