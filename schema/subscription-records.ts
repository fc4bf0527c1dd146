import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { DiscountRedemption } from '#domain/discount-redemptions/discount-redemption.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { Payment } from '#domain/payments/payment.ts';
import { Reservation } from '#domain/reservations/reservation.ts';
import { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { UsageCredit } from '#domain/usage-credits/usage-credit.ts';
import { UsageEvent } from '#domain/usage-events/usage-event.ts';
import { listBelow } from './engine/below.ts';
import { builder } from './engine/builder.ts';

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
    description: 'The redeemed discount of the subscription: at most one.',
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
