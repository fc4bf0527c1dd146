import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { get, list, one, post } from '../engine/route.ts';
import { eInvoice } from './invoices.ts';

const creditNote = fragment(/* GraphQL */ `
  fragment CreditNote on CreditNote {
    id createdAt updatedAt livemode organizationId pricingModelId invoiceId customerId
    creditNoteNumber issuedAt status settlement reason description currency subtotal taxAmount
    taxInclusive total taxType taxCountry taxState taxRatePercentage refundedAmount
    creditedAmount writtenOffAmount setOffAmount setOffInvoiceId pdfURL
    lines { invoiceLineItemId description quantity amount taxAmount }
    taxes { name taxType ratePercentage jurisdiction country state compound category reason base amount }
  }
`);

export const creditNotes = [
  list('/credit-notes', 'creditNotes', creditNote),
  one('/credit-notes/:id', { creditNote }),
  get(
    '/credit-notes/:id/e-invoice',
    `query GetCreditNoteEInvoice($id: ID!) { body: creditNote(id: $id) { ${eInvoice} } }`,
  ),
  post(
    '/credit-notes',
    mutation('createCreditNote', '$creditNote: CreateCreditNoteInput!', { creditNote }),
    { namesObject: true },
  ),
];
