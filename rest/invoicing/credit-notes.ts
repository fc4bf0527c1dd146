import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';
import { eInvoice } from './invoices.ts';

const creditNote = fragment(
  'CreditNote',
  /* GraphQL */ `
    fragment CreditNote on CreditNote {
      id createdAt updatedAt livemode organizationId pricingModelId invoiceId customerId
      creditNoteNumber issuedAt status settlement reason description currency subtotal taxAmount
      taxInclusive total taxType taxCountry taxState taxRatePercentage refundedAmount
      creditedAmount writtenOffAmount setOffAmount setOffInvoiceId pdfURL
      lines { invoiceLineItemId description quantity amount taxAmount }
      taxes { name taxType ratePercentage jurisdiction country state compound category reason base amount }
    }
  `,
);

export const creditNotes = [
  list('/credit-notes', 'creditNotes', creditNote),
  get(
    '/credit-notes/:id',
    /* GraphQL */ `
      query GetCreditNote($id: ID!) { creditNote(id: $id) { ...CreditNote } }
      ${creditNote}
    `,
  ),
  get(
    '/credit-notes/:id/e-invoice',
    `query GetCreditNoteEInvoice($id: ID!) { body: creditNote(id: $id) { ${eInvoice} } }`,
  ),
  post(
    '/credit-notes',
    /* GraphQL */ `
      mutation CreateCreditNote($creditNote: CreateCreditNoteInput!) {
        body: createCreditNote(creditNote: $creditNote) { creditNote { ...CreditNote } }
      }
      ${creditNote}
    `,
    { namesObject: true },
  ),
];
