import { countSubscribed } from '#domain/metering/commands/alert-rules/customers-of-rule.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { listBelow } from '../engine/below.ts';
import { flag, int, nullable } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { record } from '../engine/types.ts';
import { byEnum, byFlag, byId, byText } from '../engine/where.ts';
import { AlertKind, termFields } from './alert-terms.ts';

record(AlertRule, {
  description:
    'An alert for each customer of the pricing model, also for later ones. It watches each of their subscriptions by itself.',
  fields: (t) => ({
    ...termFields,
    active: flag('Whether its alerts are compared.'),
    appliedAt: nullable.time(
      'The time since which the alerts of all customers but `failedCustomers` have its terms; null while a job applies them.',
    ),
    failedCustomers: int(
      'The number of customers to whose alerts its terms could not be applied. A job tries them again, with growing pauses.',
    ),
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
