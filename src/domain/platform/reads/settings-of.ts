import type { Session } from '#domain/kernel/session.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';

/** The settings of the session's organization in the session's mode. */
export const settingsOf = ({
  em,
  organizationId,
  livemode,
}: Pick<Session, 'em' | 'organizationId' | 'livemode'>): Promise<OrganizationSettings> =>
  em.findOneOrFail(OrganizationSettings, { organizationId, livemode });
