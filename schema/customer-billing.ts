import { Customer } from '#domain/customers/customer.ts';
import { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import { currentSubscriptionsOf } from '#domain/rules/entitlement/entitlements.ts';
import { invoicesOf } from '#domain/rules/invoicing/amount-paid.ts';
import { paymentMethodsOf } from '#domain/rules/invoicing/payment-method-for.ts';
import { customerByExternalId } from '#domain/rules/locks/read-customer.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './engine/builder.ts';

const CustomerInvoice = builder.objectRef<Invoice>('CustomerInvoice').implement({
  description: 'An invoice beside its lines, as the documented billing details show them.',
  fields: (t) => ({
    invoice: t.field({
      type: Invoice,
      description: 'The invoice.',
      resolve: (invoice) => invoice,
    }),
    invoiceLineItems: t.field({
      type: [InvoiceLineItem],
      description: 'Its lines, in their order.',
      resolve: ({ lineItems }) => lineItems.loadItems(),
    }),
  }),
});

const CustomerBilling = builder.objectRef<Customer>('CustomerBilling').implement({
  description: 'All that an application shows a customer of its billing.',
  fields: (t) => ({
    customer: t.field({
      type: Customer,
      description: 'The customer.',
      resolve: (customer) => customer,
    }),
    subscriptions: t.field({
      type: [Subscription],
      description: 'All that the customer has ever subscribed to, oldest first.',
      resolve: ({ subscriptions }) => subscriptions.loadItems(),
    }),
    currentSubscriptions: t.field({
      type: [Subscription],
      description: 'By what the customer has something now, the newest first.',
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
      description: 'What the customer can pay with, oldest first.',
      resolve: (customer, _args, session) => paymentMethodsOf(session, customer),
    }),
    invoices: t.field({
      type: [CustomerInvoice],
      description:
        'What the customer is or was asked to pay; without drafts and what was taken back.',
      resolve: (customer, _args, session) => invoicesOf(session, customer),
    }),
    pricingModel: t.field({
      type: PricingModel,
      description: 'What the customer can subscribe to.',
      resolve: ({ pricingModelId }, _args, { em }) =>
        em.findOneOrFail(PricingModel, pricingModelId),
    }),
  }),
});

builder.queryField('customerBilling', (t) =>
  t.field({
    type: CustomerBilling,
    description:
      'All that an application shows the customer with this id of your own. Errors: NOT_FOUND.',
    args: { externalId: t.arg.string({ required: true, description: 'The id of your own.' }) },
    resolve: (_root, { externalId }, session) => customerByExternalId(session, externalId),
  }),
);
