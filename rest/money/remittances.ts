import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post } from '../engine/route.ts';
import { payment } from './payments.ts';

const remittance = fragment(/* GraphQL */ `
  fragment Remittance on Remittance {
    id createdAt updatedAt livemode organizationId pricingModelId customerId status method amount currency
    reference note attachmentURL expectedAt receivedAt recordedBy { type id } reversedAt reason
  }
`);

/** A payment as it is documented, with what a receipt adds to it. */
const both = '{ remittance { ...Remittance } payments { ...Payment creditedAmount reversedAt } }';

/** The arguments of every recorded payment, as variables and as they are passed on. */
const variables = `
  $amount: SafeInt $currency: String $method: ExternalMethod $reference: String $receivedAt: Timestamp
  $note: String $attachmentURL: String`;
const passed = `
  amount: $amount currency: $currency method: $method reference: $reference receivedAt: $receivedAt
  note: $note attachmentURL: $attachmentURL`;

export const remittances = [
  list('/remittances', 'remittances', remittance),
  one('/remittances/:id', { remittance }),
  post(
    '/invoices/:id/payments',
    /* GraphQL */ `
      mutation RecordInvoicePayment($id: ID! ${variables}) {
        body: recordPayment(invoiceId: $id ${passed}) ${both}
      }
      ${remittance} ${payment}
    `,
  ),
  post(
    '/remittances',
    /* GraphQL */ `
      mutation RecordPayment($customerId: ID $customerExternalId: String $allocations: [PaymentAllocationInput!] ${variables}) {
        body: recordPayment(
          customerId: $customerId customerExternalId: $customerExternalId allocations: $allocations ${passed}
        ) ${both}
      }
      ${remittance} ${payment}
    `,
  ),
  post(
    '/remittances/expect',
    mutation(
      'expectPayment',
      /* GraphQL */ `
        $customerId: ID
        $customerExternalId: String
        $amount: SafeInt!
        $currency: String
        $method: ExternalMethod
        $reference: String
        $expectedAt: Timestamp
        $note: String
        $attachmentURL: String
      `,
      { remittance },
    ),
  ),
  post(
    '/remittances/:id/receive',
    /* GraphQL */ `
      mutation ReceivePayment($id: ID! $invoiceId: ID $allocations: [PaymentAllocationInput!] ${variables}) {
        body: recordPayment(remittanceId: $id invoiceId: $invoiceId allocations: $allocations ${passed}) ${both}
      }
      ${remittance} ${payment}
    `,
  ),
  post(
    '/remittances/:id/cancel',
    mutation('cancelExpectedPayment', '$id: ID!, $reason: String', { remittance }),
  ),
  post(
    '/payments/:id/reverse',
    /* GraphQL */ `
      mutation ReversePayment($id: ID!, $reason: String!) {
        body: reversePayment(id: $id, reason: $reason) ${both}
      }
      ${remittance} ${payment}
    `,
  ),
];
