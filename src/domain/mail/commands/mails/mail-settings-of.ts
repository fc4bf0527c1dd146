import type { Session } from '#domain/kernel/session.ts';
import { MailSettings } from '#domain/model/mail/mail-settings.ts';

/** The settings for mails of the session's organization in the session's mode. */
export const mailSettingsOf = ({ em, organizationId, livemode }: Session): Promise<MailSettings> =>
  em.findOneOrFail(MailSettings, { organizationId, livemode });
