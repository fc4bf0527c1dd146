import { Organization } from '#domain/organizations/organization.ts';
import {
  dunningFinalActions,
  OrganizationSettings,
  prorationCredits,
} from '#domain/organizations/organization-settings.ts';
import { settingsOf } from '#domain/rules/locks/settings-of.ts';
import { builder } from './engine/builder.ts';
import { TaxSettings } from './tax-settings.ts';

export const DunningFinalAction = builder.enumType('DunningFinalAction', {
  description:
    'What becomes of a subscription that could not be paid for in the end: it is canceled, or it stays, unpaid.',
  values: dunningFinalActions,
});

export const ProrationCredit = builder.enumType('ProrationCredit', {
  description:
    'What becomes of what a customer has paid too much when its plan gets cheaper within a billing period: nothing (none), or its credit balance.',
  values: prorationCredits,
});

builder.node(OrganizationSettings, {
  name: 'Organization',
  description:
    'The seller, as it does business in the mode of the API key. Test and live mode have settings of their own.',
  interfaces: [TaxSettings],
  id: { resolve: ({ organizationId }) => organizationId, description: '`org_…`' },
  // A key sees its own only.
  loadOne: (id, session) => (id === session.organizationId ? settingsOf(session) : null),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name for people.' }),
    currency: t.string({
      description: 'ISO 4217, upper case; every price is in it, in both modes.',
      resolve: async ({ organizationId }, _args, { em }) =>
        (await em.findOneOrFail(Organization, organizationId)).currency,
    }),
    livemode: t.exposeBoolean('livemode', {
      description: 'The mode that these settings hold in: live (true) or test (false).',
    }),
    createdAt: t.field({
      type: 'Timestamp',
      description: 'When it was founded.',
      resolve: async ({ organizationId }, _args, { em }) =>
        (await em.findOneOrFail(Organization, organizationId)).createdAt,
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'Timestamp',
      description: 'When its settings last changed in this mode.',
    }),
    allowMultipleSubscriptionsPerCustomer: t.exposeBoolean(
      'allowMultipleSubscriptionsPerCustomer',
      { description: 'Whether a customer may have several current subscriptions.' },
    ),
    documentLinksValidFrom: t.expose('documentLinksValidFrom', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the secret of links to PDFs was replaced; links from before do not work.',
    }),
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
    type: OrganizationSettings,
    description: 'The organization of the API key, with its settings in the mode of the key.',
    resolve: (_root, _args, session) => settingsOf(session),
  }),
);
