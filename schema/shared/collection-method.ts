import { collectionMethods } from '#domain/model/platform/collection-methods.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullable, of } from '../engine/fields.ts';

export const CollectionMethod = builder.enumType('CollectionMethod', {
  description: 'How invoices are collected.',
  values: described(collectionMethods, {
    charge_automatically: 'The payment method is charged.',
    send_invoice: 'The invoice is sent with a due date, and the customer pays it.',
  }),
});

/** The collection method of an object with its days, as output fields. */
export const collectionFields = (whose: string, without: string) => ({
  collectionMethod: of(CollectionMethod, `How ${whose} are collected.`),
  daysUntilDue: nullable.int(`The days until an invoice that is sent is due; null ${without}.`),
});

/** The days of an invoice that is sent, as a field of an input. */
export const daysUntilDueInput = (otherwise: string) =>
  nullable.int(
    `For \`send_invoice\`: the days from the sending of an invoice to its due date, 0 to 365; ${otherwise} when absent.`,
  );
