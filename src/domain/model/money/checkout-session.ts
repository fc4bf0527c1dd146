import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import type { Metadata } from '#domain/kernel/inputs/metadata.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { EnteredTaxFacts } from '#domain/model/platform/parties.ts';
import { paymentMethodTypes } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { CheckoutAddress } from './checkout-address.ts';
import { PaymentMethodSetup } from './payment-method-setup.ts';
import { Purchase } from './purchase.ts';

export const checkoutTypes = [
  'product',
  'purchase',
  'add_payment_method',
  'activate_subscription',
] as const;

export const checkoutStatuses = ['open', 'pending', 'succeeded', 'failed', 'expired'] as const;

const CheckoutSessionSchema = defineEntity({
  name: 'CheckoutSession',
  uniques: [
    // One session is paid once: it has one purchase, a purchase one invoice, an invoice one pending payment.
    { name: 'checkout_session_purchase_unique', properties: ['purchase'] },
    { name: 'checkout_session_setup_unique', properties: ['setup'] },
  ],
  indexes: [
    pageIndex('checkout_session'),
    {
      name: 'checkout_session_customer',
      properties: ['customer', 'createdAt', 'position', 'id'],
    },
    {
      name: 'checkout_session_status',
      properties: ['pricingModelId', 'status', 'createdAt', 'position', 'id'],
    },
    { name: 'checkout_session_open', properties: ['expires'], where: { status: 'open' } },
    { name: 'checkout_session_pending', properties: ['updatedAt'], where: { status: 'pending' } },
    {
      name: 'checkout_session_abandoned',
      properties: ['createdAt'],
      where: { status: { $in: ['failed', 'expired'] } },
    },
  ],
  checks: checksOf({
    checkout_session_variant: `quantity > 0 and case type
        when 'add_payment_method' then customer_id is not null
        when 'activate_subscription' then customer_id is not null and target_subscription_id is not null
        else price_id is not null and target_subscription_id is null end`,
    checkout_session_customer_known: `customer_id is not null or status in ('open', 'failed', 'expired')`,
  }),
  properties: {
    ...tenantColumns('chckt_session'),
    type: p.enum(checkoutTypes),
    status: p.enum(checkoutStatuses).default('open'),
    customer: () => p.manyToOne(Customer).ref().nullable().deleteRule('cascade'),
    customerName: p.string().nullable(),
    customerEmail: p.string().nullable(),
    billingAddress: p.json<CheckoutAddress>().nullable(),
    price: () => p.manyToOne(Price).ref().nullable().deleteRule('restrict').index(),
    quantity: p.integer().default(1),
    purchase: () => p.manyToOne(Purchase).ref().nullable().deleteRule('cascade'),
    paymentMethodType: p.enum(paymentMethodTypes).nullable(),
    discountId: p.string().nullable(),
    /** Whether the customer may enter, replace and remove the code of a discount on the page. */
    allowDiscountCodes: p.boolean().default(true),
    successUrl: p.text().nullable(),
    cancelUrl: p.text().nullable(),
    /** Whether the subscription keeps the billing cycle of the free plan that it replaces. */
    preserveBillingCycleAnchor: p.boolean().default(false),
    /** The metadata of the subscription or purchase that it leads to. */
    outputMetadata: p.json<Metadata>().nullable(),
    /** The name of the subscription or purchase that it leads to. */
    outputName: p.string().nullable(),
    targetSubscription: () =>
      p.manyToOne(Subscription).ref().nullable().deleteRule('cascade').index(),
    automaticallyUpdateSubscriptions: p.boolean().nullable(),
    /** When it can no longer be completed. */
    expires: instant(),
    /** The subscription that is being bought. */
    subscription: () =>
      p.manyToOne(Subscription).ref().nullable().deleteRule('set null').index().hidden(),
    /** The page of the processor that the customer was sent to. */
    setup: () => p.manyToOne(PaymentMethodSetup).ref().nullable().deleteRule('set null').hidden(),
    /** The payment method that the customer pays with. */
    paymentMethodId: p.string().nullable().hidden(),
    /** The facts about taxes that the page has stored with a customer who was known before; it may replace these. */
    storedFacts: p.json<EnteredTaxFacts>().nullable().hidden(),
    /** Why the last attempt has failed; the page shows it. */
    problem: p.text().nullable().hidden(),
  },
});

/** A page where a customer buys, adds a payment method or activates a subscription, and its state. */
export class CheckoutSession extends CheckoutSessionSchema.class implements EmitsEvents {
  get customerId(): Opt<string> | null {
    return this.customer?.id ?? null;
  }

  get priceId(): Opt<string> | null {
    return this.price?.id ?? null;
  }

  get purchaseId(): Opt<string> | null {
    return this.purchase?.id ?? null;
  }

  get targetSubscriptionId(): Opt<string> | null {
    return this.targetSubscription?.id ?? null;
  }

  get subscriptionId(): Opt<string> | null {
    return this.subscription?.id ?? null;
  }

  get setupId(): Opt<string> | null {
    return this.setup?.id ?? null;
  }

  /** Whether it can be completed at an instant. */
  isOpenAt(now: Date): boolean {
    return this.status === 'open' && this.expires > now;
  }

  verbFor(changed: ReadonlySet<string>) {
    if (!changed.has('status')) return undefined;
    return this.status === 'succeeded' || this.status === 'expired' ? this.status : undefined;
  }
}
CheckoutSessionSchema.setClass(CheckoutSession);
