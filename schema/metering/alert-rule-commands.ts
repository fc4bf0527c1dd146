import {
  createAlertRule,
  createAlertRuleInput,
} from '#domain/metering/commands/alert-rules/create-alert-rule.ts';
import {
  updateAlertRule,
  updateAlertRuleInput,
} from '#domain/metering/commands/alert-rules/update-alert-rule.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
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

mutation('createAlertRule', {
  returns: [AlertRule, 'The new rule.'],
  description:
    'Creates an alert for each customer of the pricing model. A job gives present subscribers theirs, and a new subscription begins with it. Errors: BAD_REQUEST for an unknown meter, and for terms that the kind does not have.',
  args: { alertRule: of(CreateAlertRule, 'The rule.') },
  input: createAlertRuleInput,
  command: createAlertRule,
});

mutation('updateAlertRule', {
  returns: [AlertRule, 'The changed rule.'],
  description:
    'Changes the thresholds, the name or the limit of a rule, or stops it. A job applies that to the alerts of all customers. Errors: NOT_FOUND; BAD_REQUEST for terms that the kind does not have.',
  args: {
    id: id('The id of the rule.'),
    alertRule: of(UpdateAlertRule, 'The changes.'),
    expectedVersion,
  },
  input: updateAlertRuleInput,
  command: updateAlertRule,
});
