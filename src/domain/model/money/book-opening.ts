import { defineEntity, p } from '@mikro-orm/core';
import { organizationColumn, safeInteger } from '#domain/kernel/columns.ts';
import { Customer } from '#domain/model/platform/customer.ts';

const BookOpeningSchema = defineEntity({
  name: 'BookOpening',
  properties: {
    customer: () => p.manyToOne(Customer).ref().primary().deleteRule('cascade'),
    currency: p.string().length(3).primary(),
    organizationId: organizationColumn(),
    /** Minor units; above 0 for credit that the customer got without a document. */
    amount: safeInteger(),
  },
});

/** The part of the books of a customer that is older than credit notes and has no document. It never changes. */
export class BookOpening extends BookOpeningSchema.class {}
BookOpeningSchema.setClass(BookOpening);
