import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';

const mail = fragment(
  'Mail',
  /* GraphQL */ `
    fragment Mail on Mail {
      id createdAt updatedAt livemode organizationId pricingModelId kind customerId eventId objectId occurredAt status
      problem language from to replyTo subject attemptCount nextAttemptAt sentAt
      attempts { at durationMilliseconds response error }
    }
  `,
);

export const mails = [
  list('/mails', 'mails', mail),
  get(
    '/mails/:id',
    /* GraphQL */ `
      query GetMail($id: ID!) { mail(id: $id) { ...Mail text html } }
      ${mail}
    `,
  ),
  post(
    '/mails/preview',
    /* GraphQL */ `
      mutation PreviewMail($kind: MailKind!, $language: String, $customer: ID, $customerExternalId: String, $about: ID, $template: MailTemplateInput) {
        body: previewMail(kind: $kind, language: $language, customer: $customer, customerExternalId: $customerExternalId, about: $about, template: $template) {
          mailPreview {
            language from to replyTo subject text html
          }
        }
      }
    `,
  ),
  post(
    '/mails/:id/resend',
    /* GraphQL */ `
      mutation ResendMail($id: ID!) { body: resendMail(id: $id) { mail { ...Mail } } }
      ${mail}
    `,
  ),
];
