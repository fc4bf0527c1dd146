import { LockMode } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { Organization } from '#domain/model/platform/organization.ts';

/** The default currency of the session's organization: of prices that name none, and of lists and statistics. */
export async function defaultCurrency({ em, organizationId }: Session): Promise<string> {
  const { currency } = await em.findOneOrFail(Organization, organizationId);
  return currency;
}

/**
 * The currency of a new amount: the wanted one, else the default. The default is locked, so that it cannot change in
 * between; call it before other rows are locked.
 */
export async function currencyFor(
  { em, organizationId }: Session,
  wanted?: string | null,
): Promise<string> {
  const lockMode = LockMode.PESSIMISTIC_READ;
  const { currency } = await em.findOneOrFail(Organization, organizationId, { lockMode });
  return wanted ?? currency;
}
