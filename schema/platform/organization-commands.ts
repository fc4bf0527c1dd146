import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import {
  rotateDocumentSecret,
  rotateDocumentSecretInput,
} from '#domain/platform/commands/organizations/document-secret.ts';
import {
  updateOrganization,
  updateOrganizationInput,
} from '#domain/platform/commands/organizations/update-organization.ts';
import { TaxIdInput } from '../catalog/tax-ids.ts';
import { taxInputs } from '../catalog/tax-settings.ts';
import { TaxEngine } from '../catalog/taxes.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { nullable, of } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { input } from '../engine/types.ts';
import { BankAccountInput } from '../shared/bank-accounts.ts';
import { PostalAddressInput } from '../shared/postal-addresses.ts';
import { PrepaidOfferInput } from '../shared/prepaid-offers.ts';
import { UnpaidAccess } from '../shared/subscription-status.ts';
import { DunningFinalAction, ProrationCredit } from './organizations.ts';

const UpdateOrganization = input('UpdateOrganizationInput', {
  description: 'Changes to an organization; absent fields do not change.',
  fields: {
    name: nullable.text('The display name.'),
    currency: nullable.text(
      'The default currency in both modes, an ISO 4217 code. It can change until a price or an invoice has an amount.',
    ),
    allowMultipleSubscriptionsPerCustomer: nullable.flag(
      'Whether a customer may have several current subscriptions at a time.',
    ),
    legalName: nullable.text('The name of the seller on documents; null removes it.'),
    address: nullable.of(
      PostalAddressInput,
      'The address of the seller on documents, with a country; null removes it.',
    ),
    taxIds: nullable.of([TaxIdInput], 'All tax ids of the seller, at most 5; null removes them.'),
    logo: nullable.text(
      'A `data:` URL of a PNG or JPEG with 8 bits a sample, of at most 100,000 bytes and 1,000 × 1,000 pixels; null removes the logo.',
    ),
    bankAccount: nullable.of(
      BankAccountInput,
      'The account for transfers, which e-invoices state; null removes it.',
    ),
    ...taxInputs,
    taxEngine: nullable.of(
      TaxEngine,
      'How taxes are computed; initially `rule`. It applies to later invoices.',
    ),
    taxServiceUrl: nullable.text(
      'The address of a tax service, https in live mode, which the engine `service` asks; null removes it.',
    ),
    taxServiceSecret: nullable.text(
      'The secret that signs requests to the tax service: `whsec_` and 24 to 64 bytes in base64. It is not shown again; null removes it.',
    ),
    dunningRetryDays: nullable.of(
      ['Int'],
      'The days from each failed payment attempt to the next one, up to 10 whole numbers from 1 to 60.',
    ),
    dunningFinalAction: nullable.of(
      DunningFinalAction,
      'The final action after the last failed payment attempt.',
    ),
    unpaidAccess: nullable.of(
      UnpaidAccess,
      'The access that subscriptions grant while they are unpaid; initially `no_new_credits`. It applies to those that become unpaid later, and to others from their next billing period.',
    ),
    paymentActionDays: nullable.int(
      'The days after which a payment that waits for the customer’s confirmation is canceled, 1 to 30; initially 7.',
    ),
    allowedOrigins: nullable.of(
      ['String'],
      'The origins of customer tokens that are created without origins, at most 50; an empty list allows all.',
    ),
    draftWindowHours: nullable.int(
      'The hours after a billing period in which late usage counts for its invoice, 0 to 720; initially 0. It applies to periods that end later.',
    ),
    consolidatesInvoices: nullable.flag(
      'Whether later invoices for several subscriptions of a customer at the same instant are one document; initially false. A customer may choose otherwise.',
    ),
    customersMayPause: nullable.flag(
      'Whether customers may pause and resume their subscriptions, as in the portal; initially false.',
    ),
    customersMayBuyCredit: nullable.flag(
      'Whether customers may buy prepaid credit themselves, as in the portal; initially false. It needs an offer.',
    ),
    prepaidOffers: nullable.of(
      [PrepaidOfferInput],
      'The prepaid credit that they may buy, with an offer for each currency, at most 50; initially none.',
    ),
    prorationCredit: nullable.of(
      ProrationCredit,
      'The use of the unused amount after a downgrade; initially `none`.',
    ),
  },
});

mutation('updateOrganization', {
  returns: [OrganizationSettings, 'The changed organization.'],
  description:
    'Changes the settings of the organization in the mode of the API key, and emits organization.updated. Errors: BAD_REQUEST.',
  args: {
    organization: of(UpdateOrganization, 'The changes.'),
    expectedVersion,
  },
  input: updateOrganizationInput,
  command: (session, input) =>
    updateOrganization(session, input, { allowPrivate: session.webhookAllowPrivate }),
});

mutation('rotateDocumentSecret', {
  returns: [OrganizationSettings, 'The organization.'],
  description:
    'Replaces the secret that signs links to invoices and receipts in the mode of the API key. Earlier links become invalid immediately; invoices show new ones.',
  input: rotateDocumentSecretInput,
  command: rotateDocumentSecret,
});
