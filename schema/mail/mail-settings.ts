import { mailSettingsOf } from '#domain/mail/commands/mails/mail-settings-of.ts';
import { MailSettings } from '#domain/model/mail/mail-settings.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { int, nullable, of, text } from '../engine/fields.ts';
import { OrganizationRecord } from '../engine/record-interfaces.ts';
import { record } from '../engine/types.ts';
import { MailKind } from './mails.ts';

const MailDelivery = builder.enumType('MailDelivery', {
  description: 'The way of the mails of a mode.',
  values: described(['smtp', 'caught', 'off'] as const, {
    smtp: 'They are handed over to the mail server of the installation.',
    caught: 'They are of test mode, so they are written and shown, and never sent.',
    off: 'The installation has no mail server (`SMTP_URL`), so mails of live mode are dropped.',
  }),
});

record(MailSettings, {
  description: 'The mails of the organization to its customers in one mode.',
  interfaces: [OrganizationRecord],
  fields: (t) => ({
    delivery: t.field({
      type: MailDelivery,
      description: 'The way of the mails of this mode.',
      resolve: ({ livemode }, _args, { mailFrom }) =>
        !livemode ? 'caught' : mailFrom === undefined ? 'off' : 'smtp',
    }),
    kinds: of([MailKind], 'The kinds that are switched on.'),
    fromName: nullable.text(
      'The name of the sender; the display name of the organization where it is null.',
    ),
    fromAddress: nullable.text(
      'The address of the sender; that of the installation where it is null.',
    ),
    usualFromAddress: t.string({
      nullable: true,
      description: 'The address of the installation (`MAIL_FROM`); null where it has none.',
      resolve: (_settings, _args, { mailFrom }) => mailFrom ?? null,
    }),
    replyTo: nullable.text('The address for replies; that of the sender where it is null.'),
    language: text('The language of customers without one of their own.'),
    trialEndingDays: int('The days before the end of a trial at which it is announced.'),
    renewalDays: int('The days before a yearly charge at which it is announced.'),
    cardExpiringDays: int('The days before the expiry of a card at which it is announced.'),
    prepaidExpiringDays: int(
      'The days before the expiry of a prepaid credit at which it is announced.',
    ),
    portalLinkDays: int('The days for which a link to the portal in a mail is valid.'),
  }),
});

builder.queryField('mailSettings', (t) =>
  t.field({
    type: MailSettings,
    description: 'The mails of the organization in the mode of the key.',
    resolve: (_root, _args, session) => mailSettingsOf(session),
  }),
);
