import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { randomText } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { sealDocumentSecret } from '#domain/platform/access/document-link.ts';

/** A new secret for the links of a settings row, encrypted. */
export const newDocumentSecret = (row: Pick<OrganizationSettings, 'id'>) =>
  sealDocumentSecret(row, randomText(40));

export const rotateDocumentSecretInput = z.object({});

/** Replaces the secret that signs links to invoices and receipts: existing links end immediately. */
export function rotateDocumentSecret(session: Session): Promise<OrganizationSettings> {
  return command(session, async ({ em, organizationId, livemode, now }) => {
    const where = { organizationId, livemode };
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const settings = await em.findOneOrFail(OrganizationSettings, where, { lockMode });
    settings.documentSecret = newDocumentSecret(settings);
    settings.documentLinksValidFrom = now;
    return settings;
  });
}
