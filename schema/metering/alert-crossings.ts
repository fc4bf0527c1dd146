import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { builder } from '../engine/builder.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { optionalReference, reference } from '../engine/reference.ts';
import { byEnum, byId, byPresence, byTime } from '../engine/where.ts';
import { AlertKind } from './alert-terms.ts';

builder.node(AlertCrossing, {
  name: 'AlertCrossing',
  description: 'One time that a value reached a threshold of an alert, until it returned.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('alert_crossing'),
  loadOne: loadOne(AlertCrossing),
  fields: (t) => ({
    alertId: t.exposeID('alertId', { description: 'The alert.' }),
    alert: t.field(reference(Alert, 'alertId', 'The alert.')),
    kind: t.expose('kind', { type: AlertKind, description: 'The value that was compared.' }),
    threshold: t.expose('threshold', {
      type: 'Decimal',
      description: 'The threshold at that time.',
    }),
    percentage: t.exposeInt('percentage', {
      description:
        'The threshold as a percentage of that of the alert; 100 is the threshold itself.',
    }),
    value: t.expose('value', {
      type: 'Decimal',
      description: 'The value that reached the threshold.',
    }),
    customerId: t.exposeID('customerId', { description: 'The customer.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer.')),
    subscriptionId: t.exposeID('subscriptionId', { description: 'The subscription.' }),
    subscription: t.field(reference(Subscription, 'subscriptionId', 'The subscription.')),
    usageMeterId: t.exposeID('usageMeterId', {
      nullable: true,
      description: 'The meter; null for the spend on all meters.',
    }),
    usageMeter: t.field(
      optionalReference(UsageMeter, 'usageMeterId', 'The meter; null for the spend on all meters.'),
    ),
    billingPeriodId: t.id({
      nullable: true,
      description: 'The billing period of the value; null for credits.',
      resolve: ({ billingPeriodId }) => billingPeriodId || null,
    }),
    billingPeriod: t.field(
      optionalReference(
        BillingPeriod,
        'billingPeriodId',
        'The billing period of the value; null for credits.',
      ),
    ),
    endedAt: t.expose('endedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when the value returned; null while it has not.',
    }),
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
