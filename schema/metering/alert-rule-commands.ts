import {
  createAlertRule,
  createAlertRuleInput,
} from '#domain/metering/commands/alert-rules/create-alert-rule.ts';
import {
  updateAlertRule,
  updateAlertRuleInput,
} from '#domain/metering/commands/alert-rules/update-alert-rule.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { payload } from '../engine/payload.ts';
import { input } from '../engine/types.ts';
import { changedTerms, newTerms } from './alert-terms.ts';

const CreateAlertRule = input('CreateAlertRuleInput', {
  description: 'A new alert for each customer of the pricing model.',
  fields: newTerms('a rule for spend'),
});

const UpdateAlertRule = input('UpdateAlertRuleInput', {
  description: 'Changes to an alert rule; absent fields do not change.',
  fields: changedTerms('False stops all of its alerts; true compares them again.'),
});

builder.mutationFields((t) => ({
  createAlertRule: t.field({
    type: payload('createAlertRule', AlertRule, 'The new rule.'),
    description:
      'Creates an alert for each customer of the pricing model. A job gives present subscribers theirs, and a new subscription begins with it. Errors: BAD_REQUEST for an unknown meter, and for terms that the kind does not have.',
    args: {
      alertRule: t.arg({ type: CreateAlertRule, required: true, description: 'The rule.' }),
    },
    validate: { schema: createAlertRuleInput },
    resolve: (_root, args, session) => createAlertRule(session, args),
  }),
  updateAlertRule: t.field({
    type: payload('updateAlertRule', AlertRule, 'The changed rule.'),
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
