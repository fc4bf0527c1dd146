import { price } from '../catalog/prices.ts';
import { pricingModelDetails } from '../catalog/pricing-models.ts';
import { fragment } from '../engine/fragment.ts';
import { mutation } from '../engine/operations.ts';
import { get, list, post, put } from '../engine/route.ts';
import { invoiceLineItem } from '../invoicing/invoice-line-items.ts';
import { invoice } from '../invoicing/invoices.ts';
import { usageMeterBalance } from '../metering/usage-balances.ts';
import { paymentMethod } from '../money/payment-methods.ts';
import { purchase } from '../money/purchases.ts';
import { subscriptionItemFeature } from '../subscriptions/subscription-item-features.ts';
import { subscriptionItem } from '../subscriptions/subscription-items.ts';
import { subscription } from '../subscriptions/subscriptions.ts';

const customer = fragment(/* GraphQL */ `
  fragment Customer on Customer {
    id createdAt updatedAt livemode organizationId email name invoiceNumberBase archived logoURL iconURL
    domain externalId userId pricingModelId testClockId @extra metadata @extra
    billingAddress {
      name firstName lastName email phone
      address { name line1 line2 city state postal_code country }
    }
    taxIds @extra { type value }
  }
`);

/** A subscription with its priced items, features and usage balances. */
const subscriptionDetails = fragment(
  /* GraphQL */ `
    fragment SubscriptionDetails on Subscription {
      ...Subscription
      subscriptionItems: pricedItems { ...SubscriptionItem price { ...Price } }
      experimental: grants {
        featureItems { ...SubscriptionItemFeature }
        usageMeterBalances { ...UsageMeterBalance }
      }
    }
  `,
  [subscription, subscriptionItem, price, subscriptionItemFeature, usageMeterBalance],
);

export const customers = [
  list('/customers', 'customers', customer),
  get(
    '/customers/:externalId',
    /* GraphQL */ `
      query GetCustomer($externalId: String!) {
        customer: customerByExternalId(externalId: $externalId) { ...Customer }
      }
      ${customer}
    `,
    { versioned: 'customer' },
  ),
  get(
    '/customers/:externalId/billing',
    /* GraphQL */ `
      query GetCustomerBilling($externalId: String!) {
        body: customerBilling(externalId: $externalId) {
          customer { ...Customer }
          subscriptions { ...SubscriptionDetails }
          currentSubscriptions { ...SubscriptionDetails }
          currentSubscription { ...SubscriptionDetails }
          invoices { invoice { ...Invoice } invoiceLineItems { ...InvoiceLineItem } }
          paymentMethods { ...PaymentMethod }
          billingPortalUrl
          purchases { ...Purchase }
          pricingModel { ...PricingModelDetails }
          catalog: pricingModel { ...PricingModelDetails }
        }
      }
      ${customer} ${subscriptionDetails} ${invoice} ${invoiceLineItem} ${paymentMethod} ${purchase}
      ${pricingModelDetails}
    `,
    { omitNull: ['currentSubscription'] },
  ),
  post(
    '/customers',
    /* GraphQL */ `
      mutation CreateCustomer($customer: CreateCustomerInput!) {
        data: createCustomer(customer: $customer) {
          customer { ...Customer }
          subscription { ...Subscription }
          subscriptionItems { ...SubscriptionItem }
        }
      }
      ${customer} ${subscription} ${subscriptionItem}
    `,
    { versioned: 'data.customer' },
  ),
  put(
    '/customers/:externalId',
    mutation('updateCustomer', '$externalId: String!, $customer: UpdateCustomerInput!', {
      customer,
    }),
    { versioned: 'body.customer' },
  ),
  post(
    '/customers/:id/erase',
    /* GraphQL */ `
      mutation EraseCustomer($id: ID!) {
        body: eraseCustomer(id: $id) {
          customer { ...Customer erasedAt }
          erased { kind count }
          kept { kind count reason }
        }
      }
      ${customer}
    `,
  ),
  post(
    '/customers/:externalId/archive',
    mutation('archiveCustomer', '$externalId: String!', { customer }),
    { versioned: 'body.customer' },
  ),
];
