import { fragment } from '../engine/fragment.ts';
import { get, list, one } from '../engine/route.ts';

const consolidatedInvoice = fragment(/* GraphQL */ `
  fragment ConsolidatedInvoice on ConsolidatedInvoice {
    id createdAt updatedAt livemode organizationId pricingModelId customerId invoiceNumber invoiceDate
    dueDate scheduledFor currency collectionMethod status subtotal taxAmount total creditApplied
    amountCredited amountPaid amountDue pdfURL receiptPdfURL
  }
`);

const upcomingInvoice = /* GraphQL */ `
  subscriptionId customerId asOf purpose invoiceDate billingPeriodStartDate billingPeriodEndDate collectionMethod
  dueDate currency subtotal taxType taxRatePercentage taxInclusive taxAmount total creditApplied prepaidApplied amountDue
  lines { type description quantity price amount usageQuantity priceId }
`;

export const consolidatedInvoices = [
  list('/consolidated-invoices', 'consolidatedInvoices', consolidatedInvoice),
  one('/consolidated-invoices/:id', { consolidatedInvoice }),
  get(
    '/customers/:id/upcoming-consolidated-invoice',
    /* GraphQL */ `
      query GetUpcomingConsolidatedInvoice($id: ID!) {
        upcomingConsolidatedInvoice(customer: $id) {
          customerId asOf invoiceDate scheduledFor dueDate currency collectionMethod subtotal taxAmount total
          creditApplied amountDue
          invoices { ${upcomingInvoice} }
          leftOut { subscriptionId reason explanation nextAt }
        }
      }
    `,
  ),
];
