import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { decimal, int, nullable, of } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { optionalReference, withId, withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byEnum, byId, byPresence, byTime } from '../engine/where.ts';
import { AlertKind } from './alert-terms.ts';

record(AlertCrossing, {
  description: 'One time that a value reached a threshold of an alert, until it returned.',
  fields: (t) => ({
    ...withId('alert', Alert, 'The alert.'),
    kind: of(AlertKind, 'The value that was compared.'),
    threshold: decimal('The threshold at that time.'),
    percentage: int(
      'The threshold as a percentage of that of the alert; 100 is the threshold itself.',
    ),
    value: decimal('The value that reached the threshold.'),
    ...withId('customer', Customer, 'The customer.'),
    ...withId('subscription', Subscription, 'The subscription.'),
    ...withOptionalId('usageMeter', UsageMeter, 'The meter; null for the spend on all meters.'),
    billingPeriodId: t.id({
      nullable: true,
      description: 'The billing period of the value; null for credits.',
      resolve: ({ billingPeriodId }) => billingPeriodId || null,
    }),
    billingPeriod: optionalReference(
      BillingPeriod,
      'billingPeriodId',
      'The billing period of the value; null for credits.',
    ),
    endedAt: nullable.time('The time when the value returned; null while it has not.'),
  }),
});

readable({
  one: 'alertCrossing',
  many: 'alertCrossings',
  noun: 'crossing of the threshold of an alert',
  entity: AlertCrossing,
  where: {
    alert: byId('alert', 'The alert.'),
    customer: byId('customerId', 'The customer.'),
    subscription: byId('subscriptionId', 'The subscription.'),
    usageMeter: byId('usageMeterId', 'The meter.'),
    billingPeriod: byId('billingPeriodId', 'The billing period of the value.'),
    kind: byEnum(AlertKind, 'kind', 'The value that was compared.'),
    ended: byPresence('endedAt', 'Whether the value has returned.'),
    endedAt: byTime('endedAt', 'The time when the value returned.'),
  },
});
