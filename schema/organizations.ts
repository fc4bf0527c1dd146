import {
  dunningFinalActions,
  Organization,
  prorationCredits,
} from '#domain/organizations/organization.ts';
import {
  updateOrganization,
  updateOrganizationInput,
} from '#domain/organizations/update-organization.ts';
import { builder } from './builder.ts';
import { TaxSettings, taxInputs } from './tax-settings.ts';

const DunningFinalAction = builder.enumType('DunningFinalAction', {
  description:
    'What becomes of a subscription that could not be paid for in the end: it is canceled, or it stays, unpaid.',
  values: dunningFinalActions,
});

const ProrationCredit = builder.enumType('ProrationCredit', {
  description:
    'What becomes of what a customer has paid too much when its plan gets cheaper within a billing period: nothing (none), or its credit balance.',
  values: prorationCredits,
});

builder.node(Organization, {
  name: 'Organization',
  description: 'Whoever sells: the owner of pricing models, keys and customers.',
  interfaces: [TaxSettings],
  id: { resolve: ({ id }) => id, description: '`org_…`' },
  // A key sees its own only.
  loadOne: (id, { em, organizationId }) =>
    id === organizationId ? em.findOne(Organization, organizationId) : null,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name for people.' }),
    currency: t.exposeString('currency', {
      description: 'ISO 4217, upper case; every price is in it.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was founded.' }),
    allowMultipleSubscriptionsPerCustomer: t.exposeBoolean(
      'allowMultipleSubscriptionsPerCustomer',
      { description: 'Whether a customer may have several current subscriptions.' },
    ),
    dunningRetryDays: t.intList({
      description: 'Days from one failed try to be paid to the next; after the last one it ends.',
      resolve: ({ dunningRetryDays }) => [...dunningRetryDays],
    }),
    dunningFinalAction: t.expose('dunningFinalAction', {
      type: DunningFinalAction,
      description: 'What becomes of a subscription that could not be paid for in the end.',
    }),
    prorationCredit: t.expose('prorationCredit', {
      type: ProrationCredit,
      description: 'What becomes of what is paid too much when a plan gets cheaper.',
    }),
  }),
});

builder.queryField('organization', (t) =>
  t.field({
    type: Organization,
    description: 'The organization of the API key.',
    resolve: (_root, _args, { em, organizationId }) =>
      em.findOneOrFail(Organization, organizationId),
  }),
);

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
    type: Organization,
    description:
      'Changes how the organization of the API key does business, in test and in live mode. Errors: BAD_REQUEST.',
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
