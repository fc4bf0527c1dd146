import { Price } from '#domain/model/catalog/price.ts';
import {
  BillingPeriod,
  billingPeriodStatuses,
} from '#domain/model/subscriptions/billing-period.ts';
import { BillingPeriodItem } from '#domain/model/subscriptions/billing-period-item.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { mostItems } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, id, nullable, of, safeInt, text, time } from '../engine/fields.ts';
import { readsBy } from '../engine/load.ts';
import { readable } from '../engine/readable.ts';
import { withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byEnum, byFlag, byId, byTime } from '../engine/where.ts';

const BillingPeriodStatus = builder.enumType('BillingPeriodStatus', {
  description: 'The status of a billing period; `completed` and `canceled` are final.',
  values: described(billingPeriodStatuses, {
    upcoming: 'The period starts in the future.',
    active: 'The period is in progress.',
    completed: 'The period is over.',
    canceled: 'A cancellation ended the period.',
    past_due: 'The period is not paid in full and its payment is overdue.',
    scheduled_to_cancel: 'The period is in the future, and a scheduled cancellation precedes it.',
  }),
});

// Items have no tenant of their own, so that of their period decides.
readsBy(BillingPeriodItem, ({ em, organizationId, livemode, pricingModelId }, ids) => {
  const billingPeriod = { organizationId, livemode, pricingModelId };
  return em.find(BillingPeriodItem, { id: { $in: [...ids] }, billingPeriod });
});

record(BillingPeriodItem, {
  description: 'An item of a billing period, fixed when the period starts.',
  interfaces: [],
  fields: () => ({
    name: text('The display name.'),
    description: text('The description; may be empty.'),
    unitPrice: safeInt('The price of one unit, in minor units.'),
    quantity: safeInt('The quantity.'),
    ...withOptionalId('price', Price, 'The price that the item follows.'),
    ...withOptionalId(
      'subscriptionItem',
      SubscriptionItem,
      'The subscription item that the item was copied from.',
    ),
  }),
});

record(BillingPeriod, {
  description: 'A time span that a subscription is billed for. Consecutive periods leave no gap.',
  fields: (t) => ({
    subscriptionId: id('The subscription.'),
    startDate: time('The billing period’s start.'),
    endDate: time('The billing period’s end, exclusive; the next period starts here.'),
    cycleStart: nullable.time(
      'The start of the billing cycle of which the period is the last part, and so prorated; null for a whole cycle.',
    ),
    cycleEnd: nullable.time(
      'The end of the billing cycle, where the subscription was to end within it and the period is charged for its share; else null.',
    ),
    status: of(BillingPeriodStatus, 'The status.'),
    trialPeriod: flag('Whether the period is a free trial.'),
    paidElsewhere: flag(
      'Whether the period is before the subscription’s `paidUntil`, so that neither its plan nor its usage is charged.',
    ),
    subscription: t.field({
      type: Subscription,
      description: 'The subscription.',
      resolve: ({ subscription }) => subscription.loadOrFail(),
    }),
    items: t.field({
      type: [BillingPeriodItem],
      description: `The items billed for the period; empty in a trial. A subscription has at most ${mostItems}, so there are no pages.`,
      resolve: ({ items }) => items.loadItems(),
    }),
  }),
});

readable({
  one: 'billingPeriod',
  many: 'billingPeriods',
  noun: 'billing period',
  entity: BillingPeriod,
  where: {
    subscription: byId('subscription', 'The subscription.'),
    customer: byId('customerId', 'The customer of the subscription.'),
    status: byEnum(BillingPeriodStatus, 'status', 'The status.'),
    trialPeriod: byFlag('trialPeriod', 'Free trials (true) or other periods (false).'),
    startDate: byTime('startDate', 'The start.'),
    endDate: byTime(
      'endDate',
      'The end, at which the period is due unless it is charged at its start.',
    ),
  },
  orders: {
    end_date: { property: 'endDate', kind: 'time', words: 'end' },
  },
});
