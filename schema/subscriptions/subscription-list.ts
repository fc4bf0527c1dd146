import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  ofProduct,
  withMrr,
} from '#domain/subscriptions/commands/subscriptions/subscription-conditions.ts';
import { IntervalUnit } from '../catalog/prices.ts';
import { readable } from '../engine/readable.ts';
import { byEntries, byEnum, byFlag, byId, byText, byTime, custom } from '../engine/where.ts';
import { SubscriptionStatus } from '../shared/subscription-status.ts';

readable({
  one: 'subscription',
  many: 'subscriptions',
  noun: 'subscription',
  entity: Subscription,
  where: {
    customer: byId('customer', 'The customer.'),
    price: byId('price', 'The price of the subscription.'),
    product: custom.id('The product of the price, or of the price of an item.', ofProduct),
    status: byEnum(SubscriptionStatus, 'status', 'The status.'),
    isFreePlan: byFlag('isFreePlan', 'Free plans (true) or paid subscriptions (false).'),
    name: byText('name', 'The display name.'),
    interval: byEnum(IntervalUnit, 'interval', 'The unit of the billing interval.'),
    startDate: byTime('startDate', 'The start.'),
    trialEnd: byTime('trialEnd', 'The end of the free trial.'),
    currentBillingPeriodEnd: byTime(
      'currentBillingPeriodEnd',
      'The end of the current billing period.',
    ),
    cancelScheduledAt: byTime('cancelScheduledAt', 'The time when the subscription ends or ended.'),
    canceledAt: byTime('canceledAt', 'The time when the subscription ended.'),
    currency: byText('currency', 'The currency, in upper case.'),
    mrr: custom.range(
      'The monthly recurring revenue, in minor units; 0 unless the customer pays.',
      withMrr,
    ),
    metadata: byEntries('metadata', 'Entries of the metadata, all of which must match.'),
  },
  orders: {
    current_billing_period_end: {
      property: 'currentBillingPeriodEnd',
      kind: 'time',
      nullable: true,
      words: 'end of the billing period',
    },
    mrr: { property: 'mrr', kind: 'integer', words: 'monthly recurring revenue' },
  },
});
