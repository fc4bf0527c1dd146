import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';

export const purchase = fragment(
  'Purchase',
  /* GraphQL */ `
    fragment Purchase on Purchase {
      id createdAt updatedAt livemode name status customerId organizationId billingCycleAnchor priceId quantity
      priceType trialPeriodDays pricePerBillingCycle intervalUnit intervalCount firstInvoiceValue
      totalPurchaseValue bankPaymentOnly purchaseDate endDate proposal archived billingAddress metadata
      pricingModelId position: place
    }
  `,
);

export const purchases = [
  list('/purchases', 'purchases', purchase),
  get(
    '/purchases/:id',
    /* GraphQL */ `
      query GetPurchase($id: ID!) { purchase(id: $id) { ...Purchase } }
      ${purchase}
    `,
  ),
  post(
    '/purchases',
    /* GraphQL */ `
      mutation CreatePurchase($purchase: CreatePurchaseInput!) {
        body: createPurchase(purchase: $purchase) { purchase { ...Purchase } }
      }
      ${purchase}
    `,
  ),
];
