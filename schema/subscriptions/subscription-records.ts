import { Reservation } from '#domain/model/capacity/reservation.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';

// The pages of the records of a subscription.
builder.objectFields(Subscription, (t) => ({
  invoices: listBelow(t, Invoice, {
    by: 'subscription',
    description: 'The invoices that bill the subscription.',
  }),
  payments: listBelow(t, Payment, {
    by: 'subscriptionId',
    description: 'The payments for the subscription.',
  }),
  billingRuns: listBelow(t, BillingRun, {
    by: 'subscription',
    description: 'The billing runs of the subscription.',
  }),
  discountRedemptions: listBelow(t, DiscountRedemption, {
    by: 'subscription',
    description: 'The redeemed discounts of the subscription: at most one that is not removed.',
  }),
  usageEvents: listBelow(t, UsageEvent, {
    by: 'subscriptionId',
    description: 'The usage events of the subscription.',
  }),
  usageCredits: listBelow(t, UsageCredit, {
    by: 'subscriptionId',
    description: 'The usage credits of the subscription.',
  }),
  resourceClaims: listBelow(t, ResourceClaim, {
    by: 'subscriptionId',
    description: 'The resource claims of the subscription.',
  }),
  reservations: listBelow(t, Reservation, {
    by: 'subscriptionId',
    description: 'The reservations of the subscription.',
  }),
  billingPeriods: listBelow(t, BillingPeriod, {
    by: 'subscription',
    description: 'The billing periods, oldest first.',
    types: [
      { name: 'SubscriptionBillingPeriodConnection', description: 'A page of billing periods.' },
      {
        name: 'SubscriptionBillingPeriodEdge',
        description: 'A billing period and its cursor.',
      },
    ],
  }),
}));
