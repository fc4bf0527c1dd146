import { defineEntity, p } from '@mikro-orm/core';
import { baseColumns, checksOf } from '#domain/kernel/columns.ts';
import type { MailKind } from './mail-kinds.ts';

const MailSettingsSchema = defineEntity({
  name: 'MailSettings',
  uniques: [{ name: 'mail_settings_mode_unique', properties: ['organizationId', 'livemode'] }],
  checks: checksOf({
    mail_settings_days:
      'least(trial_ending_days, renewal_days, card_expiring_days, prepaid_expiring_days, portal_link_days) >= 1 and greatest(trial_ending_days, renewal_days, card_expiring_days, prepaid_expiring_days, portal_link_days) <= 90',
  }),
  properties: {
    ...baseColumns('mail_settings'),
    /** The kinds of mails that are switched on. */
    kinds: p.array<MailKind>().$type<MailKind[]>(),
    /** The name of the sender; the display name of the organization where it is null. */
    fromName: p.string().nullable(),
    /** The address of the sender; that of the installation where it is null. */
    fromAddress: p.string().nullable(),
    replyTo: p.string().nullable(),
    /** The language of customers without one of their own. */
    language: p.string().default('en'),
    /** How many days before their dates ends of trials, yearly charges, and expiries of cards and prepaid credits are announced. */
    trialEndingDays: p.integer().default(3),
    renewalDays: p.integer().default(14),
    cardExpiringDays: p.integer().default(14),
    prepaidExpiringDays: p.integer().default(14),
    /** How many days a link to the portal in a mail is valid, from its writing on. */
    portalLinkDays: p.integer().default(14),
  },
});

/** The kinds of mails that an organization sends in one mode, and their sender. */
export class MailSettings extends MailSettingsSchema.class {}
MailSettingsSchema.setClass(MailSettings);
