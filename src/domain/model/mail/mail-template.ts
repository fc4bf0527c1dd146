import { defineEntity, p } from '@mikro-orm/core';
import { baseColumns } from '#domain/kernel/columns.ts';
import { mailKinds } from './mail-kinds.ts';

const MailTemplateSchema = defineEntity({
  name: 'MailTemplate',
  uniques: [
    {
      name: 'mail_template_unique',
      properties: ['organizationId', 'livemode', 'kind', 'language'],
    },
  ],
  properties: {
    ...baseColumns('mail_template'),
    kind: p.enum(mailKinds),
    /** A language such as `de`, with a region where the texts differ, such as `pt-BR`. */
    language: p.string(),
    subject: p.text(),
    /** The body in MJML. */
    mjml: p.text(),
    /** The body as plain text; the usual one of the kind where it is null. */
    text: p.text().nullable(),
    /** The body as HTML, compiled from the MJML when it was saved. */
    html: p.text().hidden(),
  },
});

/** The texts of an organization for one kind of mails in one language and mode. */
export class MailTemplate extends MailTemplateSchema.class {}
MailTemplateSchema.setClass(MailTemplate);
