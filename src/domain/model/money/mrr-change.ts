import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, organizationColumn } from '#domain/kernel/columns.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';

const amount = () => p.decimal('string').columnType('numeric');

const MrrChangeSchema = defineEntity({
  name: 'MrrChange',
  indexes: [{ name: 'mrr_change_customer', properties: ['customerId', 'currency', 'at'] }],
  checks: checksOf({
    mrr_change_range: 'amount_before >= 0 and amount_after >= 0 and amount_before <> amount_after',
  }),
  properties: {
    subscription: () => p.manyToOne(Subscription).ref().primary().deleteRule('cascade'),
    productId: p.string().primary(),
    /** The instant of the change by the clock of the customer; a later one than now is planned. */
    at: instant().primary(),
    pricingModelId: p.string(),
    organizationId: organizationColumn(),
    customerId: p.string(),
    /** ISO 4217, upper case. */
    currency: p.string().length(3),
    /** Minor units for a month, exact to 12 places. */
    amountBefore: amount(),
    amountAfter: amount(),
  },
});

/**
 * A change of the MRR of a subscription from one product. Triggers on subscriptions and their items write it in the
 * transaction of the change (`record_mrr`).
 */
export class MrrChange extends MrrChangeSchema.class {}
MrrChangeSchema.setClass(MrrChange);
