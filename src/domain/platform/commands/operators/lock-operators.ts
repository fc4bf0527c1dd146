import { LockMode } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { Organization } from '#domain/model/platform/organization.ts';

/**
 * Locks the organization, so that one transaction at a time decides who runs it. Locks follow the order organization,
 * invitation, operator, session.
 */
export const lockOperators = ({ em, organizationId }: Session) =>
  em.findOneOrFail(Organization, organizationId, { lockMode: LockMode.PESSIMISTIC_WRITE });
