import type { invoiceStatuses } from '#domain/model/invoicing/invoice.ts';

type Status = (typeof invoiceStatuses)[number];

/** The statuses of members that decide about the document, in their order; the first one that occurs is its status. */
const decisive: readonly Status[] = ['awaiting_payment_confirmation', 'open', 'uncollectible'];

/**
 * The status of a document by those of its members. Void members count only where all are void. It is open while one is
 * to be paid, and refunded when all are.
 */
export function statusOfMembers(statuses: readonly Status[]): Status {
  const counted: readonly Status[] = statuses.filter((status) => status !== 'void');
  if (counted.length === 0) return 'void';
  const deciding = decisive.find((status) => counted.includes(status));
  if (deciding) return deciding;
  if (counted.every((status) => status === 'refunded')) return 'refunded';
  return counted.every((status) => status === 'paid') ? 'paid' : 'partially_refunded';
}
