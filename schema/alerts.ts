import { AlertRule } from '#domain/alert-rules/alert-rule.ts';
import { Alert } from '#domain/alerts/alert.ts';
import { AlertCrossing } from '#domain/alerts/alert-crossing.ts';
import { alertKinds } from '#domain/alerts/alert-kinds.ts';
import { Customer } from '#domain/customers/customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { listBelow } from './engine/below.ts';
import { builder } from './engine/builder.ts';
import { described } from './engine/described.ts';
import { loadOne } from './engine/load.ts';
import { ownId } from './engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { optionalReference, reference } from './engine/reference.ts';
import { byEnum, byFlag, byId, byText } from './engine/where.ts';

export const AlertKind = builder.enumType('AlertKind', {
  description: 'The value that an alert compares with its threshold.',
  values: described(alertKinds, {
    usage:
      'The usage of a meter in a billing period, in units; it triggers at or above the threshold.',
    projected_usage:
      'The usage of a meter at the end of the current period, if it continues as in the last 24 hours.',
    spend:
      'The cost of usage in a billing period so far, in minor units: beyond credits, before discounts and tax.',
    credits: 'The remaining usage credits of a meter; it triggers at or below the threshold.',
    credit_hours:
      'The hours until the credits of a meter run out, if usage continues as in the last 24 hours; it triggers at or below the threshold.',
    credit_expiry:
      'The hours until the next unused credits of a meter expire; it triggers at or below the threshold.',
  }),
});

builder.node(Alert, {
  name: 'Alert',
  description:
    'A threshold on the usage, the spend or the credits of a subscription, or of each subscription of a customer.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('alert'),
  loadOne: loadOne(Alert),
  fields: (t) => ({
    kind: t.expose('kind', { type: AlertKind, description: 'The value that it compares.' }),
    threshold: t.expose('threshold', {
      type: 'Decimal',
      description: 'The threshold: units of the meter, minor units of the currency, or hours.',
    }),
    percentages: t.intList({
      description:
        'Further thresholds as percentages of the threshold, in ascending order. Each triggers by itself.',
      resolve: ({ percentages }) => [...percentages],
    }),
    hardLimit: t.exposeBoolean('hardLimit', {
      description: 'Whether usage beyond the threshold is refused.',
    }),
    active: t.exposeBoolean('active', { description: 'Whether it is compared.' }),
    name: t.exposeString('name', { nullable: true, description: 'The display name.' }),
    customerId: t.exposeID('customerId', { description: 'The customer.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer.')),
    subscriptionId: t.exposeID('subscriptionId', {
      nullable: true,
      description: 'The watched subscription; null for each subscription of the customer.',
    }),
    subscription: t.field(
      optionalReference(
        Subscription,
        'subscriptionId',
        'The watched subscription; null for each subscription of the customer.',
      ),
    ),
    usageMeterId: t.exposeID('usageMeterId', {
      nullable: true,
      description: 'The watched meter; null for the spend on all meters.',
    }),
    usageMeter: t.field(
      optionalReference(
        UsageMeter,
        'usageMeterId',
        'The watched meter; null for the spend on all meters.',
      ),
    ),
    ruleId: t.exposeID('ruleId', {
      nullable: true,
      description: 'The rule that changes it; null for an alert of its own.',
    }),
    rule: t.field(
      optionalReference(
        AlertRule,
        'ruleId',
        'The rule that changes it; null for an alert of its own.',
      ),
    ),
    crossings: listBelow(t, AlertCrossing, {
      by: 'alert',
      description: 'The crossings of its thresholds.',
    }),
  }),
});

readable({
  one: 'alert',
  many: 'alerts',
  noun: 'alert',
  entity: Alert,
  where: {
    name: byText('name', 'The display name.'),
    kind: byEnum(AlertKind, 'kind', 'The value that it compares.'),
    customer: byId('customer', 'The customer.'),
    subscription: byId('subscription', 'The watched subscription.'),
    usageMeter: byId('usageMeter', 'The watched meter.'),
    rule: byId('rule', 'The rule that changes it.'),
    hardLimit: byFlag('hardLimit', 'Whether it refuses usage.'),
    active: byFlag('active', 'Active (true) or inactive (false).'),
  },
});

// The alerts of a customer and of a subscription, in pages.
builder.objectFields(Customer, (t) => ({
  alerts: listBelow(t, Alert, { by: 'customer', description: 'The alerts on its subscriptions.' }),
}));

builder.objectFields(Subscription, (t) => ({
  alerts: listBelow(t, Alert, {
    by: 'subscription',
    description: 'The alerts on this subscription alone.',
  }),
  alertCrossings: listBelow(t, AlertCrossing, {
    by: 'subscriptionId',
    description: 'The thresholds that its values have reached.',
  }),
}));
