import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';

const checkoutSession = fragment(/* GraphQL */ `
  fragment CheckoutSession on CheckoutSession {
    id createdAt updatedAt livemode pricingModelId status billingAddress priceId purchaseId invoiceId quantity
    organizationId customerName customerEmail customerId paymentMethodType discountId successUrl cancelUrl type
    preserveBillingCycleAnchor outputMetadata outputName targetSubscriptionId
    automaticallyUpdateSubscriptions expires allowDiscountCodes @extra
  }
`);

export const checkoutSessions = [
  list('/checkout-sessions', 'checkoutSessions', checkoutSession),
  get(
    '/checkout-sessions/:id',
    /* GraphQL */ `
      query GetCheckoutSession($id: ID!) {
        checkoutSession(id: $id) { ...CheckoutSession url }
      }
      ${checkoutSession}
    `,
    { nextTo: { checkoutSession: ['url'] } },
  ),
  post(
    '/checkout-sessions',
    /* GraphQL */ `
      mutation CreateCheckoutSession($checkoutSession: CreateCheckoutSessionInput!) {
        body: createCheckoutSession(checkoutSession: $checkoutSession) {
          checkoutSession { ...CheckoutSession }
          url
        }
      }
      ${checkoutSession}
    `,
  ),
];
