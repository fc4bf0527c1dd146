import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { customerTexts } from '#domain/model/platform/customer-texts.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import {
  currentSubscriptionsOf,
  entitlementsOf,
  hasFeature,
} from '#domain/subscriptions/entitlement/entitlements.ts';
import { TaxId } from '../catalog/tax-ids.ts';
import { TaxSettings } from '../catalog/tax-settings.ts';
import { TaxExemption } from '../catalog/taxes.ts';
import { atMostBelow, listBelow, upToMost } from '../engine/below.ts';
import { hiddenFromTokens } from '../engine/extensions.ts';
import { flag, nullable, of, safeInt, text } from '../engine/fields.ts';
import { textFields } from '../engine/own-texts.ts';
import { OrganizationRecord, PricingModelRecord } from '../engine/record-interfaces.ts';
import { record } from '../engine/types.ts';
import { collectionFields } from '../shared/collection-method.ts';
import { CustomerAddress } from './customer-addresses.ts';

record(Customer, {
  description: 'A customer, who subscribes and pays.',
  interfaces: [OrganizationRecord, PricingModelRecord, TaxSettings],
  fields: (t) => ({
    email: text('The email address.'),
    name: text('The display name.'),
    invoiceNumberBase: text('The prefix of the customer’s invoice numbers.'),
    archived: flag('Whether the customer is archived; `unarchiveCustomer` restores it.'),
    erasedAt: nullable.time('When its personal data was erased; null while it is there.'),
    ...textFields(customerTexts),
    externalId: text('Your own id of the customer, unique among customers that are not archived.'),
    billingAddress: nullable.of(CustomerAddress, 'The billing address, which new invoices show.'),
    taxIds: of([TaxId], 'The numbers at tax authorities, which new invoices show; at most 5.'),
    taxExempt: of(TaxExemption, 'Whether the customer pays tax.'),
    consolidatesInvoices: nullable.flag(
      'Whether invoices for several subscriptions at the same instant are one document; null for the default of the organization.',
    ),
    metadata: nullable.json('Key-value pairs; values are text, numbers or booleans.'),
    currency: nullable.text(
      'The currency of the invoices, the credit balance and the amount owed, an ISO 4217 code; null before the first invoice, which fixes it.',
    ),
    ...collectionFields('new subscriptions and manual invoices of the customer', 'for 30 days'),
    creditBalance: safeInt(
      'The credit balance, in minor units; invoices consume it before a payment method is charged.',
    ),
    prepaidBalance: safeInt(
      'The rest of the prepaid credits, in minor units; invoices consume it before the credit balance.',
    ),
    amountOwed: safeInt('The amount due of the payable invoices, in minor units.'),
    testClockId: nullable.id('The customer’s test clock; null for real time.', hiddenFromTokens),
    testClock: t.field({
      type: TestClock,
      nullable: true,
      extensions: hiddenFromTokens,
      description: 'The customer’s test clock; null for real time.',
      resolve: async ({ testClock }) => (await testClock?.loadOrFail()) ?? null,
    }),
    subscriptionsPage: listBelow(t, Subscription, {
      by: 'customer',
      description: 'The subscriptions of the customer.',
    }),
    currentSubscriptions: t.field({
      type: [Subscription],
      description: `The subscriptions that currently grant access, newest first; ${atMostBelow}. \`subscriptionsPage\` has them all.`,
      resolve: async (customer, _args, session) =>
        upToMost(await currentSubscriptionsOf(session, customer)),
    }),
    currentSubscription: t.field({
      type: Subscription,
      nullable: true,
      description: 'The newest of the current subscriptions.',
      resolve: async (customer, _args, session) =>
        (await currentSubscriptionsOf(session, customer))[0] ?? null,
    }),
    paymentMethodsPage: listBelow(t, PaymentMethod, {
      by: 'customer',
      description: 'The payment methods of the customer, also detached ones.',
    }),
    invoicesPage: listBelow(t, Invoice, {
      by: 'customer',
      description: 'The invoices of the customer, of every status.',
    }),
    payments: listBelow(t, Payment, {
      by: 'customerId',
      description: 'The payments of the customer.',
    }),
    purchases: listBelow(t, Purchase, {
      by: 'customer',
      description: 'The purchases of the customer.',
    }),
    remittances: listBelow(t, Remittance, {
      by: 'customer',
      description: 'The payments by hand of the customer, with the expected ones.',
    }),
    refunds: listBelow(t, Refund, {
      by: 'customerId',
      description: 'The refunds to the customer.',
    }),
    consolidatedInvoices: listBelow(t, ConsolidatedInvoice, {
      by: 'customer',
      description: 'The consolidated invoices of the customer.',
    }),
    creditNotes: listBelow(t, CreditNote, {
      by: 'customer',
      description: 'The credit notes for the invoices of the customer.',
    }),
    prepaidCredits: listBelow(t, PrepaidCredit, {
      by: 'customer',
      description: 'The prepaid credits of the customer.',
    }),
    usageCredits: listBelow(t, UsageCredit, {
      by: 'customerId',
      description: 'The usage credits of the customer.',
    }),
    hasFeature: t.boolean({
      description:
        'Whether a feature with this slug, of any type, is granted now: whether `featureItems` has one.',
      args: { slug: t.arg.string({ required: true, description: 'The slug of the feature.' }) },
      resolve: (customer, { slug }, session) => hasFeature(session, customer, slug),
    }),
    featureItems: t.field({
      type: [SubscriptionItemFeature],
      description: `The features granted now, by the customer’s clock, oldest grant first; ${atMostBelow}. \`hasFeature\` considers all of them.`,
      resolve: async (customer, _args, session) =>
        upToMost(await entitlementsOf(session, customer)),
    }),
  }),
});
