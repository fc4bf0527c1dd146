import type { Customer } from '#domain/model/platform/customer.ts';

/** The next invoice number of a locked customer: its base and a count from 00000, without a gap. */
export function nextInvoiceNumber(customer: Customer): string {
  const count = String(customer.invoiceCount).padStart(5, '0');
  customer.invoiceCount++;
  return `${customer.invoiceNumberBase}-${count}`;
}
