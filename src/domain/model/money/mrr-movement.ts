import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, organizationColumn } from '#domain/kernel/columns.ts';
import { Customer } from '#domain/model/platform/customer.ts';

/** How the MRR of a customer moves. */
export const mrrKinds = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const;
export type MrrKind = (typeof mrrKinds)[number];

const amount = () => p.decimal('string').columnType('numeric');

const MrrMovementSchema = defineEntity({
  name: 'MrrMovement',
  indexes: [{ name: 'mrr_movement_time', properties: ['pricingModelId', 'at'] }],
  checks: checksOf({
    mrr_movement_range:
      'amount_before >= 0 and amount_after >= 0 and amount_before <> amount_after',
  }),
  properties: {
    customer: () => p.manyToOne(Customer).ref().primary().deleteRule('cascade'),
    /** ISO 4217, upper case. */
    currency: p.string().length(3).primary(),
    /** The empty text for all products together. */
    productId: p.string().primary(),
    at: instant().primary(),
    pricingModelId: p.string(),
    organizationId: organizationColumn(),
    kind: p.enum(mrrKinds),
    /** Minor units for a month, exact to 12 places. */
    amountBefore: amount(),
    amountAfter: amount(),
  },
});

/**
 * A movement of the MRR of a customer: the changes of all its subscriptions at one instant. It is derived from them in
 * their transaction (`record_mrr_movements`).
 */
export class MrrMovement extends MrrMovementSchema.class {}
MrrMovementSchema.setClass(MrrMovement);
