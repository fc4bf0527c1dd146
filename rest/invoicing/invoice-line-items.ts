import { fragment } from '../engine/fragment.ts';
import { get, list } from '../engine/route.ts';

export const invoiceLineItem = fragment(/* GraphQL */ `
  fragment InvoiceLineItem on InvoiceLineItem {
    id createdAt updatedAt livemode invoiceId quantity priceId description price type pricingModelId
    priceParts @extra { kind tier values quantity unitPrice amount }
    billingRunId ledgerAccountId ledgerAccountCredit
  }
`);

export const invoiceLineItems = [
  list('/invoice-line-items', 'invoiceLineItems', invoiceLineItem),
  get(
    '/invoice-line-items/:id',
    /* GraphQL */ `
      query GetInvoiceLineItem($id: ID!) { body: invoiceLineItem(id: $id) { ...InvoiceLineItem } }
      ${invoiceLineItem}
    `,
  ),
];
