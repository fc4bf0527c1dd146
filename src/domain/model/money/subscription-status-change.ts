import { defineEntity, p } from '@mikro-orm/core';
import { instant, organizationColumn } from '#domain/kernel/columns.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { SubscriptionStatus } from '#domain/model/subscriptions/subscription-statuses.ts';

const SubscriptionStatusChangeSchema = defineEntity({
  name: 'SubscriptionStatusChange',
  properties: {
    subscription: () => p.manyToOne(Subscription).ref().primary().deleteRule('cascade'),
    /** The instant of the change by the clock of the customer. */
    at: instant().primary(),
    pricingModelId: p.string(),
    organizationId: organizationColumn(),
    /** Null for a new subscription. */
    statusBefore: p.text().$type<SubscriptionStatus>().nullable(),
    statusAfter: p.text().$type<SubscriptionStatus>(),
  },
});

/** A change of the status of a subscription, written by a trigger in its transaction. */
export class SubscriptionStatusChange extends SubscriptionStatusChangeSchema.class {}
SubscriptionStatusChangeSchema.setClass(SubscriptionStatusChange);
