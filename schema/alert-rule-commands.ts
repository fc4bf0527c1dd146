import { AlertRule } from '#domain/alert-rules/alert-rule.ts';
import { createAlertRule, createAlertRuleInput } from '#domain/alert-rules/create-alert-rule.ts';
import { updateAlertRule, updateAlertRuleInput } from '#domain/alert-rules/update-alert-rule.ts';
import { AlertKind } from './alerts.ts';
import { builder } from './engine/builder.ts';
import { expectedVersion } from './engine/expected-version.ts';

const CreateAlertRule = builder.inputType('CreateAlertRuleInput', {
  description: 'A new alert for each customer of the pricing model.',
  fields: (t) => ({
    kind: t.field({ type: AlertKind, required: true, description: 'The value that it compares.' }),
    threshold: t.field({
      type: 'Decimal',
      required: true,
      description:
        'The threshold: units of the meter, minor units of the currency, or hours. It is above 0; 0 is allowed for credits.',
    }),
    usageMeterId: t.id({
      description:
        'The watched meter; alternative to `usageMeterSlug`. Without a meter a rule for spend watches all of them.',
    }),
    usageMeterSlug: t.string({
      description: 'The slug of the watched meter; alternative to `usageMeterId`.',
    }),
    percentages: t.intList({
      description:
        'Further thresholds as percentages of the threshold, 1 to 1000 and not 100, up to 10. Each triggers by itself.',
    }),
    hardLimit: t.boolean({
      description:
        'Whether usage beyond the threshold is refused; false when absent. It is allowed for usage, spend and credits.',
    }),
    name: t.string({ description: 'The display name.' }),
  }),
});

const UpdateAlertRule = builder.inputType('UpdateAlertRuleInput', {
  description: 'Changes to an alert rule; absent fields do not change.',
  fields: (t) => ({
    id: t.id({ description: 'The id, repeated; it must equal the id of the request.' }),
    threshold: t.field({
      type: 'Decimal',
      description: 'The threshold. A new one ends the crossings of the old one.',
    }),
    percentages: t.intList({
      description:
        'All further thresholds as percentages of the threshold. A removed one ends its crossings.',
    }),
    hardLimit: t.boolean({ description: 'Whether usage beyond the threshold is refused.' }),
    active: t.boolean({ description: 'False stops all of its alerts; true compares them again.' }),
    name: t.string({ description: 'The display name; null for none.' }),
  }),
});

builder.mutationFields((t) => ({
  createAlertRule: t.field({
    type: AlertRule,
    description:
      'Creates an alert for each customer of the pricing model. A job gives present subscribers theirs, and a new subscription begins with it. Errors: BAD_REQUEST for an unknown meter, and for terms that the kind does not have.',
    args: {
      alertRule: t.arg({ type: CreateAlertRule, required: true, description: 'The rule.' }),
    },
    validate: { schema: createAlertRuleInput },
    resolve: (_root, args, session) => createAlertRule(session, args),
  }),
  updateAlertRule: t.field({
    type: AlertRule,
    description:
      'Changes the thresholds, the name or the limit of a rule, or stops it. A job applies that to the alerts of all customers. Errors: NOT_FOUND; BAD_REQUEST for terms that the kind does not have.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the rule.' }),
      alertRule: t.arg({ type: UpdateAlertRule, required: true, description: 'The changes.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateAlertRuleInput },
    resolve: (_root, args, session) => updateAlertRule(session, args),
  }),
}));
