import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { amountIndex, pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Payment } from './payment.ts';

/** The statuses of refunds; `succeeded` may still become `failed`. */
export const refundStatuses = [
  'pending',
  'requires_action',
  'succeeded',
  'failed',
  'canceled',
] as const;

/** The statuses in which the processor has not decided yet. */
export const openRefundStatuses = ['pending', 'requires_action'] as const;

/** The statuses of refunds that count against what can be refunded. */
export const countedRefundStatuses = [...openRefundStatuses, 'succeeded'] as const;

/** The party that started a refund: this service, or someone at the processor. */
export const refundOrigins = ['service', 'processor'] as const;

const RefundSchema = defineEntity({
  name: 'Refund',
  uniques: [
    {
      name: 'refund_reference_unique',
      properties: ['payment', 'processorReference'],
      where: { processorReference: { $ne: null } },
    },
  ],
  indexes: [
    { name: 'refund_customer', properties: ['customerId', 'createdAt', 'position', 'id'] },
    pageIndex('refund'),
    amountIndex('refund', 'refund_amount', 'amount'),
    { name: 'refund_payment', properties: ['payment'] },
    { name: 'refund_credit_note', properties: ['creditNote'] },
    { name: 'refund_reference', properties: ['processorReference'] },
    {
      name: 'refund_due',
      properties: ['testClockId', 'checkDueAt', 'id'],
      where: { status: { $in: [...openRefundStatuses] } },
    },
  ],
  checks: checksOf({
    refund_range: `amount > 0 and from_balance >= 0 and from_balance <= amount
          and retracted_amount >= 0 and retracted_amount <= from_balance`,
    refund_documented:
      '(credit_note_id is not null) = (from_balance < amount and not is_undocumented)',
  }),
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
    failureCode: p.string().nullable(),
    failureMessage: p.text().nullable(),
    origin: p.enum(refundOrigins).default('service'),
    processorReference: p.string().nullable(),
    /** Whether that was stored without an event. */
    referenceUntold: p.boolean().default(false).hidden(),
    /** When it succeeded, and when a refund that had succeeded failed after all. */
    settledAt: instant().nullable(),
    failedAt: instant().nullable(),
    customerId: p.string(),
    testClockId: p.string().nullable().hidden(),
    /** When the processor is asked for its status next. */
    checkDueAt: instant().nullable().hidden(),
    /** The document of the refund; null where the credit balance pays for all of it. */
    creditNote: () => p.manyToOne(CreditNote).ref().nullable().deleteRule('cascade'),
    /** The part that is on the credit balance already, by a credit note or an over-payment; the balance pays for it. */
    fromBalance: safeInteger().default(0),
    /** The part of that which the payment itself had put on the balance, beyond its invoice. */
    retractedAmount: safeInteger().default(0).hidden(),
    /** Whether it has no credit note: one of an earlier version, or of the processor for more than was left to credit. */
    isUndocumented: p.boolean().default(false).hidden(),
  },
});

/** A refund of a payment; the processor knows it by its id. */
export class Refund extends RefundSchema.class implements EmitsEvents {
  /** The event of this transaction tells of the reference; not a column. */
  declare private tellsReference?: true;

  /** Notes the processor's reference. The event shows also one that was stored without an event. */
  noteReference(reference: string | null | undefined) {
    if (this.referenceUntold) this.tellsReference = true;
    this.referenceUntold = false;
    this.processorReference = reference ?? this.processorReference ?? null;
  }

  untold() {
    return this.tellsReference ? { processorReference: null } : {};
  }

  verbFor() {
    return undefined;
  }

  get paymentId(): Opt<string> {
    return this.payment.id;
  }

  get isOpen(): Opt<boolean> {
    return (openRefundStatuses as readonly string[]).includes(this.status);
  }

  get creditNoteId(): Opt<string> | null {
    return this.creditNote?.id ?? null;
  }
}
RefundSchema.setClass(Refund);
