import { AlertRule } from '#domain/alert-rules/alert-rule.ts';
import { countSubscribed } from '#domain/alert-rules/customers-of-rule.ts';
import { Alert } from '#domain/alerts/alert.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { AlertKind } from './alerts.ts';
import { listBelow } from './engine/below.ts';
import { builder } from './engine/builder.ts';
import { loadOne } from './engine/load.ts';
import { ownId } from './engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { optionalReference } from './engine/reference.ts';
import { byEnum, byFlag, byId, byText } from './engine/where.ts';

const meterText = 'The watched meter; null for the spend on all meters.';

builder.node(AlertRule, {
  name: 'AlertRule',
  description:
    'An alert for each customer of the pricing model, also for later ones. It watches each of their subscriptions by itself.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('alert_rule'),
  loadOne: loadOne(AlertRule),
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
    active: t.exposeBoolean('active', { description: 'Whether its alerts are compared.' }),
    name: t.exposeString('name', { nullable: true, description: 'The display name.' }),
    usageMeterId: t.exposeID('usageMeterId', { nullable: true, description: meterText }),
    usageMeter: t.field(optionalReference(UsageMeter, 'usageMeterId', meterText)),
    appliedAt: t.expose('appliedAt', {
      type: 'Timestamp',
      nullable: true,
      description:
        'The time since which the alerts of all customers have its terms; null while a job applies them.',
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
