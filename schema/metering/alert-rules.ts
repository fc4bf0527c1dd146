import { countSubscribed } from '#domain/metering/commands/alert-rules/customers-of-rule.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { byEnum, byFlag, byId, byText } from '../engine/where.ts';
import { AlertKind, termFields } from './alert-terms.ts';

builder.node(AlertRule, {
  name: 'AlertRule',
  description:
    'An alert for each customer of the pricing model, also for later ones. It watches each of their subscriptions by itself.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('alert_rule'),
  loadOne: loadOne(AlertRule),
  fields: (t) => ({
    ...termFields(t),
    active: t.exposeBoolean('active', { description: 'Whether its alerts are compared.' }),
    appliedAt: t.expose('appliedAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The time since which the alerts of all customers but `failedCustomers` have its terms; null while a job applies them.',
    }),
    failedCustomers: t.exposeInt('failedCustomers', {
      description:
        'The number of customers to whose alerts its terms could not be applied. A job tries them again, with growing pauses.',
    }),
    subscriberCount: t.int({
      description: 'The number of customers with a current subscription, whom it concerns.',
      resolve: (_rule, _args, session) => countSubscribed(session),
    }),
    alerts: listBelow(t, Alert, { by: 'rule', description: 'Its alerts, one for each customer.' }),
  }),
});

readable({
  one: 'alertRule',
  many: 'alertRules',
  noun: 'alert rule',
  entity: AlertRule,
  where: {
    name: byText('name', 'The display name.'),
    kind: byEnum(AlertKind, 'kind', 'The value that it compares.'),
    usageMeter: byId('usageMeter', 'The watched meter.'),
    hardLimit: byFlag('hardLimit', 'Whether it refuses usage.'),
    active: byFlag('active', 'Active (true) or inactive (false).'),
  },
});
