import {
  rotateDocumentSecret,
  rotateDocumentSecretInput,
} from '#domain/organizations/document-secret.ts';
import { OrganizationSettings } from '#domain/organizations/organization-settings.ts';
import {
  updateOrganization,
  updateOrganizationInput,
} from '#domain/organizations/update-organization.ts';
import { builder } from './engine/builder.ts';
import { DunningFinalAction, ProrationCredit } from './organizations.ts';
import { taxInputs } from './tax-settings.ts';

const UpdateOrganization = builder.inputType('UpdateOrganizationInput', {
  description: 'Changes to an organization; what is absent stays.',
  fields: (t) => ({
    name: t.string({ description: 'The name for people.' }),
    allowMultipleSubscriptionsPerCustomer: t.boolean({
      description: 'Whether a customer may have several current subscriptions.',
    }),
    ...taxInputs(t),
    dunningRetryDays: t.intList({
      description:
        'Days from one failed try to be paid to the next: up to ten whole numbers from 1 to 60.',
    }),
    dunningFinalAction: t.field({
      type: DunningFinalAction,
      description: 'What becomes of a subscription that could not be paid for in the end.',
    }),
    prorationCredit: t.field({
      type: ProrationCredit,
      description: 'What becomes of what is paid too much when a plan gets cheaper; none at first.',
    }),
  }),
});

builder.mutationField('updateOrganization', (t) =>
  t.field({
    type: OrganizationSettings,
    description:
      'Changes how the organization of the API key does business in the mode of the key, and emits organization.updated. Errors: BAD_REQUEST.',
    args: {
      organization: t.arg({
        type: UpdateOrganization,
        required: true,
        description: 'The changes.',
      }),
    },
    validate: { schema: updateOrganizationInput },
    resolve: (_root, args, session) => updateOrganization(session, args),
  }),
);

builder.mutationField('rotateDocumentSecret', (t) =>
  t.field({
    type: OrganizationSettings,
    description:
      'Replaces the secret that signs links to invoices and receipts in the mode of the key. Links made before end at once; invoices show new ones.',
    validate: { schema: rotateDocumentSecretInput },
    resolve: (_root, _args, session) => rotateDocumentSecret(session),
  }),
);
