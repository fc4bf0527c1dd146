import { Organization } from '#domain/model/platform/organization.ts';
import {
  dunningFinalActions,
  OrganizationSettings,
  prorationCredits,
} from '#domain/model/platform/organization-settings.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { TaxId } from '../catalog/tax-ids.ts';
import { TaxSettings } from '../catalog/tax-settings.ts';
import { TaxEngine } from '../catalog/taxes.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, int, nullable, of, text, time } from '../engine/fields.ts';
import { readsBy } from '../engine/load.ts';
import { record } from '../engine/types.ts';
import { BankAccount } from '../shared/bank-accounts.ts';
import { PostalAddress } from '../shared/postal-addresses.ts';
import { PrepaidOffer } from '../shared/prepaid-offers.ts';
import { UnpaidAccess } from '../shared/subscription-status.ts';
import { Logo, logoOf } from './sellers.ts';

export const DunningFinalAction = builder.enumType('DunningFinalAction', {
  description: 'The final action for a subscription whose last payment attempt failed.',
  values: described(dunningFinalActions, {
    cancel: 'The subscription is canceled.',
    unpaid: 'The subscription becomes `unpaid`; `unpaidAccess` states what it grants then.',
  }),
});

export const ProrationCredit = builder.enumType('ProrationCredit', {
  description:
    'The use of the unused amount when an adjustment lowers the price within a billing period.',
  values: described(prorationCredits, {
    none: 'The unused amount is not credited.',
    balance: 'The unused amount is added to the customer’s credit balance.',
  }),
});

// A key sees its own organization only.
readsBy(
  OrganizationSettings,
  async (session) => [await settingsOf(session)],
  ({ organizationId }) => organizationId,
);

record(OrganizationSettings, {
  name: 'Organization',
  description:
    'The organization with its settings in the mode of the API key. Test mode and live mode have separate settings.',
  interfaces: [TaxSettings],
  id: { resolve: ({ organizationId }) => organizationId, description: 'The id, `org_…`.' },
  fields: (t) => ({
    name: text('The display name.'),
    legalName: nullable.text('The name of the seller on documents; the display name when null.'),
    address: nullable.of(PostalAddress, 'The address of the seller on documents.'),
    taxIds: of([TaxId], 'The numbers of the seller at tax authorities; at most 5.'),
    logo: t.field({
      type: Logo,
      nullable: true,
      description: 'The logo of the seller on documents.',
      resolve: logoOf,
    }),
    bankAccount: nullable.of(BankAccount, 'The account for transfers, which e-invoices state.'),
    taxEngine: of(TaxEngine, 'How taxes are computed.'),
    taxServiceUrl: nullable.text('The address of the tax service that the engine `service` asks.'),
    currency: t.string({
      description:
        'The default currency in both modes, an ISO 4217 code in upper case, for prices that name none.',
      resolve: async ({ organizationId }, _args, { em }) =>
        (await em.findOneOrFail(Organization, organizationId)).currency,
    }),
    livemode: flag('The mode of these settings: live (true) or test (false).'),
    createdAt: t.field({
      type: 'Timestamp',
      description: 'The time of creation.',
      resolve: async ({ organizationId }, _args, { em }) =>
        (await em.findOneOrFail(Organization, organizationId)).createdAt,
    }),
    updatedAt: time('The time of the last change of the settings in this mode.'),
    allowMultipleSubscriptionsPerCustomer: flag(
      'Whether a customer may have several current subscriptions at a time.',
    ),
    documentLinksValidFrom: nullable.time(
      'The time when the secret for links to PDFs was last replaced; earlier links are invalid.',
    ),
    paymentActionDays: int(
      'The days after which a payment that waits for the customer’s confirmation is canceled.',
    ),
    dunningRetryDays: t.intList({
      description:
        'The days from each failed payment attempt to the next one; the last attempt is followed by the final action.',
      resolve: ({ dunningRetryDays }) => [...dunningRetryDays],
    }),
    dunningFinalAction: of(
      DunningFinalAction,
      'The final action after the last failed payment attempt.',
    ),
    unpaidAccess: of(UnpaidAccess, 'The access that subscriptions grant while they are unpaid.'),
    draftWindowHours: int(
      'The hours after a billing period in which late usage counts for its invoice, which is written after them.',
    ),
    consolidatesInvoices: flag(
      'Whether invoices for several subscriptions of a customer at the same instant are one document, where the customer does not choose.',
    ),
    customersMayPause: flag(
      'Whether customers may pause and resume their subscriptions, as in the portal.',
    ),
    customersMayBuyCredit: flag(
      'Whether customers may buy prepaid credit themselves, as in the portal.',
    ),
    prepaidOffers: of(
      [PrepaidOffer],
      'The prepaid credit that they may buy: one offer for each currency.',
    ),
    allowedOrigins: of(
      ['String'],
      'The origins of customer tokens that are created without origins; all where it is empty.',
    ),
    prorationCredit: of(ProrationCredit, 'The use of the unused amount after a downgrade.'),
  }),
});

builder.queryField('organization', (t) =>
  t.field({
    type: OrganizationSettings,
    description: 'The organization of the API key, with its settings in the mode of the key.',
    resolve: (_root, _args, session) => settingsOf(session),
  }),
);
