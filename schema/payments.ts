import { Invoice } from '#domain/invoices/invoice.ts';
import { oldestFirst } from '#domain/kernel/columns.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { Payment, paymentStatuses } from '#domain/payments/payment.ts';
import { Refund, refundStatuses } from '#domain/payments/refund.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { TaxType } from './invoices.ts';
import { PaymentMethodType } from './payment-methods.ts';

const PaymentStatus = builder.enumType('PaymentStatus', {
  description:
    'Where a payment stands; failed, canceled and refunded are its last word, and after succeeded only refunded comes.',
  values: paymentStatuses,
});

builder.node(Payment, {
  name: 'Payment',
  description: 'One try to get the money for an invoice.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`pym_…`' },
  loadOne: (id, { em }) => em.findOne(Payment, id),
  fields: (t) => ({
    invoiceId: t.exposeID('invoiceId', { description: 'What is paid.' }),
    amount: t.expose('amount', { type: 'SafeInt', description: 'Minor units of the currency.' }),
    paymentMethod: t.expose('paymentMethod', {
      type: PaymentMethodType,
      description: 'How it is paid.',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217, upper case.' }),
    status: t.expose('status', { type: PaymentStatus, description: 'Where it stands.' }),
    chargeDate: t.expose('chargeDate', {
      type: 'Timestamp',
      description: 'When the processor was asked for it.',
    }),
    settlementDate: t.expose('settlementDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it succeeded.',
    }),
    description: t.exposeString('description', { nullable: true, description: 'For people.' }),
    receiptNumber: t.exposeString('receiptNumber', {
      nullable: true,
      description: 'The number of the receipt; null until it has succeeded.',
    }),
    receiptURL: t.string({
      nullable: true,
      description: 'A signed link to the receipt, good for a day; null until it has succeeded.',
      resolve: async (payment, _args, context) =>
        payment.settlementDate
          ? context.documentLink(await payment.invoice.loadOrFail(), 'receipt')
          : null,
    }),
    customerId: t.exposeID('customerId', { description: 'Who pays.' }),
    purchaseId: t.exposeID('purchaseId', { nullable: true, description: 'The purchase.' }),
    subscriptionId: t.exposeID('subscriptionId', {
      nullable: true,
      description: 'The subscription that is paid for.',
    }),
    paymentMethodId: t.exposeID('paymentMethodId', {
      nullable: true,
      description: 'What it is paid with.',
    }),
    billingPeriodId: t.exposeID('billingPeriodId', {
      nullable: true,
      description: 'The billing period that is paid for.',
    }),
    taxAmount: t.expose('taxAmount', { type: 'SafeInt', description: 'The tax of the invoice.' }),
    subtotal: t.expose('subtotal', { type: 'SafeInt', description: 'The lines of the invoice.' }),
    taxType: t.expose('taxType', { type: TaxType, nullable: true, description: 'Which tax.' }),
    taxCountry: t.exposeString('taxCountry', { nullable: true, description: 'ISO 3166-1.' }),
    taxState: t.exposeString('taxState', { nullable: true, description: 'Where in the country.' }),
    taxRatePercentage: t.exposeString('taxRatePercentage', {
      nullable: true,
      description: 'A decimal number, such as 8.875.',
    }),
    applicationFee: t.expose('applicationFee', {
      type: 'SafeInt',
      nullable: true,
      description: 'What the platform keeps, in minor units.',
    }),
    refunded: t.exposeBoolean('refunded', { description: 'Whether all of it has gone back.' }),
    refundedAmount: t.expose('refundedAmount', {
      type: 'SafeInt',
      description: 'What of it has gone back, in minor units.',
    }),
    refundedAt: t.expose('refundedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When money went back last.',
    }),
    failureMessage: t.exposeString('failureMessage', {
      nullable: true,
      description: 'Why it failed, in the words of the processor.',
    }),
    failureCode: t.exposeString('failureCode', {
      nullable: true,
      description: 'Why it failed, for programs, such as insufficient_funds.',
    }),
    invoice: t.field({
      type: Invoice,
      description: 'What is paid.',
      resolve: ({ invoice }) => invoice.loadOrFail(),
    }),
    method: t.field({
      type: PaymentMethod,
      nullable: true,
      description: 'What it is paid with.',
      resolve: async ({ method }) => (await method?.loadOrFail()) ?? null,
    }),
    refunds: t.field({
      type: [Refund],
      description: 'The money that has gone back or is to go back, oldest first.',
      resolve: ({ id }, _args, { em }) =>
        em.find(Refund, { payment: id }, { orderBy: oldestFirst }),
    }),
  }),
});

const PaymentFilter = builder.inputType('PaymentFilter', {
  description: 'Which payments to list.',
  fields: (t) => ({
    customerId: t.id({ description: 'Of the customer with this id.' }),
    invoice: t.id({ description: 'Of the invoice with this id.' }),
    subscriptionId: t.id({ description: 'For the subscription with this id.' }),
    status: t.field({ type: PaymentStatus, description: 'Standing there.' }),
  }),
});

readable({
  one: 'payment',
  many: 'payments',
  noun: 'payment',
  entity: Payment,
  filter: PaymentFilter,
});

const RefundStatus = builder.enumType('RefundStatus', {
  description: 'Whether money is to go back (pending), has gone back, or could not.',
  values: refundStatuses,
});

builder.node(Refund, {
  name: 'Refund',
  description: 'Money of a payment that goes back to the customer.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`refund_…`' },
  loadOne: (id, { em }) => em.findOne(Refund, id),
  fields: (t) => ({
    paymentId: t.exposeID('paymentId', { description: 'The payment that it is taken back from.' }),
    customerId: t.exposeID('customerId', { description: 'Who gets it.' }),
    amount: t.expose('amount', { type: 'SafeInt', description: 'Minor units of the currency.' }),
    status: t.expose('status', { type: RefundStatus, description: 'Where it stands.' }),
    failureMessage: t.exposeString('failureMessage', {
      nullable: true,
      description: 'Why it could not go back.',
    }),
  }),
});

const RefundFilter = builder.inputType('RefundFilter', {
  description: 'Which refunds to list.',
  fields: (t) => ({
    payment: t.id({ description: 'Of the payment with this id.' }),
    customerId: t.id({ description: 'To the customer with this id.' }),
    status: t.field({ type: RefundStatus, description: 'Standing there.' }),
  }),
});

readable({ one: 'refund', many: 'refunds', noun: 'refund', entity: Refund, filter: RefundFilter });
