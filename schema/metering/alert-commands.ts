import { createAlert, createAlertInput } from '#domain/metering/commands/alerts/create-alert.ts';
import { updateAlert, updateAlertInput } from '#domain/metering/commands/alerts/update-alert.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { changedTerms, newTerms } from './alert-terms.ts';

const CreateAlert = input('CreateAlertInput', {
  description: 'A new alert on a subscription, or on each subscription of a customer.',
  fields: {
    ...newTerms('an alert on spend'),
    customerId: nullable.id(
      'The customer, each of whose subscriptions is watched; alternative to `subscriptionId`.',
    ),
    subscriptionId: nullable.id('The watched subscription; alternative to `customerId`.'),
  },
});

const UpdateAlert = input('UpdateAlertInput', {
  description: 'Changes to an alert; absent fields do not change.',
  fields: changedTerms('False stops the alert; true compares it again.'),
});

mutation('createAlert', {
  returns: [Alert, 'The new alert.'],
  description:
    'Creates an alert. It triggers at once if a value has reached its threshold. Errors: BAD_REQUEST for an unknown object, an ended subscription, an archived customer and terms that the kind does not have.',
  args: { alert: of(CreateAlert, 'The alert.') },
  input: createAlertInput,
  command: createAlert,
});

mutation('updateAlert', {
  returns: [Alert, 'The changed alert.'],
  description:
    'Changes the thresholds, the name or the limit of an alert. A new threshold triggers at once if a value has reached it. Errors: NOT_FOUND; BAD_REQUEST for terms that the kind does not have, and for an alert of a rule.',
  args: {
    id: id('The id of the alert.'),
    alert: of(UpdateAlert, 'The changes.'),
    expectedVersion,
  },
  input: updateAlertInput,
  command: updateAlert,
});
