import { attached } from '#domain/invoicing/billing/payment-method-for.ts';
import { shownToCustomers } from '#domain/invoicing/commands/invoices/shown-to-customers.ts';
import { mailSettingsOf } from '#domain/mail/commands/mails/mail-settings-of.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { isOptional } from '#domain/model/mail/mail-kinds.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { offerTo } from '#domain/money/commands/prepaid-credits/offer-to.ts';
import { embeddedPortalUrlInput } from '#domain/platform/access/portal-link.ts';
import { customerByExternalId } from '#domain/platform/reads/read-customer.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import { currentSubscriptionsOf } from '#domain/subscriptions/entitlement/entitlements.ts';
import {
  allBelow,
  atMostBelow,
  linesBelow,
  listBelow,
  mostBelow,
  upToMost,
} from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { reference } from '../engine/reference.ts';
import { object } from '../engine/types.ts';
import { MailKind } from '../mail/mails.ts';
import { PrepaidOffer } from '../shared/prepaid-offers.ts';
import { Seller } from './sellers.ts';

const CustomerInvoice = object<Invoice>('CustomerInvoice')({
  description: 'An invoice with its lines, in the form of the billing details.',
  fields: (t) => ({
    invoice: t.field({
      type: Invoice,
      description: 'The invoice.',
      resolve: (invoice) => invoice,
    }),
    invoiceLineItems: t.field({
      type: [InvoiceLineItem],
      description: `The first lines of the invoice, in order; ${atMostBelow}. \`lineItemsPage\` of the invoice has them all.`,
      resolve: ({ id }, _args, session) => linesBelow(session, InvoiceLineItem, 'invoice', id),
    }),
  }),
});

const localeArg = {
  type: 'String',
  description:
    'The language of the page, such as `de` or `de-AT`; that of the browser when absent, or when the portal lacks it.',
} as const;

const CustomerBilling = object<Customer>('CustomerBilling')({
  description: 'The billing details of a customer, for display in an application.',
  fields: (t) => ({
    customer: t.field({
      type: Customer,
      description: 'The customer.',
      resolve: (customer) => customer,
    }),
    mayPause: t.boolean({
      description: 'Whether the customer may pause and resume its subscriptions.',
      resolve: async (_customer, _args, session) => (await settingsOf(session)).customersMayPause,
    }),
    prepaidOffer: t.field({
      type: PrepaidOffer,
      nullable: true,
      description:
        'The prepaid credit that the customer may buy now; null where it may buy none in its currency.',
      resolve: (customer, _args, session) => offerTo(session, customer),
    }),
    optionalMails: t.field({
      type: [MailKind],
      description:
        'The kinds of mails that the organization sends and that the customer may switch off.',
      resolve: async (_customer, _args, session) =>
        (await mailSettingsOf(session)).kinds.filter(isOptional),
    }),
    subscriptions: t.field({
      type: [Subscription],
      description: `The subscriptions of the customer, oldest first; at most the newest ${mostBelow}.`,
      resolve: ({ id }, _args, session) => allBelow(session, Subscription, 'customer', id),
    }),
    currentSubscriptions: t.field({
      type: [Subscription],
      description: `The subscriptions that currently grant access, newest first; ${atMostBelow}.`,
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
    paymentMethods: t.field({
      type: [PaymentMethod],
      description: `The customer’s payment methods that are not detached, oldest first; at most the newest ${mostBelow}.`,
      resolve: ({ id }, _args, session) =>
        allBelow(session, PaymentMethod, 'customer', id, attached),
    }),
    purchases: t.field({
      type: [Purchase],
      description: `The customer’s purchases, oldest first; at most the newest ${mostBelow}.`,
      resolve: ({ id }, _args, session) => allBelow(session, Purchase, 'customer', id),
    }),
    invoices: t.field({
      type: [CustomerInvoice],
      description: `The customer’s invoices, without drafts, void and uncollectible ones, oldest first; at most the newest ${mostBelow}.`,
      resolve: ({ id }, _args, session) =>
        allBelow(session, Invoice, 'customer', id, shownToCustomers),
    }),
    invoicesPage: listBelow(t, Invoice, {
      by: 'customer',
      description: 'The invoices of the customer, of every status.',
    }),
    seller: t.field({
      type: Seller,
      description: 'The seller.',
      resolve: (_customer, _args, session) => settingsOf(session),
    }),
    billingPortalUrl: t.string({
      nullable: true,
      description:
        'A page of this service where the customer sees invoices, manages payment methods and changes subscriptions. The link is a credential of the customer, valid for an hour. Null for a key without the scope `customer_tokens_write`, and for a customer token.',
      args: { locale: t.arg(localeArg) },
      resolve: (customer, { locale }, context) => context.portalLink(customer, { locale }),
    }),
    embeddedPortalUrl: t.string({
      nullable: true,
      description:
        'The same page for an `<iframe>` on pages of these origins, without a cookie. Null also where neither `origins` nor the organization names an origin. Errors: BAD_REQUEST.',
      args: {
        locale: t.arg(localeArg),
        origins: t.arg.stringList({
          description:
            'The origins whose pages may frame it, such as `https://app.example.com`; those of the organization when absent.',
        }),
      },
      validate: { schema: embeddedPortalUrlInput },
      resolve: async (customer, { locale, origins }, context) => {
        const named = origins ?? (await settingsOf(context)).allowedOrigins;
        return context.portalLink(customer, { locale, origins: named });
      },
    }),
    pricingModel: reference(PricingModel, 'pricingModelId', 'The pricing model of the customer.'),
  }),
});

builder.queryField('customerBilling', (t) =>
  t.field({
    type: CustomerBilling,
    description: 'The billing details of the customer with your own id. Errors: NOT_FOUND.',
    args: {
      externalId: t.arg.string({ required: true, description: 'Your own id of the customer.' }),
    },
    resolve: (_root, { externalId }, session) => customerByExternalId(session, externalId),
  }),
);
