import { ApiKey } from './api-keys/api-key.ts';
import { BillingPeriod } from './billing-periods/billing-period.ts';
import { BillingPeriodItem } from './billing-periods/billing-period-item.ts';
import { BillingRun } from './billing-runs/billing-run.ts';
import { CronRun } from './cron-runs/cron-run.ts';
import { Customer } from './customers/customer.ts';
import { Event } from './events/event.ts';
import { EventHead } from './events/event-head.ts';
import { Feature } from './features/feature.ts';
import { IdempotencyKey } from './idempotency/idempotency-key.ts';
import { InvoiceLineItem } from './invoice-line-items/invoice-line-item.ts';
import { Invoice } from './invoices/invoice.ts';
import { Organization } from './organizations/organization.ts';
import { OrganizationSettings } from './organizations/organization-settings.ts';
import { RevenueDay } from './organizations/revenue-day.ts';
import { PaymentMethod } from './payment-methods/payment-method.ts';
import { Payment } from './payments/payment.ts';
import { Refund } from './payments/refund.ts';
import { SandboxCharge } from './payments/sandbox-charge.ts';
import { Price } from './prices/price.ts';
import { PricingModel } from './pricing-models/pricing-model.ts';
import { ProductFeature } from './product-features/product-feature.ts';
import { Product } from './products/product.ts';
import { Reservation } from './reservations/reservation.ts';
import { ResourceClaim } from './resource-claims/resource-claim.ts';
import { ResourceClaimCount } from './resource-claims/resource-claim-count.ts';
import { Resource } from './resources/resource.ts';
import { RowCount } from './row-count.ts';
import { SecretsKey } from './secrets-in-use.ts';
import { SubscriptionItemFeature } from './subscription-item-features/subscription-item-feature.ts';
import { SubscriptionItem } from './subscription-items/subscription-item.ts';
import { Subscription } from './subscriptions/subscription.ts';
import { TestClock } from './test-clocks/test-clock.ts';
import { LedgerTransaction } from './usage-balances/ledger-transaction.ts';
import { OwedUsage } from './usage-balances/owed-usage.ts';
import { UsageHour } from './usage-balances/usage-hour.ts';
import { UsageMeterBalance } from './usage-balances/usage-meter-balance.ts';
import { UsageTotal } from './usage-balances/usage-total.ts';
import { UsageCredit } from './usage-credits/usage-credit.ts';
import { UsageCreditApplication } from './usage-credits/usage-credit-application.ts';
import { UsageEvent } from './usage-events/usage-event.ts';
import { UsageMeter } from './usage-meters/usage-meter.ts';
import { WebhookDelivery } from './webhook-deliveries/webhook-delivery.ts';
import { Webhook } from './webhooks/webhook.ts';

/** Rows of one pricing model. The tenant filter covers them, and row_count counts them. */
export const tenantEntities = [
  ApiKey,
  BillingPeriod,
  BillingRun,
  Customer,
  Feature,
  Invoice,
  InvoiceLineItem,
  Payment,
  PaymentMethod,
  Price,
  Product,
  ProductFeature,
  Refund,
  Reservation,
  Resource,
  ResourceClaim,
  Subscription,
  SubscriptionItem,
  SubscriptionItemFeature,
  TestClock,
  UsageCredit,
  UsageMeter,
  Webhook,
];

/** Pricing models and settings belong to an organization and a mode; the tenant filter narrows them to those. */
export const scopedEntities = [
  ...tenantEntities,
  Event,
  LedgerTransaction,
  OrganizationSettings,
  PricingModel,
  UsageEvent,
  UsageMeterBalance,
  WebhookDelivery,
];

export const entities = [
  ...scopedEntities,
  BillingPeriodItem,
  CronRun,
  EventHead,
  IdempotencyKey,
  Organization,
  OwedUsage,
  ResourceClaimCount,
  RevenueDay,
  RowCount,
  SandboxCharge,
  SecretsKey,
  UsageCreditApplication,
  UsageHour,
  UsageTotal,
];
