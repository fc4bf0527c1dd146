import type { Customer } from '#domain/model/platform/customer.ts';

/** The next credit note number of a locked customer: a series of its own, from CN-00000, without a gap. */
export function nextCreditNoteNumber(customer: Customer): string {
  const count = String(customer.creditNoteCount).padStart(5, '0');
  customer.creditNoteCount++;
  return `${customer.invoiceNumberBase}-CN-${count}`;
}
