import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { amountIndex, pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Payment } from './payment.ts';

/**
 * The statuses of disputes. `inquiry` moves no money, and `inquiry_closed` ends it. `opened` and `under_review` are
 * decided later; `won`, `lost` and `prevented` are final.
 */
export const disputeStatuses = [
  'inquiry',
  'inquiry_closed',
  'opened',
  'under_review',
  'won',
  'lost',
  'prevented',
] as const;

export type DisputeStatus = (typeof disputeStatuses)[number];

/** The statuses in which a dispute is not decided. */
export const openDisputeStatuses = ['inquiry', 'opened', 'under_review'] as const;

const DisputeSchema = defineEntity({
  name: 'Dispute',
  uniques: [{ name: 'dispute_reference_unique', properties: ['payment', 'processorReference'] }],
  indexes: [
    pageIndex('dispute'),
    amountIndex('dispute', 'dispute_amount', 'amount'),
    { name: 'dispute_customer', properties: ['customerId', 'createdAt', 'position', 'id'] },
    { name: 'dispute_reference', properties: ['processorReference'] },
  ],
  checks: checksOf({
    dispute_range: 'amount >= 0 and withdrawn_amount >= 0 and fee >= 0',
    dispute_closed: `(closed_at is not null) = (status in ('inquiry_closed', 'won', 'lost', 'prevented'))`,
  }),
  properties: {
    ...tenantColumns('dispute'),
    payment: () => p.manyToOne(Payment).ref().deleteRule('cascade'),
    customerId: p.string(),
    status: p.enum(disputeStatuses),
    /** The disputed amount, in minor units; it may differ from the payment. */
    amount: safeInteger(),
    currency: p.string().length(3),
    reason: p.string().nullable(),
    /** The amount that the dispute has withdrawn and not reinstated, in minor units. */
    withdrawnAmount: safeInteger().default(0),
    /** The processor's fee, in minor units. */
    fee: safeInteger().default(0),
    evidenceDueAt: instant().nullable(),
    openedAt: instant(),
    closedAt: instant().nullable(),
    processorReference: p.string(),
  },
});

/** The objection of a customer's bank to a payment. */
export class Dispute extends DisputeSchema.class implements EmitsEvents {
  get paymentId(): Opt<string> {
    return this.payment.id;
  }

  get isOpen(): Opt<boolean> {
    return (openDisputeStatuses as readonly string[]).includes(this.status);
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('status') && !this.isOpen ? 'closed' : undefined;
  }
}
DisputeSchema.setClass(Dispute);
