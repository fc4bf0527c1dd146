import { LockMode } from '@mikro-orm/core';
import { DomainError } from '../errors.ts';
import { Organization } from '../organizations/organization.ts';
import type { Session } from '../session.ts';
import { PricingModel } from './pricing-model.ts';

/** The default model of the key's organization and mode. Errors: NOT_FOUND when there is none. */
export async function defaultPricingModel({ em }: Session) {
  const pricingModel = await em.findOne(PricingModel, { isDefault: true });
  if (!pricingModel) throw new DomainError('NOT_FOUND', 'No pricing model is the default');
  return pricingModel;
}

/**
 * Makes room for a new default. Whoever moves the default locks the organization first, so that two
 * of them never see the same one; the change reaches the database before the new default does.
 */
export async function unsetDefaultPricingModel({ em, organizationId }: Session) {
  await em.findOneOrFail(Organization, organizationId, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const current = await em.findOne(PricingModel, { isDefault: true });
  if (!current) return;
  current.isDefault = false;
  await em.flush();
}
