import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Dispute } from '#domain/model/money/dispute.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord } from '../engine/readable.ts';
import { optionalReference, reference } from '../engine/reference.ts';
import { shownTo } from '../engine/shown-to.ts';
import { TaxType } from '../shared/invoice-types.ts';
import { PaymentFailureKind, PaymentMethodType } from './payment-methods.ts';
import { PaymentStatus } from './payment-status.ts';

builder.node(Payment, {
  name: 'Payment',
  description: 'One attempt to collect the payment of an invoice.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('pym'),
  loadOne: loadOne(Payment),
  fields: (t) => ({
    invoiceId: t.exposeID('invoiceId', { description: 'The invoice.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'The amount, in minor units of the currency.',
    }),
    paymentMethod: t.expose('paymentMethod', {
      type: PaymentMethodType,
      description: 'The type of payment method, or the way in which the money arrived.',
    }),
    currency: t.exposeString('currency', {
      description: 'The currency, an ISO 4217 code in upper case.',
    }),
    status: t.expose('status', { type: PaymentStatus, description: 'The status.' }),
    chargeDate: t.expose('chargeDate', {
      type: 'Timestamp',
      description: 'The time when the payment processor received the request.',
    }),
    settlementDate: t.expose('settlementDate', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when the payment succeeded.',
    }),
    description: t.exposeString('description', { nullable: true, description: 'The description.' }),
    receiptNumber: t.exposeString('receiptNumber', {
      nullable: true,
      description: 'The receipt number; null until the payment succeeds.',
    }),
    receiptURL: t.string({
      nullable: true,
      description:
        'A signed link to the receipt, valid for at least 24 hours; null until the payment succeeds.',
      resolve: async (payment, _args, context) =>
        payment.settlementDate
          ? context.documentLink(await payment.invoice.loadOrFail(), 'receipt')
          : null,
    }),
    customerId: t.exposeID('customerId', { description: 'The customer that pays.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer that pays.')),
    purchaseId: t.exposeID('purchaseId', { nullable: true, description: 'The purchase.' }),
    purchase: t.field(optionalReference(Purchase, 'purchaseId', 'The purchase.')),
    subscriptionId: t.exposeID('subscriptionId', {
      nullable: true,
      description: 'The subscription that is billed.',
    }),
    subscription: t.field(
      optionalReference(Subscription, 'subscriptionId', 'The subscription that is billed.'),
    ),
    paymentMethodId: t.exposeID('paymentMethodId', {
      nullable: true,
      description: 'The payment method that is charged.',
    }),
    billingPeriodId: t.exposeID('billingPeriodId', {
      nullable: true,
      description: 'The billing period that is billed.',
    }),
    billingPeriod: t.field(
      optionalReference(BillingPeriod, 'billingPeriodId', 'The billing period that is billed.'),
    ),
    taxAmount: t.expose('taxAmount', {
      type: 'SafeInt',
      description: 'The invoice’s tax, in minor units.',
    }),
    subtotal: t.expose('subtotal', {
      type: 'SafeInt',
      description: 'The sum of the invoice’s lines, in minor units.',
    }),
    taxType: t.expose('taxType', {
      type: TaxType,
      nullable: true,
      description: 'The kind of tax.',
    }),
    taxCountry: t.exposeString('taxCountry', {
      nullable: true,
      description: 'The country, an ISO 3166-1 code.',
    }),
    taxState: t.exposeString('taxState', {
      nullable: true,
      description: 'The state, province or region.',
    }),
    taxRatePercentage: t.exposeString('taxRatePercentage', {
      nullable: true,
      description: 'The tax rate in percent, a decimal number such as 8.875.',
    }),
    applicationFee: t.expose('applicationFee', {
      type: 'SafeInt',
      nullable: true,
      description: 'The platform’s fee, in minor units.',
    }),
    chargeAmount: t.expose('chargeAmount', {
      type: 'SafeInt',
      nullable: true,
      description:
        'The amount of a charge that pays other invoices, too, in minor units. Null for a payment whose charge has its own amount, and where `chargedWithId` names another one.',
    }),
    chargedWithId: t.exposeID('chargedWithId', {
      nullable: true,
      description:
        'The payment whose charge includes this one: the payment processor knows that payment. Null for a payment with a charge of its own.',
    }),
    chargedWith: t.field(
      optionalReference(Payment, 'chargedWithId', 'The payment whose charge includes this one.'),
    ),
    refunded: t.exposeBoolean('refunded', {
      description: 'Whether the payment is fully refunded.',
    }),
    refundedAmount: t.expose('refundedAmount', {
      type: 'SafeInt',
      description: 'The refunded amount, in minor units.',
    }),
    refundedAt: t.expose('refundedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time of the last refund.',
    }),
    isExternal: t.exposeBoolean('isExternal', {
      description: 'Whether the payment was recorded by hand, so that no payment processor has it.',
    }),
    creditedAmount: t.expose('creditedAmount', {
      type: 'SafeInt',
      description:
        'The part that went to the customer’s credit balance, in minor units: an over-payment, or the payment of an invoice that was voided.',
    }),
    remittanceId: t.exposeID('remittanceId', {
      nullable: true,
      description: 'The receipt that the payment is a part of; null for a charge.',
    }),
    remittance: t.field(
      optionalReference(
        Remittance,
        'remittanceId',
        'The receipt that the payment is a part of; null for a charge.',
      ),
    ),
    failureMessage: t.exposeString('failureMessage', {
      nullable: true,
      description: 'The reason of the failure, in the payment processor’s words.',
    }),
    failureCode: t.exposeString('failureCode', {
      nullable: true,
      description: 'The machine-readable reason of the failure, such as `insufficient_funds`.',
    }),
    failureKind: t.expose('failureKind', {
      type: PaymentFailureKind,
      nullable: true,
      description: 'The kind of the failure.',
    }),
    declineCode: t.exposeString('declineCode', {
      nullable: true,
      description: 'The reason of the decline, such as `lost_card`.',
    }),
    adviceCode: t.exposeString('adviceCode', {
      nullable: true,
      description: 'The advice about another try, such as `do_not_try_again`.',
    }),
    networkDeclineCode: t.exposeString('networkDeclineCode', {
      nullable: true,
      description: 'The code of the card network.',
    }),
    processor: t.exposeString('processor', {
      description: 'The payment processor, such as `sandbox`; `external` for a payment by hand.',
    }),
    processorReference: t.exposeString('processorReference', {
      nullable: true,
      description: 'The payment processor’s reference of the attempt.',
    }),
    chargeReference: t.exposeString('chargeReference', {
      nullable: true,
      description: 'The payment processor’s reference of the movement of money.',
    }),
    processorReceiptUrl: t.exposeString('processorReceiptUrl', {
      nullable: true,
      description: 'The payment processor’s own receipt.',
    }),
    actionUrl: t.string({
      nullable: true,
      description:
        'The page where the customer confirms the payment; null unless the payment waits for it, and for a caller without the scope `payments_write`.',
      resolve: (payment, _args, session) =>
        shownTo(session, 'payments_write', payment.actionPage()),
    }),
    actionExpiresAt: t.expose('actionExpiresAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when the payment is canceled without the customer’s confirmation.',
    }),
    disputed: t.exposeBoolean('disputed', {
      description:
        'Whether a dispute about the payment, or about the charge that includes it, is not decided.',
    }),
    reversedAmount: t.expose('reversedAmount', {
      type: 'SafeInt',
      description:
        'The amount that lost disputes or the reversal of its receipt took away, in minor units.',
    }),
    reversedAt: t.expose('reversedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when a dispute about it was lost, or its receipt was reversed.',
    }),
    disputesPage: listBelow(t, Dispute, { by: 'payment', description: 'The disputes.' }),
    invoice: t.field({
      type: Invoice,
      description: 'The invoice.',
      resolve: ({ invoice }) => invoice.loadOrFail(),
    }),
    method: t.field({
      type: PaymentMethod,
      nullable: true,
      description: 'The payment method that is charged.',
      resolve: async ({ method }) => (await method?.loadOrFail()) ?? null,
    }),
    refundsPage: listBelow(t, Refund, { by: 'payment', description: 'The refunds.' }),
  }),
});
