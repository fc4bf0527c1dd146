/** How invoices are collected: by a charge of the payment method, or by sending them with a due date. */
export const collectionMethods = ['charge_automatically', 'send_invoice'] as const;

export type CollectionMethod = (typeof collectionMethods)[number];

/**
 * The days from the sending of an invoice to its due date, where neither subscription nor customer has another number.
 */
export const usualDaysUntilDue = 30;
