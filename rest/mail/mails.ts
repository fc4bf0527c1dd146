import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { get, list, post } from '../engine/route.ts';

const mail = fragment(/* GraphQL */ `
  fragment Mail on Mail {
    id createdAt updatedAt livemode organizationId pricingModelId kind customerId eventId objectId occurredAt status
    problem language from to replyTo subject attemptCount nextAttemptAt sentAt
    attempts { at durationMilliseconds response error }
  }
`);

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
    mutation(
      'previewMail',
      /* GraphQL */ `
        $kind: MailKind!
        $language: String
        $customer: ID
        $customerExternalId: String
        $about: ID
        $template: MailTemplateInput
      `,
      /* GraphQL */ `
        mailPreview {
            language from to replyTo subject text html
          }
      `,
    ),
  ),
  post('/mails/:id/resend', mutation('resendMail', '$id: ID!', { mail })),
];
