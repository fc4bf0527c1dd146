import type { MailSettingsQuery } from './mails.generated.ts';

/** The mails that customers receive, and their sender. */
export type MailSettings = NonNullable<MailSettingsQuery['mailSettings']>;
