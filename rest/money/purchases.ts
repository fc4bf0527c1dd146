import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post } from '../engine/route.ts';

export const purchase = fragment(/* GraphQL */ `
  fragment Purchase on Purchase {
    id createdAt updatedAt livemode name status customerId organizationId billingCycleAnchor priceId quantity
    priceType trialPeriodDays pricePerBillingCycle intervalUnit intervalCount firstInvoiceValue
    totalPurchaseValue bankPaymentOnly purchaseDate endDate proposal archived billingAddress metadata
    pricingModelId position: place
  }
`);

export const purchases = [
  list('/purchases', 'purchases', purchase),
  one('/purchases/:id', { purchase }),
  post('/purchases', mutation('createPurchase', '$purchase: CreatePurchaseInput!', { purchase })),
];
