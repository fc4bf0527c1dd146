import { createHash } from 'node:crypto';
import { ref } from '@mikro-orm/core';
import type { z } from 'zod';
import type { Session } from '#domain/kernel/session.ts';
import { OrganizationLogo } from '#domain/model/platform/organization-logo.ts';
import type { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { readLogo, type sellerFields } from './seller-input.ts';

type Changes = {
  readonly [Key in keyof typeof sellerFields]?: z.output<(typeof sellerFields)[Key]>;
};

/** Changes the seller as later documents show it; null removes a field. Finalized invoices keep what they show. */
export async function changeSeller(
  session: Session,
  settings: OrganizationSettings,
  { legalName, address, taxIds, logo, bankAccount }: Changes,
) {
  if (legalName !== undefined) settings.legalName = legalName?.trim() || null;
  if (address !== undefined) settings.address = address;
  if (taxIds !== undefined) settings.taxIds = taxIds ?? [];
  if (bankAccount !== undefined) settings.bankAccount = bankAccount;
  if (logo !== undefined) settings.logo = logo ? ref(await keepLogo(session, logo)) : null;
}

/** The stored picture, which is stored once however often it is sent. The settings are locked. */
async function keepLogo({ em, organizationId, livemode, now }: Session, text: string) {
  const logo = readLogo(text);
  if (!logo) throw new Error('The input has checked the logo');
  const digest = createHash('sha256').update(logo.content).digest('hex');
  const known = await em.findOne(OrganizationLogo, { organizationId, livemode, digest });
  if (known) return known;
  return em.create(OrganizationLogo, { ...logo, organizationId, livemode, createdAt: now, digest });
}
