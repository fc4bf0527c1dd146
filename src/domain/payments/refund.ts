import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { amountIndex } from '#domain/kernel/list-indexes.ts';
import { Payment } from './payment.ts';

export const refundStatuses = ['pending', 'succeeded', 'failed'] as const;

const RefundSchema = defineEntity({
  name: 'Refund',
  indexes: [
    { name: 'refund_customer', properties: ['customerId', 'createdAt', 'position', 'id'] },
    { name: 'refund_page', properties: ['pricingModelId', 'createdAt', 'position', 'id'] },
    amountIndex('refund', 'refund_amount', 'amount'),
    { name: 'refund_payment', properties: ['payment'] },
    { name: 'refund_pending', properties: ['createdAt'], where: { status: 'pending' } },
  ],
  checks: [{ name: 'refund_range', expression: 'amount > 0' }],
  properties: {
    ...tenantColumns('refund'),
    payment: () => p.manyToOne(Payment).ref().deleteRule('cascade'),
    /** Minor units. */
    amount: safeInteger(),
    /** ISO 4217, upper case: that of the payment. */
    currency: p
      .string()
      .length(3)
      .hidden()
      .onCreate(({ payment }) => payment.unwrap().currency),
    status: p.enum(refundStatuses).default('pending'),
    failureMessage: p.text().nullable(),
    customerId: p.string(),
  },
});

/** A refund of a payment; the processor knows it by its id. */
export class Refund extends RefundSchema.class {
  get paymentId(): Opt<string> {
    return this.payment.id;
  }
}
RefundSchema.setClass(Refund);
