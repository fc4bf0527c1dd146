import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { CreditNote } from '#domain/credit-notes/credit-note.ts';
import { safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { Payment } from './payment.ts';

export const refundStatuses = ['pending', 'succeeded', 'failed'] as const;

const RefundSchema = defineEntity({
  name: 'Refund',
  indexes: [
    { name: 'refund_customer', properties: ['customerId', 'createdAt', 'position', 'id'] },
    { name: 'refund_page', properties: ['pricingModelId', 'createdAt', 'position', 'id'] },
    { name: 'refund_amount', properties: ['pricingModelId', 'amount', 'position', 'id'] },
    { name: 'refund_payment', properties: ['payment'] },
    { name: 'refund_credit_note', properties: ['creditNote'] },
    { name: 'refund_pending', properties: ['createdAt'], where: { status: 'pending' } },
  ],
  checks: [
    {
      name: 'refund_range',
      expression: 'amount > 0 and from_balance >= 0 and from_balance <= amount',
    },
    {
      name: 'refund_documented',
      expression: '(credit_note_id is not null) = (from_balance < amount and not is_undocumented)',
    },
  ],
  properties: {
    ...tenantColumns('refund'),
    payment: () => p.manyToOne(Payment).ref().deleteRule('cascade'),
    /** Minor units. */
    amount: safeInteger(),
    status: p.enum(refundStatuses).default('pending'),
    failureMessage: p.text().nullable(),
    customerId: p.string(),
    /** The document of the refund; null where the credit balance pays for all of it. */
    creditNote: () => p.manyToOne(CreditNote).ref().nullable().deleteRule('cascade'),
    /** The part that an earlier credit note has credited to the balance, and that the balance pays for. */
    fromBalance: safeInteger().default(0),
    /** Whether it was made before there were credit notes. */
    isUndocumented: p.boolean().default(false).hidden(),
  },
});

/** A refund of a payment; the processor knows it by its id. */
export class Refund extends RefundSchema.class {
  get paymentId(): Opt<string> {
    return this.payment.id;
  }

  get creditNoteId(): Opt<string> | null {
    return this.creditNote?.id ?? null;
  }
}
RefundSchema.setClass(Refund);
