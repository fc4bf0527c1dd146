import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Customer } from '#domain/model/platform/customer.ts';

const BookDifferenceSchema = defineEntity({
  name: 'BookDifference',
  uniques: [
    {
      name: 'book_difference_open_unique',
      properties: ['customer', 'currency'],
      where: { resolvedAt: null },
    },
  ],
  indexes: [pageIndex('book_difference')],
  properties: {
    ...tenantColumns('book_difference'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    currency: p.string().length(3),
    /** Minor units; the amount by which documents and money exceed what is outstanding and on the balance. */
    difference: safeInteger(),
    /** Minor units; the amounts by which balances, prepaid credits and invoices differ from each other. */
    prepaidDifference: safeInteger().default(0),
    /** When a check found that the books agree again. */
    resolvedAt: instant().nullable(),
  },
});

/** Books of a customer that do not agree, as a check found them. */
export class BookDifference extends BookDifferenceSchema.class {
  get customerId(): Opt<string> {
    return this.customer.id;
  }
}
BookDifferenceSchema.setClass(BookDifference);
