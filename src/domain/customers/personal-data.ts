import type { EntityClass } from '@mikro-orm/core';
import { Alert } from '#domain/alerts/alert.ts';
import { CheckoutSession } from '#domain/checkout-sessions/checkout-session.ts';
import { OneOffCharge } from '#domain/one-off-charges/one-off-charge.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { PaymentMethodSetup } from '#domain/payment-methods/payment-method-setup.ts';
import { Payment } from '#domain/payments/payment.ts';
import { PrepaidCredit } from '#domain/prepaid-credits/prepaid-credit.ts';
import { PrepaidTopUp } from '#domain/prepaid-top-ups/prepaid-top-up.ts';
import { Purchase } from '#domain/purchases/purchase.ts';
import { Remittance } from '#domain/remittances/remittance.ts';
import { Reservation } from '#domain/reservations/reservation.ts';
import { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { UsageCredit } from '#domain/usage-credits/usage-credit.ts';
import type { Customer } from './customer.ts';

/** The fields of a record with personal data, each with the value that replaces it. */
export type Erased = Readonly<Record<string, unknown>>;

/** The values of an erased customer. Its external id and its e-mail address must exist, so they name no person. */
export const erasedCustomer = ({ id }: Pick<Customer, 'id'>) => ({
  name: 'Erased customer',
  email: 'erased@customer.invalid',
  externalId: id,
  logoURL: null,
  iconURL: null,
  domain: null,
  userId: null,
  billingAddress: null,
  taxIds: [],
  language: null,
  mailsOff: [],
  taxExempt: 'none' as const,
  buyerReference: null,
  metadata: null,
});

const erasedUrl = 'https://erased.invalid/';

/** The records of a customer with personal data that no law keeps, and the property of their customer. */
export const personalRecords: readonly (readonly [EntityClass<object>, string, Erased])[] = [
  [
    PaymentMethod,
    'customer',
    {
      billingDetails: { name: null, email: null, address: {} },
      paymentMethodData: {},
      expiresOn: null,
      metadata: null,
    },
  ],
  [PaymentMethodSetup, 'customer', { returnUrl: erasedUrl, cancelUrl: erasedUrl, url: null }],
  [
    CheckoutSession,
    'customer',
    {
      customerName: null,
      customerEmail: null,
      billingAddress: null,
      outputMetadata: null,
      outputName: null,
      successUrl: null,
      cancelUrl: null,
      problem: null,
    },
  ],
  [Purchase, 'customer', { name: 'Erased purchase', billingAddress: null, metadata: null }],
  [Subscription, 'customer', { name: null, metadata: null }],
  [SubscriptionItem, 'customerId', { externalId: null, metadata: null }],
  [ResourceClaim, 'customerId', { externalId: null, metadata: null }],
  [Reservation, 'customerId', { externalIds: null, metadata: null }],
  [Alert, 'customer', { name: null }],
  [UsageCredit, 'customerId', { reason: null }],
  // Those that are billed are lines of invoices, which stay.
  [OneOffCharge, 'customerId', { name: 'Erased charge', description: null }],
  [PrepaidCredit, 'customer', { reason: null }],
  [PrepaidTopUp, 'customer', { problem: null }],
  [Remittance, 'customer', { note: null, reason: null }],
  [Payment, 'customerId', { actionUrl: null }],
];

/**
 * Texts of documents that callers write, such as the name of a one-off charge on its line. Laws keep them with the
 * documents, and not in the events about them.
 */
export const documentTexts: Readonly<Record<string, Erased>> = {
  Invoice: { memo: null },
  InvoiceLineItem: { description: null },
  CreditNote: { description: null },
};
