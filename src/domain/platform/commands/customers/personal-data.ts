import type { EntityClass } from '@mikro-orm/core';
import { emptied } from '#domain/kernel/inputs/own-texts.ts';
import { Reservation } from '#domain/model/capacity/reservation.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { customerTexts } from '#domain/model/platform/customer-texts.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';

/** The fields of a record with personal data, each with the value that replaces it. */
export type Erased = Readonly<Record<string, unknown>>;

/** The values of an erased customer. Its external id and its e-mail address must exist, so they name no person. */
export const erasedCustomer = ({ id }: Pick<Customer, 'id'>) => ({
  name: 'Erased customer',
  email: 'erased@customer.invalid',
  externalId: id,
  ...emptied(customerTexts),
  billingAddress: null,
  taxIds: [],
  mailsOff: [],
  taxExempt: 'none' as const,
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
      storedFacts: null,
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
