import { collectionMethods } from '#domain/subscriptions/collection-methods.ts';
import { builder } from './engine/builder.ts';
import { described } from './engine/described.ts';

export const CollectionMethod = builder.enumType('CollectionMethod', {
  description: 'How invoices are collected.',
  values: described(collectionMethods, {
    charge_automatically: 'The payment method is charged.',
    send_invoice: 'The invoice is sent with a due date, and the customer pays it.',
  }),
});

/** The days of an invoice that is sent, as a field of an input. */
export const daysUntilDueInput = (otherwise: string) => ({
  description: `For \`send_invoice\`: the days from the sending of an invoice to its due date, 0 to 365; ${otherwise} when absent.`,
});
