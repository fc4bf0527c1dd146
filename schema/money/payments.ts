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
import { flag, id, nullable, of, safeInt, text, time } from '../engine/fields.ts';
import { optionalReference, withId, withOptionalId } from '../engine/reference.ts';
import { shownTo } from '../engine/shown-to.ts';
import { record } from '../engine/types.ts';
import { TaxType } from '../shared/invoice-types.ts';
import { PaymentFailureKind, PaymentMethodType } from './payment-methods.ts';
import { PaymentStatus } from './payment-status.ts';

record(Payment, {
  description: 'One attempt to collect the payment of an invoice.',
  fields: (t) => ({
    invoiceId: id('The invoice.'),
    amount: safeInt('The amount, in minor units of the currency.'),
    paymentMethod: of(
      PaymentMethodType,
      'The type of payment method, or the way in which the money arrived.',
    ),
    currency: text('The currency, an ISO 4217 code in upper case.'),
    status: of(PaymentStatus, 'The status.'),
    chargeDate: time('The time when the payment processor received the request.'),
    settlementDate: nullable.time('The time when the payment succeeded.'),
    description: nullable.text('The description.'),
    receiptNumber: nullable.text('The receipt number; null until the payment succeeds.'),
    receiptURL: t.string({
      nullable: true,
      description:
        'A signed link to the receipt, valid for at least 24 hours; null until the payment succeeds.',
      resolve: async (payment, _args, context) =>
        payment.settlementDate
          ? context.documentLink(await payment.invoice.loadOrFail(), 'receipt')
          : null,
    }),
    ...withId('customer', Customer, 'The customer that pays.'),
    ...withOptionalId('purchase', Purchase, 'The purchase.'),
    ...withOptionalId('subscription', Subscription, 'The subscription that is billed.'),
    paymentMethodId: nullable.id('The payment method that is charged.'),
    ...withOptionalId('billingPeriod', BillingPeriod, 'The billing period that is billed.'),
    taxAmount: safeInt('The invoice’s tax, in minor units.'),
    subtotal: safeInt('The sum of the invoice’s lines, in minor units.'),
    taxType: nullable.of(TaxType, 'The kind of tax.'),
    taxCountry: nullable.text('The country, an ISO 3166-1 code.'),
    taxState: nullable.text('The state, province or region.'),
    taxRatePercentage: nullable.text('The tax rate in percent, a decimal number such as 8.875.'),
    applicationFee: nullable.safeInt('The platform’s fee, in minor units.'),
    chargeAmount: nullable.safeInt(
      'The amount of a charge that pays other invoices, too, in minor units. Null for a payment whose charge has its own amount, and where `chargedWithId` names another one.',
    ),
    chargedWithId: nullable.id(
      'The payment whose charge includes this one: the payment processor knows that payment. Null for a payment with a charge of its own.',
    ),
    chargedWith: optionalReference(
      Payment,
      'chargedWithId',
      'The payment whose charge includes this one.',
    ),
    refunded: flag('Whether the payment is fully refunded.'),
    refundedAmount: safeInt('The refunded amount, in minor units.'),
    refundedAt: nullable.time('The time of the last refund.'),
    isExternal: flag(
      'Whether the payment was recorded by hand, so that no payment processor has it.',
    ),
    creditedAmount: safeInt(
      'The part that went to the customer’s credit balance, in minor units: an over-payment, or the payment of an invoice that was voided.',
    ),
    ...withOptionalId(
      'remittance',
      Remittance,
      'The receipt that the payment is a part of; null for a charge.',
    ),
    failureMessage: nullable.text('The reason of the failure, in the payment processor’s words.'),
    failureCode: nullable.text(
      'The machine-readable reason of the failure, such as `insufficient_funds`.',
    ),
    failureKind: nullable.of(PaymentFailureKind, 'The kind of the failure.'),
    declineCode: nullable.text('The reason of the decline, such as `lost_card`.'),
    adviceCode: nullable.text('The advice about another try, such as `do_not_try_again`.'),
    networkDeclineCode: nullable.text('The code of the card network.'),
    processor: text('The payment processor, such as `sandbox`; `external` for a payment by hand.'),
    processorReference: nullable.text('The payment processor’s reference of the attempt.'),
    chargeReference: nullable.text('The payment processor’s reference of the movement of money.'),
    processorReceiptUrl: nullable.text('The payment processor’s own receipt.'),
    actionUrl: t.string({
      nullable: true,
      description:
        'The page where the customer confirms the payment; null unless the payment waits for it, and for a caller without the scope `payments_write`.',
      resolve: (payment, _args, session) =>
        shownTo(session, 'payments_write', payment.actionPage()),
    }),
    actionExpiresAt: nullable.time(
      'The time when the payment is canceled without the customer’s confirmation.',
    ),
    disputed: flag(
      'Whether a dispute about the payment, or about the charge that includes it, is not decided.',
    ),
    reversedAmount: safeInt(
      'The amount that lost disputes or the reversal of its receipt took away, in minor units.',
    ),
    reversedAt: nullable.time(
      'The time when a dispute about it was lost, or its receipt was reversed.',
    ),
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
