import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { list, one, post } from '../engine/route.ts';

export const paymentMethod = fragment(/* GraphQL */ `
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
`);

/** The older rendering has texts for all lines of an address. */
const addressTexts = ['name', 'line1', 'line2', 'city', 'state', 'postal_code', 'country'];

export const paymentMethods = [
  list('/payment-methods', 'paymentMethods', paymentMethod, {
    legacy: { omit: ['pricingModelId'], emptyText: addressTexts },
  }),
  one('/payment-methods/:id', { paymentMethod }, { versioned: 'paymentMethod' }),
  post(
    '/payment-methods',
    mutation('createPaymentMethod', '$paymentMethod: CreatePaymentMethodInput!', { paymentMethod }),
    { versioned: 'body.paymentMethod' },
  ),
  post(
    '/payment-methods/:id/set-default',
    mutation('setDefaultPaymentMethod', '$id: ID!', { paymentMethod }),
    { versioned: 'body.paymentMethod' },
  ),
  post(
    '/payment-methods/:id/detach',
    mutation('detachPaymentMethod', '$id: ID!', { paymentMethod }),
    { versioned: 'body.paymentMethod' },
  ),
];
