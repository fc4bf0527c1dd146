import { AlertRule } from '#domain/alert-rules/alert-rule.ts';
import { Alert } from '#domain/alerts/alert.ts';
import { AlertCrossing } from '#domain/alerts/alert-crossing.ts';
import { UsageWatch } from '#domain/alerts/usage-watch.ts';
import { ApiKey } from '#domain/api-keys/api-key.ts';
import { CustomerToken } from '#domain/api-keys/customer-token.ts';
import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { BillingPeriodItem } from '#domain/billing-periods/billing-period-item.ts';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { BookDifference } from '#domain/books/book-difference.ts';
import { BookOpening } from '#domain/books/book-opening.ts';
import { Cause } from '#domain/causes/cause.ts';
import { CheckoutSession } from '#domain/checkout-sessions/checkout-session.ts';
import { ConsolidatedInvoice } from '#domain/consolidated-invoices/consolidated-invoice.ts';
import { CreditNote } from '#domain/credit-notes/credit-note.ts';
import { CreditNoteLine } from '#domain/credit-notes/credit-note-line.ts';
import { CronRun } from '#domain/cron-runs/cron-run.ts';
import { Customer } from '#domain/customers/customer.ts';
import { ProcessorCustomer } from '#domain/customers/processor-customer.ts';
import { DiscountRedemption } from '#domain/discount-redemptions/discount-redemption.ts';
import { Discount } from '#domain/discounts/discount.ts';
import { Dispute } from '#domain/disputes/dispute.ts';
import { Event } from '#domain/events/event.ts';
import { EventHead } from '#domain/events/event-head.ts';
import { Feature } from '#domain/features/feature.ts';
import { IdempotencyKey } from '#domain/idempotency/idempotency-key.ts';
import { InvoiceLineItem } from '#domain/invoice-line-items/invoice-line-item.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { RowCount } from '#domain/kernel/row-count.ts';
import { SecretsKey } from '#domain/kernel/secrets-in-use.ts';
import { Mail } from '#domain/mails/mail.ts';
import { MailSettings } from '#domain/mails/mail-settings.ts';
import { MailTemplate } from '#domain/mails/mail-template.ts';
import { OneOffCharge } from '#domain/one-off-charges/one-off-charge.ts';
import { Operator } from '#domain/operators/operator.ts';
import { OperatorInvitation } from '#domain/operators/operator-invitation.ts';
import { OperatorSession } from '#domain/operators/operator-session.ts';
import { SignInAttempt } from '#domain/operators/sign-in-attempt.ts';
import { Organization } from '#domain/organizations/organization.ts';
import { OrganizationLogo } from '#domain/organizations/organization-logo.ts';
import { OrganizationSettings } from '#domain/organizations/organization-settings.ts';
import { RevenueDay } from '#domain/organizations/revenue-day.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { PaymentMethodSetup } from '#domain/payment-methods/payment-method-setup.ts';
import { Payment } from '#domain/payments/payment.ts';
import { Refund } from '#domain/payments/refund.ts';
import { SandboxCharge } from '#domain/payments/sandbox-charge.ts';
import {
  SandboxDispute,
  SandboxNotice,
  SandboxPage,
  SandboxRefund,
} from '#domain/payments/sandbox-objects.ts';
import { PrepaidCredit } from '#domain/prepaid-credits/prepaid-credit.ts';
import { PrepaidCreditUse } from '#domain/prepaid-credits/prepaid-credit-use.ts';
import { PrepaidTopUp } from '#domain/prepaid-top-ups/prepaid-top-up.ts';
import { PriceMove } from '#domain/price-moves/price-move.ts';
import { Price } from '#domain/prices/price.ts';
import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import { ProcessorAccount } from '#domain/processors/processor-account.ts';
import { ProcessorDifference } from '#domain/processors/processor-difference.ts';
import { ProcessorEvent } from '#domain/processors/processor-event.ts';
import { ProductFeature } from '#domain/product-features/product-feature.ts';
import { Product } from '#domain/products/product.ts';
import { Purchase } from '#domain/purchases/purchase.ts';
import { Remittance } from '#domain/remittances/remittance.ts';
import { Reservation } from '#domain/reservations/reservation.ts';
import { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { ResourceClaimCount } from '#domain/resource-claims/resource-claim-count.ts';
import { Resource } from '#domain/resources/resource.ts';
import { MrrChange } from '#domain/statistics/mrr-change.ts';
import { MrrMovement } from '#domain/statistics/mrr-movement.ts';
import { StatisticDay } from '#domain/statistics/statistic-day.ts';
import { SubscriptionStatusChange } from '#domain/statistics/subscription-status-change.ts';
import { SubscriptionItemFeature } from '#domain/subscription-item-features/subscription-item-feature.ts';
import { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import { SubscriptionPhase } from '#domain/subscription-phases/subscription-phase.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { TaxRate } from '#domain/tax-rates/tax-rate.ts';
import { TestClock } from '#domain/test-clocks/test-clock.ts';
import { TopUp } from '#domain/top-ups/top-up.ts';
import { LedgerTransaction } from '#domain/usage-balances/ledger-transaction.ts';
import { OwedUsage } from '#domain/usage-balances/owed-usage.ts';
import { UsageHour } from '#domain/usage-balances/usage-hour.ts';
import { UsageMeterBalance } from '#domain/usage-balances/usage-meter-balance.ts';
import { UsageMeterPart } from '#domain/usage-balances/usage-meter-part.ts';
import { UsagePart } from '#domain/usage-balances/usage-part.ts';
import { UsageTotal } from '#domain/usage-balances/usage-total.ts';
import { UsageCredit } from '#domain/usage-credits/usage-credit.ts';
import { UsageCreditApplication } from '#domain/usage-credits/usage-credit-application.ts';
import { UsageEvent } from '#domain/usage-events/usage-event.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { UsageRefusal } from '#domain/usage-refusals/usage-refusal.ts';
import { WebhookDelivery } from '#domain/webhook-deliveries/webhook-delivery.ts';
import { Webhook } from '#domain/webhooks/webhook.ts';

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
