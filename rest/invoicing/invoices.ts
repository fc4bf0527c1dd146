import { fragment } from '../engine/fragment.ts';
import { get, list, post, put } from '../engine/route.ts';
import { payment } from '../money/payments.ts';
import { invoiceLineItem } from './invoice-line-items.ts';

export const invoice = fragment(/* GraphQL */ `
  fragment Invoice on Invoice {
    id createdAt updatedAt livemode purchaseId customerId organizationId pricingModelId billingRunId
    ownerMembershipId invoiceNumber invoiceDate dueDate status memo bankPaymentOnly type currency
    taxAmount subtotal applicationFee taxState taxRatePercentage taxType taxCountry billingPeriodId
    subscriptionId billingPeriodStartDate billingPeriodEndDate pdfURL receiptPdfURL stripePaymentIntentId
    stripeTaxCalculationId stripeTaxTransactionId prepaidApplied @extra
  }
`);

/** The links to an e-invoice, or what it lacks. */
export const eInvoice = 'eInvoice { ublURL ciiURL facturxURL problems { field message } }';

/** An invoice with its lines. */
const withLines = (operation: string) => /* GraphQL */ `
  ${operation}
  ${invoice} ${invoiceLineItem}
`;

const invoiceWithLines = '...Invoice invoiceLineItems: lineItems { ...InvoiceLineItem }';
const nextTo = { invoice: ['invoiceLineItems'] };

/** With the page where the customer confirms the payment, which is an answer header. */
const withAction = `${invoiceWithLines} paymentActionUrl`;
const action = { 'Payment-Action-URL': 'invoice.paymentActionUrl' };

const move = (path: string, name: string, field: string) =>
  post(
    path,
    withLines(
      `mutation ${name}($id: ID!) { body: ${field}(id: $id) { invoice { ${invoiceWithLines} } } }`,
    ),
    {
      versioned: 'body.invoice',
      nextTo,
    },
  );

export const invoices = [
  list('/invoices', 'invoices', invoice),
  get(
    '/invoices/:id',
    withLines(`query GetInvoice($id: ID!) { invoice(id: $id) { ${withAction} } }`),
    { headers: action, versioned: 'invoice', nextTo },
  ),
  get(
    '/invoices/:id/explain',
    withLines(/* GraphQL */ `
      query ExplainInvoice($id: ID!) {
        body: explainInvoice(id: $id) {
          invoice { ...Invoice }
          lines {
            lineItem { ...InvoiceLineItem }
            amount
            steps
            sources
            usage {
              billingPeriodId isCorrection used covered billed
              events { count firstId lastId sum sha256 sumOfSha256 }
            }
          }
          taxes { name taxType ratePercentage jurisdiction country state compound category reason base amount }
          steps
          paid
          verified
          differences
        }
      }
    `),
  ),
  get(
    '/invoices/:id/e-invoice',
    `query GetInvoiceEInvoice($id: ID!) { body: invoice(id: $id) { ${eInvoice} } }`,
  ),
  post(
    '/invoices',
    withLines(/* GraphQL */ `
      mutation CreateInvoice($invoice: CreateInvoiceInput!, $invoiceLineItems: [InvoiceLineItemInput!]!) {
        body: createInvoice(invoice: $invoice, invoiceLineItems: $invoiceLineItems) { invoice { ${invoiceWithLines} } }
      }
    `),
    { versioned: 'body.invoice', nextTo },
  ),
  put(
    '/invoices/:id',
    withLines(/* GraphQL */ `
      mutation UpdateInvoice(
        $id: ID!
        $invoice: UpdateInvoiceInput
        $invoiceLineItems: [InvoiceLineItemInput!]
      ) {
        body: updateInvoice(id: $id, invoice: $invoice, invoiceLineItems: $invoiceLineItems) { invoice { ${invoiceWithLines} } }
      }
    `),
    {
      versioned: 'body.invoice',
      nextTo,
      legacy: {
        omit: [
          'billingRunId',
          'pricingModelId',
          'stripePaymentIntentId',
          'stripeTaxCalculationId',
          'stripeTaxTransactionId',
          'ledgerAccountId',
          'ledgerAccountCredit',
        ],
        nullAsText: ['billingPeriodId', 'subscriptionId'],
      },
    },
  ),
  move('/invoices/:id/finalize', 'FinalizeInvoice', 'finalizeInvoice'),
  move('/invoices/:id/void', 'VoidInvoice', 'voidInvoice'),
  move('/invoices/:id/mark-uncollectible', 'MarkInvoiceUncollectible', 'markInvoiceUncollectible'),
  post(
    '/invoices/:id/pay',
    withLines(/* GraphQL */ `
      mutation PayInvoice($id: ID!, $paymentMethodId: ID) {
        body: payInvoice(id: $id, paymentMethodId: $paymentMethodId) { invoice { ${withAction} } }
      }
    `),
    { headers: action, versioned: 'body.invoice', nextTo },
  ),
  post(
    '/invoices/pay',
    /* GraphQL */ `
      mutation PayInvoices($ids: [ID!]!, $paymentMethodId: ID) {
        body: payInvoices(ids: $ids, paymentMethodId: $paymentMethodId) {
          invoices { ...Invoice }
          payments { ...Payment }
          paymentActionUrl
        }
      }
      ${invoice} ${payment}
    `,
    { headers: { 'Payment-Action-URL': 'paymentActionUrl' } },
  ),
];
