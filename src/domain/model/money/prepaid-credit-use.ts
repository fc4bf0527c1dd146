import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, organizationColumn, safeInteger } from '#domain/kernel/columns.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { PrepaidCredit } from './prepaid-credit.ts';

const PrepaidCreditUseSchema = defineEntity({
  name: 'PrepaidCreditUse',
  checks: checksOf({
    prepaid_credit_use_range: 'returned >= 0 and returned <= amount',
  }),
  properties: {
    credit: () => p.manyToOne(PrepaidCredit).ref().primary().deleteRule('cascade'),
    invoice: () => p.manyToOne(Invoice).ref().primary().deleteRule('cascade').index(),
    organizationId: organizationColumn(),
    /** The amount that the credit pays of the invoice, in minor units. */
    amount: safeInteger(),
    /** The part of it that credit notes of the invoice have returned to the credit. */
    returned: safeInteger().default(0),
  },
});

/** The part of an invoice that a prepaid credit pays. */
export class PrepaidCreditUse extends PrepaidCreditUseSchema.class {
  get creditId(): Opt<string> {
    return this.credit.id;
  }

  get invoiceId(): Opt<string> {
    return this.invoice.id;
  }

  /** The amount that is used and not returned. */
  get kept(): Opt<number> {
    return this.amount - this.returned;
  }
}
PrepaidCreditUseSchema.setClass(PrepaidCreditUse);
