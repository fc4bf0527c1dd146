import { Alert } from '#domain/model/metering/alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { flag } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { withId, withOptionalId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
import { byEnum, byFlag, byId, byText } from '../engine/where.ts';
import { AlertKind, termFields } from './alert-terms.ts';

record(Alert, {
  description:
    'A threshold on the usage, the spend or the credits of a subscription, or of each subscription of a customer.',
  fields: (t) => ({
    ...termFields,
    active: flag('Whether it is compared.'),
    ...withId('customer', Customer, 'The customer.'),
    ...withOptionalId(
      'subscription',
      Subscription,
      'The watched subscription; null for each subscription of the customer.',
    ),
    ...withOptionalId('rule', AlertRule, 'The rule that changes it; null for an alert of its own.'),
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
