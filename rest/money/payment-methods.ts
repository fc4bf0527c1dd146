import { fragment } from '../engine/fragment.ts';
import { get, list, post } from '../engine/route.ts';

export const paymentMethod = fragment(
  'PaymentMethod',
  /* GraphQL */ `
    fragment PaymentMethod on PaymentMethod {
      id createdAt updatedAt livemode customerId pricingModelId type default paymentMethodData metadata
      billingDetails {
        name
        email
        address {
          name line1 line2 city state postal_code country
          address { name line1 line2 city state postal_code country }
        }
      }
    }
  `,
);

/** The older rendering has texts for all lines of an address. */
const addressTexts = ['name', 'line1', 'line2', 'city', 'state', 'postal_code', 'country'];

export const paymentMethods = [
  list('/payment-methods', 'paymentMethods', paymentMethod, {
    legacy: { omit: ['pricingModelId'], emptyText: addressTexts },
  }),
  get(
    '/payment-methods/:id',
    /* GraphQL */ `
      query GetPaymentMethod($id: ID!) { paymentMethod(id: $id) { ...PaymentMethod } }
      ${paymentMethod}
    `,
    { versioned: 'paymentMethod' },
  ),
  post(
    '/payment-methods',
    /* GraphQL */ `
      mutation CreatePaymentMethod($paymentMethod: CreatePaymentMethodInput!) {
        body: createPaymentMethod(paymentMethod: $paymentMethod) { paymentMethod { ...PaymentMethod } }
      }
      ${paymentMethod}
    `,
    { versioned: 'body.paymentMethod' },
  ),
  post(
    '/payment-methods/:id/set-default',
    /* GraphQL */ `
      mutation SetDefaultPaymentMethod($id: ID!) {
        body: setDefaultPaymentMethod(id: $id) { paymentMethod { ...PaymentMethod } }
      }
      ${paymentMethod}
    `,
    { versioned: 'body.paymentMethod' },
  ),
  post(
    '/payment-methods/:id/detach',
    /* GraphQL */ `
      mutation DetachPaymentMethod($id: ID!) {
        body: detachPaymentMethod(id: $id) { paymentMethod { ...PaymentMethod } }
      }
      ${paymentMethod}
    `,
    { versioned: 'body.paymentMethod' },
  ),
];
