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
import { expectedVersion } from '../engine/expected-version.ts';
import { inputMarks } from '../engine/extensions.ts';
import { id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
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

const kind = of(MailKind, 'The kind of mails.');
const language = text('A language such as de or pt-BR.');

const upcoming = async (session: Session, subscription: string) =>
  (await upcomingInvoice(session, subscription))?.invoice ?? null;

mutation('updateMailSettings', {
  returns: [MailSettings, 'The changed settings.'],
  description:
    'Changes the mails of the organization in the mode of the key. Errors: BAD_REQUEST for an invalid address or language.',
  args: {
    mailSettings: of(UpdateMailSettings, 'The changes.'),
    expectedVersion,
  },
  input: updateMailSettingsInput,
  command: updateMailSettings,
});

mutation('saveMailTemplate', {
  returns: [MailTemplate, 'The template.'],
  description:
    'Creates or replaces the template of a kind and language, for later mails. Errors: BAD_REQUEST with the line and the reason for invalid MJML and for an unknown variable. NOT_FOUND for an expected version of a template that does not exist.',
  args: {
    kind,
    language,
    template: of(MailTemplateInput, 'The texts.'),
    expectedVersion,
  },
  input: saveMailTemplateInput,
  command: saveMailTemplate,
});

mutation('deleteMailTemplate', {
  returns: [MailTemplate, 'The deleted template.'],
  description:
    'Deletes the template of a kind and language; the texts of the service apply again. Errors: NOT_FOUND.',
  args: {
    kind,
    language,
  },
  input: deleteMailTemplateInput,
  command: deleteMailTemplate,
});

mutation('previewMail', {
  returns: [MailPreview, 'The mail.'],
  description:
    'Shows a mail with sample values, or with those of an object; its links are samples. Nothing is sent or stored. Errors: BAD_REQUEST for an unknown customer or object, and for an object about which no mail would be sent. BAD_REQUEST with the line and the reason for invalid MJML and for an unknown variable.',
  args: {
    kind,
    language: nullable.text('A language such as de or pt-BR; that of the customer when absent.'),
    customer: nullable.id('The id of a customer, whose name and language the mail has.'),
    about: nullable.id(
      'The id of the object whose values replace the samples: an invoice, for `payment_failed` a payment, for `card_expiring` a payment method. For `trial_ending` and `renewal_upcoming` it is a subscription, for `prepaid_expiring` a prepaid credit, for `alert` a crossing.',
    ),
    template: nullable.of(
      MailTemplateInput,
      'Texts that are not stored; the present ones when absent.',
    ),
  },
  input: previewMailInput,
  command: (session, args) => previewMail(session, args, { mailFrom: session.mailFrom, upcoming }),
});

mutation('resendMail', {
  returns: [Mail, 'The mail.'],
  description:
    'Writes a mail anew and sends it now, whatever its status. Errors: NOT_FOUND; BAD_REQUEST for an erased customer, and for a kind that the customer has off.',
  args: { id: id('The id of the mail.') },
  input: resendMailInput,
  command: resendMail,
});
