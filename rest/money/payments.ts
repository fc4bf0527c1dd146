import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';

export const payment = fragment(
  'Payment',
  /* GraphQL */ `
    fragment Payment on Payment {
      id createdAt updatedAt livemode invoiceId amount paymentMethod currency status chargeDate
      settlementDate description receiptNumber receiptURL organizationId customerId purchaseId
      subscriptionId paymentMethodId billingPeriodId taxAmount subtotal taxType taxCountry taxState
      taxRatePercentage applicationFee refunded refundedAmount refundedAt failureMessage failureCode
      pricingModelId chargeAmount @extra chargedWithId @extra
    }
  `,
);

export const payments = [
  list('/payments', 'payments', payment),
  get(
    '/payments/:id',
    /* GraphQL */ `
      query GetPayment($id: ID!) { payment(id: $id) { ...Payment } }
      ${payment}
    `,
  ),
  post(
    '/payments/:id/refund',
    /* GraphQL */ `
      mutation RefundPayment($id: ID!, $partialAmount: SafeInt) {
        body: refundPayment(id: $id, partialAmount: $partialAmount) { payment { ...Payment } }
      }
      ${payment}
    `,
  ),
];
