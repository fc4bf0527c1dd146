import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Organization } from '#domain/organizations/organization.ts';

/** Every price is in its organization's currency; a body may repeat it, but not choose another. */
export async function currencyOf({ em, organizationId }: Session) {
  const { currency } = await em.findOneOrFail(Organization, organizationId);
  return currency;
}

export async function currencyFor(session: Session, wanted: string | null | undefined) {
  const currency = await currencyOf(session);
  if (wanted == null || wanted === currency) return currency;
  throw invalid(
    'MISMATCH',
    'price.currency',
    `must be ${currency}, the currency of the organization`,
  );
}
