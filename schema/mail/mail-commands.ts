import type { Session } from '#domain/kernel/session.ts';
import {
  deleteMailTemplate,
  deleteMailTemplateInput,
} from '#domain/mail/commands/mails/delete-mail-template.ts';
import { previewMail, previewMailInput } from '#domain/mail/commands/mails/preview-mail.ts';
import { resendMail, resendMailInput } from '#domain/mail/commands/mails/resend-mail.ts';
import {
  saveMailTemplate,
  saveMailTemplateInput,
} from '#domain/mail/commands/mails/save-mail-template.ts';
import {
  updateMailSettings,
  updateMailSettingsInput,
} from '#domain/mail/commands/mails/update-mail-settings.ts';
import type { Letter } from '#domain/mail/commands/mails/write-mail.ts';
import { Mail } from '#domain/model/mail/mail.ts';
import { MailSettings } from '#domain/model/mail/mail-settings.ts';
import { MailTemplate } from '#domain/model/mail/mail-template.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { inputMarks } from '../engine/extensions.ts';
import { nullable, text } from '../engine/fields.ts';
import { payload } from '../engine/payload.ts';
import { input, object } from '../engine/types.ts';
import { MailKind } from './mails.ts';

/** Over REST, too, null is something else than absent. */
const extensions = inputMarks({ keepsNull: true });

const UpdateMailSettings = input('UpdateMailSettingsInput', {
  description: 'Changes to the mails of a mode; absent fields do not change.',
  fields: {
    kinds: nullable.of(
      [MailKind],
      'The kinds that are switched on. Pending mails of the others are dropped.',
    ),
    fromName: nullable.text(
      'The name of the sender; null for the display name of the organization.',
      extensions,
    ),
    fromAddress: nullable.text(
      'The address of the sender; null for that of the installation.',
      extensions,
    ),
    replyTo: nullable.text('The address for replies; null for that of the sender.', extensions),
    language: nullable.text(
      'The language of customers without one of their own, such as de or pt-BR.',
    ),
    trialEndingDays: nullable.int(
      'The days before the end of a trial at which it is announced, 1 to 90.',
    ),
    renewalDays: nullable.int('The days before a yearly charge at which it is announced, 1 to 90.'),
    cardExpiringDays: nullable.int(
      'The days before the expiry of a card at which it is announced, 1 to 90.',
    ),
    prepaidExpiringDays: nullable.int(
      'The days before the expiry of a prepaid credit at which it is announced, 1 to 90.',
    ),
    portalLinkDays: nullable.int(
      'The days for which a link to the portal in a mail is valid, 1 to 90. Mails that were sent keep theirs.',
    ),
  },
});

const MailTemplateInput = input('MailTemplateInput', {
  description: 'The texts of a template. A variable is written as `{{invoice.number}}`.',
  fields: {
    subject: text('The subject, at most 500 characters.'),
    mjml: text('The body in MJML, at most 64,000 characters, without `mj-include`.'),
    text: nullable.text('The body as plain text; the usual one of the kind when absent or null.'),
  },
});

const MailPreview = object<Letter>('MailPreview')({
  description: 'A mail as a customer would receive it.',
  fields: (t) => ({
    language: text('The language of its texts.'),
    from: t.exposeString('sender', { description: 'The sender as its header states it.' }),
    to: t.exposeString('recipient', { description: 'The address of the recipient.' }),
    replyTo: nullable.text('The address for replies; null for that of the sender.'),
    subject: text('The subject.'),
    text: text('The body as plain text.'),
    html: text('The body as HTML.'),
  }),
});

const kind = { type: MailKind, required: true, description: 'The kind of mails.' } as const;
const language = { required: true, description: 'A language such as de or pt-BR.' } as const;

const upcoming = async (session: Session, subscription: string) =>
  (await upcomingInvoice(session, subscription))?.invoice ?? null;

builder.mutationFields((t) => ({
  updateMailSettings: t.field({
    type: payload('updateMailSettings', MailSettings, 'The changed settings.'),
    description:
      'Changes the mails of the organization in the mode of the key. Errors: BAD_REQUEST for an invalid address or language.',
    args: {
      mailSettings: t.arg({
        type: UpdateMailSettings,
        required: true,
        description: 'The changes.',
      }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateMailSettingsInput },
    resolve: (_root, args, session) => updateMailSettings(session, args),
  }),
  saveMailTemplate: t.field({
    type: payload('saveMailTemplate', MailTemplate, 'The template.'),
    description:
      'Creates or replaces the template of a kind and language, for later mails. Errors: BAD_REQUEST with the line and the reason for invalid MJML and for an unknown variable. NOT_FOUND for an expected version of a template that does not exist.',
    args: {
      kind: t.arg(kind),
      language: t.arg.string(language),
      template: t.arg({ type: MailTemplateInput, required: true, description: 'The texts.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: saveMailTemplateInput },
    resolve: (_root, args, session) => saveMailTemplate(session, args),
  }),
  deleteMailTemplate: t.field({
    type: payload('deleteMailTemplate', MailTemplate, 'The deleted template.'),
    description:
      'Deletes the template of a kind and language; the texts of the service apply again. Errors: NOT_FOUND.',
    args: { kind: t.arg(kind), language: t.arg.string(language) },
    validate: { schema: deleteMailTemplateInput },
    resolve: (_root, args, session) => deleteMailTemplate(session, args),
  }),
  previewMail: t.field({
    type: payload('previewMail', MailPreview, 'The mail.'),
    description:
      'Shows a mail with sample values, or with those of an object; its links are samples. Nothing is sent or stored. Errors: BAD_REQUEST for an unknown customer or object, and for an object about which no mail would be sent. BAD_REQUEST with the line and the reason for invalid MJML and for an unknown variable.',
    args: {
      kind: t.arg(kind),
      language: t.arg.string({
        description: 'A language such as de or pt-BR; that of the customer when absent.',
      }),
      customer: t.arg.id({
        description: 'The id of a customer, whose name and language the mail has.',
      }),
      about: t.arg.id({
        description:
          'The id of the object whose values replace the samples: an invoice, for `payment_failed` a payment, for `card_expiring` a payment method. For `trial_ending` and `renewal_upcoming` it is a subscription, for `prepaid_expiring` a prepaid credit, for `alert` a crossing.',
      }),
      template: t.arg({
        type: MailTemplateInput,
        description: 'Texts that are not stored; the present ones when absent.',
      }),
    },
    validate: { schema: previewMailInput },
    resolve: (_root, args, session) =>
      previewMail(session, args, { mailFrom: session.mailFrom, upcoming }),
  }),
  resendMail: t.field({
    type: payload('resendMail', Mail, 'The mail.'),
    description:
      'Writes a mail anew and sends it now, whatever its status. Errors: NOT_FOUND; BAD_REQUEST for an erased customer, and for a kind that the customer has off.',
    args: { id: t.arg.id({ required: true, description: 'The id of the mail.' }) },
    validate: { schema: resendMailInput },
    resolve: (_root, args, session) => resendMail(session, args),
  }),
}));
