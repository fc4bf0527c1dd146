import { variableNames } from '#domain/mail/commands/mails/check-template.ts';
import { findTemplate } from '#domain/mail/commands/mails/find-template.ts';
import { shippedLanguages } from '#domain/mail/commands/mails/languages.ts';
import type { MailKind as Kind } from '#domain/model/mail/mail-kinds.ts';
import { MailTemplate } from '#domain/model/mail/mail-template.ts';
import { atMostBelow, mostBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { nullable, of, text } from '../engine/fields.ts';
import { OrganizationRecord } from '../engine/record-interfaces.ts';
import { object, record } from '../engine/types.ts';
import { MailKind } from './mails.ts';

record(MailTemplate, {
  description: 'The texts of the organization for one kind of mails in one language.',
  interfaces: [OrganizationRecord],
  fields: () => ({
    kind: of(MailKind, 'The kind of mails.'),
    language: text('The language.'),
    subject: text('The subject, with variables.'),
    mjml: text('The body in MJML, with variables.'),
    text: nullable.text(
      'The body as plain text, with variables; the usual one of the kind where it is null.',
    ),
  }),
});

builder.queryField('mailTemplates', (t) =>
  t.field({
    type: [MailTemplate],
    description: `The templates of the organization in the mode of the key, by kind and language; ${atMostBelow}.`,
    args: { kind: t.arg({ type: MailKind, description: 'The kind of mails; all when absent.' }) },
    resolve: (_root, { kind }, { em, organizationId, livemode }) =>
      em.find(
        MailTemplate,
        { organizationId, livemode, ...(kind != null && { kind }) },
        { orderBy: { kind: 'asc', language: 'asc' }, limit: mostBelow },
      ),
  }),
);

interface Texts {
  readonly kind: Kind;
  readonly language: string;
  readonly subject: string;
  readonly mjml: string;
  readonly text: string;
  readonly own: MailTemplate | null;
}

const MailTexts = object<Texts>('MailTexts')({
  description: 'The texts with which mails of a kind are written in a language.',
  fields: (t) => ({
    kind: of(MailKind, 'The kind of mails.'),
    language: text('The language of the texts: the wanted one, or the next that has texts.'),
    subject: text('The subject, with variables.'),
    mjml: text('The body in MJML, with variables.'),
    text: text('The body as plain text, with variables.'),
    variables: t.stringList({
      description: 'The names of the variables, such as `invoice.number`.',
      resolve: ({ kind }) => [...variableNames(kind)],
    }),
    template: t.field({
      type: MailTemplate,
      nullable: true,
      description: 'The template of the organization; null for the texts of the service.',
      resolve: ({ own }) => own,
    }),
  }),
});

builder.queryField('mailTexts', (t) =>
  t.field({
    type: MailTexts,
    description: 'The texts with which mails of a kind are written in a language.',
    args: {
      kind: t.arg({ type: MailKind, required: true, description: 'The kind of mails.' }),
      language: t.arg.string({
        required: true,
        description: `A language such as de or pt-BR. The service has texts in ${shippedLanguages.join(' and ')}.`,
      }),
    },
    resolve: async (_root, { kind, language }, session) => ({
      ...(await findTemplate(session, kind, [language])),
      kind,
    }),
  }),
);
