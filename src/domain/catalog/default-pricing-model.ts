import { LockMode } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Organization } from '#domain/model/platform/organization.ts';

/** The default model of the key's organization and mode. Errors: NOT_FOUND when there is none. */
export async function defaultPricingModel({ em }: Session) {
  const pricingModel = await em.findOne(PricingModel, { isDefault: true });
  if (!pricingModel) throw new DomainError('NOT_FOUND', 'There is no default pricing model');
  return pricingModel;
}

/**
 * The current default, for a command that changes it. Locks the organization before it reads the default, so that two
 * commands never see the same one.
 */
export async function lockDefaultPricingModel({ em, organizationId }: Session) {
  await em.findOneOrFail(Organization, organizationId, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return em.findOne(PricingModel, { isDefault: true });
}

/** Unsets the default; the database sees this change before that of the new default. */
export async function unsetDefaultPricingModel({ em }: Session, current: PricingModel | null) {
  if (!current) return;
  current.isDefault = false;
  await em.flush();
}
