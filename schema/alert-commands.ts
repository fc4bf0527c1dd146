import { Alert } from '#domain/alerts/alert.ts';
import { createAlert, createAlertInput } from '#domain/alerts/create-alert.ts';
import { updateAlert, updateAlertInput } from '#domain/alerts/update-alert.ts';
import { AlertKind } from './alerts.ts';
import { builder } from './engine/builder.ts';
import { expectedVersion } from './engine/expected-version.ts';

const CreateAlert = builder.inputType('CreateAlertInput', {
  description: 'A new alert on a subscription, or on each subscription of a customer.',
  fields: (t) => ({
    kind: t.field({ type: AlertKind, required: true, description: 'The value that it compares.' }),
    threshold: t.field({
      type: 'Decimal',
      required: true,
      description:
        'The threshold: units of the meter, minor units of the currency, or hours. It is above 0; 0 is allowed for credits.',
    }),
    customerId: t.id({
      description:
        'The customer, each of whose subscriptions is watched; alternative to `subscriptionId`.',
    }),
    subscriptionId: t.id({
      description: 'The watched subscription; alternative to `customerId`.',
    }),
    usageMeterId: t.id({
      description:
        'The watched meter; alternative to `usageMeterSlug`. Without a meter an alert on spend watches all of them.',
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

const UpdateAlert = builder.inputType('UpdateAlertInput', {
  description: 'Changes to an alert; absent fields do not change.',
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
    active: t.boolean({ description: 'False stops the alert; true compares it again.' }),
    name: t.string({ description: 'The display name; null for none.' }),
  }),
});

builder.mutationFields((t) => ({
  createAlert: t.field({
    type: Alert,
    description:
      'Creates an alert. It triggers at once if a value has reached its threshold. Errors: BAD_REQUEST for an unknown object, an ended subscription, an archived customer and terms that the kind does not have.',
    args: { alert: t.arg({ type: CreateAlert, required: true, description: 'The alert.' }) },
    validate: { schema: createAlertInput },
    resolve: (_root, args, session) => createAlert(session, args),
  }),
  updateAlert: t.field({
    type: Alert,
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
