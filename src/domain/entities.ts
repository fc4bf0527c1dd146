import { RowCount } from '#domain/kernel/lists/row-count.ts';
import { SecretsKey } from '#domain/kernel/security/secrets-in-use.ts';
import { Reservation } from '#domain/model/capacity/reservation.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { ResourceClaimCount } from '#domain/model/capacity/resource-claim-count.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { Feature } from '#domain/model/catalog/feature.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { TaxRate } from '#domain/model/catalog/tax-rate.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { CreditNoteLine } from '#domain/model/invoicing/credit-note-line.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import { Mail } from '#domain/model/mail/mail.ts';
import { MailSettings } from '#domain/model/mail/mail-settings.ts';
import { MailTemplate } from '#domain/model/mail/mail-template.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import { AlertRule } from '#domain/model/metering/alert-rule.ts';
import { LedgerTransaction } from '#domain/model/metering/ledger-transaction.ts';
import { OwedUsage } from '#domain/model/metering/owed-usage.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import { UsageCreditApplication } from '#domain/model/metering/usage-credit-application.ts';
import { UsageHour } from '#domain/model/metering/usage-hour.ts';
import { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';
import { UsageMeterPart } from '#domain/model/metering/usage-meter-part.ts';
import { UsagePart } from '#domain/model/metering/usage-part.ts';
import { UsageTotal } from '#domain/model/metering/usage-total.ts';
import { UsageWatch } from '#domain/model/metering/usage-watch.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { BookDifference } from '#domain/model/money/book-difference.ts';
import { BookOpening } from '#domain/model/money/book-opening.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { Dispute } from '#domain/model/money/dispute.ts';
import { MrrChange } from '#domain/model/money/mrr-change.ts';
import { MrrMovement } from '#domain/model/money/mrr-movement.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { PrepaidCreditUse } from '#domain/model/money/prepaid-credit-use.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { ProcessorDifference } from '#domain/model/money/processor-difference.ts';
import { ProcessorEvent } from '#domain/model/money/processor-event.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { Refund } from '#domain/model/money/refund.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import {
  SandboxDispute,
  SandboxNotice,
  SandboxPage,
  SandboxRefund,
} from '#domain/model/money/sandbox-objects.ts';
import { StatisticDay } from '#domain/model/money/statistic-day.ts';
import { SubscriptionStatusChange } from '#domain/model/money/subscription-status-change.ts';
import { TopUp } from '#domain/model/money/top-up.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { Cause } from '#domain/model/platform/cause.ts';
import { CronRun } from '#domain/model/platform/cron-run.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';
import { Event } from '#domain/model/platform/event.ts';
import { EventHead } from '#domain/model/platform/event-head.ts';
import { IdempotencyKey } from '#domain/model/platform/idempotency-key.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { OperatorInvitation } from '#domain/model/platform/operator-invitation.ts';
import { OperatorSession } from '#domain/model/platform/operator-session.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import { OrganizationLogo } from '#domain/model/platform/organization-logo.ts';
import { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { ProcessorCustomer } from '#domain/model/platform/processor-customer.ts';
import { RevenueDay } from '#domain/model/platform/revenue-day.ts';
import { SignInAttempt } from '#domain/model/platform/sign-in-attempt.ts';
import { TestClock } from '#domain/model/platform/test-clock.ts';
import { Webhook } from '#domain/model/platform/webhook.ts';
import { WebhookDelivery } from '#domain/model/platform/webhook-delivery.ts';
import { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { UsageRefusal } from '#domain/model/recording/usage-refusal.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { BillingPeriodItem } from '#domain/model/subscriptions/billing-period-item.ts';
import { PriceMove } from '#domain/model/subscriptions/price-move.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { SubscriptionItemFeature } from '#domain/model/subscriptions/subscription-item-feature.ts';
import { SubscriptionPhase } from '#domain/model/subscriptions/subscription-phase.ts';

/** Rows of one pricing model. The tenant filter covers them, and row_count counts them. */
export const tenantEntities = [
  Alert,
  AlertCrossing,
  AlertRule,
  ApiKey,
  BillingPeriod,
  BillingRun,
  BookDifference,
  CheckoutSession,
  ConsolidatedInvoice,
  CreditNote,
  Customer,
  CustomerToken,
  Discount,
  DiscountRedemption,
  Dispute,
  Feature,
  Invoice,
  InvoiceLineItem,
  OneOffCharge,
  Payment,
  PaymentMethod,
  PaymentMethodSetup,
  PrepaidCredit,
  PrepaidTopUp,
  Price,
  PriceMove,
  ProcessorDifference,
  Product,
  ProductFeature,
  Purchase,
  Refund,
  Remittance,
  Reservation,
  Resource,
  ResourceClaim,
  Subscription,
  SubscriptionItem,
  SubscriptionItemFeature,
  SubscriptionPhase,
  TaxRate,
  TestClock,
  TopUp,
  UsageCredit,
  UsageMeter,
  UsageRefusal,
  Webhook,
];

/**
 * Pricing models and settings belong to an organization and a mode, and operators to an organization; the tenant filter
 * narrows them to those.
 */
export const scopedEntities = [
  ...tenantEntities,
  Cause,
  Event,
  LedgerTransaction,
  Mail,
  MailSettings,
  MailTemplate,
  Operator,
  OperatorInvitation,
  OperatorSession,
  OrganizationSettings,
  PricingModel,
  ProcessorAccount,
  UsageEvent,
  UsageMeterBalance,
  WebhookDelivery,
];

export const entities = [
  ...scopedEntities,
  BillingPeriodItem,
  BookOpening,
  CreditNoteLine,
  CronRun,
  EventHead,
  IdempotencyKey,
  MrrChange,
  MrrMovement,
  Organization,
  OrganizationLogo,
  OwedUsage,
  PrepaidCreditUse,
  ProcessorCustomer,
  ProcessorEvent,
  ResourceClaimCount,
  RevenueDay,
  RowCount,
  SandboxCharge,
  SandboxDispute,
  SandboxNotice,
  SandboxPage,
  SandboxRefund,
  SecretsKey,
  SignInAttempt,
  StatisticDay,
  SubscriptionStatusChange,
  UsageCreditApplication,
  UsageHour,
  UsageMeterPart,
  UsagePart,
  UsageTotal,
  UsageWatch,
];
