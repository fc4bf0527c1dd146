import { fragment } from './engine/fragment.ts';
import { get, list } from './engine/route.ts';

const consolidatedInvoice = fragment(
  'ConsolidatedInvoice',
  /* GraphQL */ `
    fragment ConsolidatedInvoice on ConsolidatedInvoice {
      id createdAt updatedAt livemode organizationId pricingModelId customerId invoiceNumber invoiceDate
      dueDate scheduledFor currency collectionMethod status subtotal taxAmount total creditApplied
      amountCredited amountPaid amountDue pdfURL receiptPdfURL
    }
  `,
);

export const consolidatedInvoices = [
  list('/consolidated-invoices', 'consolidatedInvoices', consolidatedInvoice),
  get(
    '/consolidated-invoices/:id',
    /* GraphQL */ `
      query GetConsolidatedInvoice($id: ID!) {
        consolidatedInvoice(id: $id) { ...ConsolidatedInvoice }
      }
      ${consolidatedInvoice}
    `,
  ),
];
