import { Customer } from '#domain/customers/customer.ts';
import { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import { currentSubscriptionsOf } from '#domain/rules/entitlement/entitlements.ts';
import { paymentMethodsOf } from '#domain/rules/invoicing/payment-method-for.ts';
import { invoicesOf } from '#domain/rules/reads/invoices-of.ts';
import { customerByExternalId } from '#domain/rules/reads/read-customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './engine/builder.ts';
import { reference } from './engine/reference.ts';

const CustomerInvoice = builder.objectRef<Invoice>('CustomerInvoice').implement({
  description: 'An invoice with its lines, in the form of the billing details.',
  fields: (t) => ({
    invoice: t.field({
      type: Invoice,
      description: 'The invoice.',
      resolve: (invoice) => invoice,
    }),
    invoiceLineItems: t.field({
      type: [InvoiceLineItem],
      description: 'The invoice’s lines, in order.',
      resolve: ({ lineItems }) => lineItems.loadItems(),
    }),
  }),
});

const CustomerBilling = builder.objectRef<Customer>('CustomerBilling').implement({
  description: 'The billing details of a customer, for display in an application.',
  fields: (t) => ({
    customer: t.field({
      type: Customer,
      description: 'The customer.',
      resolve: (customer) => customer,
    }),
    subscriptions: t.field({
      type: [Subscription],
      description: 'All subscriptions of the customer, oldest first.',
      resolve: ({ subscriptions }) => subscriptions.loadItems(),
    }),
    currentSubscriptions: t.field({
      type: [Subscription],
      description: 'The subscriptions that currently grant access, newest first.',
      resolve: (customer, _args, session) => currentSubscriptionsOf(session, customer),
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
      description: 'The customer’s payment methods, oldest first.',
      resolve: (customer, _args, session) => paymentMethodsOf(session, customer),
    }),
    invoices: t.field({
      type: [CustomerInvoice],
      description: 'The customer’s invoices, without drafts and void ones.',
      resolve: (customer, _args, session) => invoicesOf(session, customer),
    }),
    pricingModel: t.field(
      reference(PricingModel, 'pricingModelId', 'The pricing model of the customer.'),
    ),
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
