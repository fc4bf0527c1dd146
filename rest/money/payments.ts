import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post } from '../engine/route.ts';

export const payment = fragment(/* GraphQL */ `
  fragment Payment on Payment {
    id createdAt updatedAt livemode invoiceId amount paymentMethod currency status chargeDate
    settlementDate description receiptNumber receiptURL organizationId customerId purchaseId
    subscriptionId paymentMethodId billingPeriodId taxAmount subtotal taxType taxCountry taxState
    taxRatePercentage applicationFee refunded refundedAmount refundedAt failureMessage failureCode
    pricingModelId chargeAmount @extra chargedWithId @extra
  }
`);

export const payments = [
  list('/payments', 'payments', payment),
  one('/payments/:id', { payment }),
  post(
    '/payments/:id/refund',
    mutation('refundPayment', '$id: ID!, $partialAmount: SafeInt', { payment }),
  ),
];
