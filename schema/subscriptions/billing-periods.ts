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
import { loadOne, readsBy } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { optionalReference } from '../engine/reference.ts';
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

builder.node(BillingPeriodItem, {
  name: 'BillingPeriodItem',
  description: 'An item of a billing period, fixed when the period starts.',
  id: ownId('billing_period_item'),
  loadOne: loadOne(BillingPeriodItem),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The display name.' }),
    description: t.exposeString('description', { description: 'The description; may be empty.' }),
    unitPrice: t.expose('unitPrice', {
      type: 'SafeInt',
      description: 'The price of one unit, in minor units.',
    }),
    quantity: t.expose('quantity', { type: 'SafeInt', description: 'The quantity.' }),
    priceId: t.exposeID('priceId', {
      nullable: true,
      description: 'The price that the item follows.',
    }),
    price: t.field(optionalReference(Price, 'priceId', 'The price that the item follows.')),
    subscriptionItemId: t.exposeID('subscriptionItemId', {
      nullable: true,
      description: 'The subscription item that the item was copied from.',
    }),
    subscriptionItem: t.field(
      optionalReference(
        SubscriptionItem,
        'subscriptionItemId',
        'The subscription item that the item was copied from.',
      ),
    ),
  }),
});

builder.node(BillingPeriod, {
  name: 'BillingPeriod',
  description: 'A time span that a subscription is billed for. Consecutive periods leave no gap.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('billing_period'),
  loadOne: loadOne(BillingPeriod),
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'The subscription.' }),
    startDate: t.expose('startDate', {
      type: 'Timestamp',
      description: 'The billing period’s start.',
    }),
    endDate: t.expose('endDate', {
      type: 'Timestamp',
      description: 'The billing period’s end, exclusive; the next period starts here.',
    }),
    cycleStart: t.expose('cycleStart', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The start of the billing cycle of which the period is the last part, and so prorated; null for a whole cycle.',
    }),
    cycleEnd: t.expose('cycleEnd', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The end of the billing cycle, where the subscription was to end within it and the period is charged for its share; else null.',
    }),
    status: t.expose('status', { type: BillingPeriodStatus, description: 'The status.' }),
    trialPeriod: t.exposeBoolean('trialPeriod', {
      description: 'Whether the period is a free trial.',
    }),
    paidElsewhere: t.exposeBoolean('paidElsewhere', {
      description:
        'Whether the period is before the subscription’s `paidUntil`, so that neither its plan nor its usage is charged.',
    }),
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
