import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import type { Metadata } from '#domain/kernel/inputs/metadata.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { intervalUnits, Price, priceTypes } from '#domain/model/catalog/price.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { CheckoutAddress } from './checkout-address.ts';

export const purchaseStatuses = [
  'open',
  'pending',
  'failed',
  'paid',
  'refunded',
  'partial_refund',
  'fraudulent',
] as const;

const PurchaseSchema = defineEntity({
  name: 'Purchase',
  indexes: [
    pageIndex('purchase'),
    { name: 'purchase_customer', properties: ['customer', 'createdAt', 'position', 'id'] },
    {
      name: 'purchase_status',
      properties: ['pricingModelId', 'status', 'createdAt', 'position', 'id'],
    },
  ],
  checks: checksOf({
    purchase_amounts: `quantity > 0 and first_invoice_value >= 0
        and case price_type
          when 'subscription' then total_purchase_value is null and price_per_billing_cycle >= 0
            and interval_unit is not null and interval_count > 0 and trial_period_days >= 0
          else total_purchase_value >= 0 and num_nonnulls(price_per_billing_cycle, interval_unit,
            interval_count, trial_period_days) = 0 end`,
    purchase_paid: `purchase_date is not null or status in ('open', 'pending', 'failed', 'fraudulent')`,
    purchase_granted: 'credits_granted_at is null or purchase_date is not null',
  }),
  properties: {
    ...tenantColumns('prch'),
    name: p.string(),
    status: p.enum(purchaseStatuses).default('open'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    price: () => p.manyToOne(Price).ref().deleteRule('restrict').index(),
    priceType: p.enum(priceTypes),
    quantity: p.integer(),
    billingCycleAnchor: instant().nullable(),
    trialPeriodDays: p.integer().nullable(),
    /** For a subscription: the amount of one billing period before tax, in minor units. */
    pricePerBillingCycle: safeInteger().nullable(),
    intervalUnit: p.enum(intervalUnits).nullable(),
    intervalCount: p.integer().nullable(),
    /** The amount of the first invoice with tax, in minor units. */
    firstInvoiceValue: safeInteger(),
    /** For a single payment: the whole amount with tax, in minor units. */
    totalPurchaseValue: safeInteger().nullable(),
    /** When it was paid. */
    purchaseDate: instant().nullable(),
    endDate: instant().nullable(),
    billingAddress: p.json<CheckoutAddress>().nullable(),
    metadata: p.json<Metadata>().nullable(),
    /** The subscription that was bought; null for a single payment. */
    subscription: () =>
      p.manyToOne(Subscription).ref().nullable().deleteRule('set null').index().hidden(),
    /** When its usage credits were granted to a subscription of the customer. */
    creditsGrantedAt: instant().nullable().hidden(),
    /** When a full refund or a lost dispute revoked its features and unused credits; null while they are granted. */
    revokedAt: instant().nullable().hidden(),
  },
});

/** The order of a customer at a checkout: a product with a single payment, or the start of a subscription. */
export class Purchase extends PurchaseSchema.class implements EmitsEvents {
  get customerId(): Opt<string> {
    return this.customer.id;
  }

  get priceId(): Opt<string> {
    return this.price.id;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('status') && this.status === 'paid' ? 'completed' : undefined;
  }
}
PurchaseSchema.setClass(Purchase);
