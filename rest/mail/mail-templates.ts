import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { del, get, put } from '../engine/route.ts';

const template = fragment(/* GraphQL */ `
  fragment MailTemplate on MailTemplate {
    id createdAt updatedAt livemode organizationId kind language subject mjml text
  }
`);

export const mailTemplates = [
  get(
    '/mail-templates',
    /* GraphQL */ `
      query ListMailTemplates($kind: MailKind) {
        mailTemplates(kind: $kind) { ...MailTemplate }
      }
      ${template}
    `,
  ),
  get(
    '/mail-templates/:kind/:language',
    /* GraphQL */ `
      query GetMailTexts($kind: MailKind!, $language: String!) {
        mailTexts(kind: $kind, language: $language) {
          kind language subject mjml text variables
          template { ...MailTemplate }
        }
      }
      ${template}
    `,
    { versioned: 'mailTexts.template' },
  ),
  put(
    '/mail-templates/:kind/:language',
    mutation(
      'saveMailTemplate',
      '$kind: MailKind!, $language: String!, $template: MailTemplateInput!',
      { mailTemplate: template },
    ),
    { versioned: 'body.mailTemplate' },
  ),
  del(
    '/mail-templates/:kind/:language',
    mutation('deleteMailTemplate', '$kind: MailKind!, $language: String!', {
      mailTemplate: template,
    }),
  ),
];
