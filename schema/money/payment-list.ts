import { Payment } from '#domain/model/money/payment.ts';
import { readable } from '../engine/readable.ts';
import { byAmount, byEnum, byFlag, byId, byPresence, byText, byTime } from '../engine/where.ts';
import { PaymentFailureKind, PaymentMethodType } from './payment-methods.ts';
import { PaymentStatus } from './payment-status.ts';

readable({
  one: 'payment',
  many: 'payments',
  noun: 'payment',
  entity: Payment,
  where: {
    customer: byId('customerId', 'The customer.'),
    invoice: byId('invoice', 'The invoice.'),
    subscription: byId('subscriptionId', 'The subscription that is billed.'),
    billingPeriod: byId('billingPeriodId', 'The billing period that is billed.'),
    paymentMethod: byId('method', 'The payment method.'),
    paymentMethodType: byEnum(
      PaymentMethodType,
      'paymentMethod',
      'The type of the payment method.',
    ),
    status: byEnum(PaymentStatus, 'status', 'The status.'),
    chargeDate: byTime('chargeDate', 'The time of the charge.'),
    failureKind: byEnum(PaymentFailureKind, 'failureKind', 'The kind of the failure.'),
    disputed: byFlag('disputed', 'In an undecided dispute (true) or not (false).'),
    processorReference: byText('processorReference', 'The payment processor’s reference.'),
    failureCode: byText('failureCode', 'The code of the failure.'),
    amount: byAmount('amount', 'The amount, in minor units.'),
    currency: byText('currency', 'The currency, in upper case.'),
    refunded: byFlag('refunded', 'Refunded in full (true) or not (false).'),
    chargedWith: byId('chargedWithId', 'The payment whose charge includes the payment.'),
    remittance: byId('remittance', 'The receipt.'),
    external: byPresence('remittance', 'Recorded by hand (true) or charged (false).'),
  },
  orders: {
    charge_date: { property: 'chargeDate', kind: 'time', words: 'time of the charge' },
    amount: { property: 'amount', kind: 'integer', inCurrency: true, words: 'amount' },
  },
});
