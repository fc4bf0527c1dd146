import { createAlert, createAlertInput } from '#domain/metering/commands/alerts/create-alert.ts';
import { updateAlert, updateAlertInput } from '#domain/metering/commands/alerts/update-alert.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { builder } from '../engine/builder.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullable } from '../engine/fields.ts';
import { payload } from '../engine/payload.ts';
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

builder.mutationFields((t) => ({
  createAlert: t.field({
    type: payload('createAlert', Alert, 'The new alert.'),
    description:
      'Creates an alert. It triggers at once if a value has reached its threshold. Errors: BAD_REQUEST for an unknown object, an ended subscription, an archived customer and terms that the kind does not have.',
    args: { alert: t.arg({ type: CreateAlert, required: true, description: 'The alert.' }) },
    validate: { schema: createAlertInput },
    resolve: (_root, args, session) => createAlert(session, args),
  }),
  updateAlert: t.field({
    type: payload('updateAlert', Alert, 'The changed alert.'),
    description:
      'Changes the thresholds, the name or the limit of an alert. A new threshold triggers at once if a value has reached it. Errors: NOT_FOUND; BAD_REQUEST for terms that the kind does not have, and for an alert of a rule.',
    args: {
      id: t.arg.id({ required: true, description: 'The id of the alert.' }),
      alert: t.arg({ type: UpdateAlert, required: true, description: 'The changes.' }),
      expectedVersion: t.arg.int(expectedVersion),
    },
    validate: { schema: updateAlertInput },
    resolve: (_root, args, session) => updateAlert(session, args),
  }),
}));
