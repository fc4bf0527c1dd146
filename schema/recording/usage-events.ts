import { Price } from '#domain/model/catalog/price.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { openUsageHistory } from '#domain/recording/open-usage-history.ts';
import {
  readUsageEvent,
  readUsageEvents,
  usageEventPositionSql,
} from '#domain/recording/read-usage-events.ts';
import { ofCustomer, withTransaction } from '#domain/recording/usage-event-conditions.ts';
import { builder } from '../engine/builder.ts';
import { decimal, json, nullable, text, time } from '../engine/fields.ts';
import { listField } from '../engine/lists.ts';
import { readsBy } from '../engine/load.ts';
import { withId, withOptionalId } from '../engine/reference.ts';
import { input, record } from '../engine/types.ts';

// The key of an event leads to its partition.
readsBy(UsageEvent, readUsageEvents);

import { byDecimal, byEntries, byId, byPresence, byTime, custom } from '../engine/where.ts';

record(UsageEvent, {
  description: 'One recorded use of a usage meter.',
  fields: (t) => ({
    ...withId('customer', Customer, 'The customer that used it.'),
    ...withId('subscription', Subscription, 'The subscription that the usage is recorded for.'),
    ...withId('usageMeter', UsageMeter, 'The usage meter.'),
    ...withId('price', Price, 'The usage price.'),
    ...withOptionalId(
      'billingPeriod',
      BillingPeriod,
      'The billing period of the usage; null when the subscription has none or has ended. Usage in a pause, or of a time after the running period, names the period that follows.',
    ),
    amount: decimal('The amount of usage, greater than 0.'),
    usageDate: time('The time of use.'),
    transactionId: text('Your own id of the usage; a meter counts each transaction id once.'),
    properties: t.field({
      type: 'JSON',
      description: 'The reported properties; an empty object when there are none.',
      resolve: ({ properties }) => properties ?? {},
    }),
    voidedAt: nullable.time(
      'The time when the event was voided or replaced; null while it counts.',
    ),
    voidReason: nullable.text('The reason why the event no longer counts.'),
    ...withOptionalId('replacedBy', UsageEvent, 'The event that replaces this one.'),
  }),
});

builder.queryField('usageEvent', (t) =>
  t.field({
    type: UsageEvent,
    description: 'One usage event. Errors: NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'The id of the usage event.' }) },
    resolve: (_root, { id }, session) => readUsageEvent(session, id),
  }),
);

const _UsageEventProperty = input('UsageEventPropertyInput', {
  description: 'A property of usage events.',
  fields: {
    name: text('The name of the property.'),
    value: json('The value of the property.'),
  },
});

listField({
  many: 'usageEvents',
  name: 'UsageEvent',
  noun: 'usage event',
  entity: UsageEvent,
  positionSql: usageEventPositionSql,
  openArchive: openUsageHistory,
  where: {
    customer: custom.id('The customer.', ofCustomer),
    subscription: byId('subscriptionId', 'The subscription.'),
    usageMeter: byId('usageMeterId', 'The usage meter.'),
    billingPeriod: byId('billingPeriodId', 'The billing period of the usage.'),
    price: byId('priceId', 'The price of the usage.'),
    transactionId: custom.id('Your own id of the event.', withTransaction),
    usageDate: byTime('usageDate', 'The time of use.'),
    amount: byDecimal('amount', 'The amount.'),
    properties: byEntries('properties', 'Properties, all of which must match.'),
    voided: byPresence('voidedAt', 'Voided or replaced events (true) or counting ones (false).'),
  },
});
