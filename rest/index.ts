import { reservations } from './capacity/reservations.ts';
import { resourceClaims } from './capacity/resource-claims.ts';
import { catalogs } from './catalog/catalogs.ts';
import { discounts } from './catalog/discounts.ts';
import { features } from './catalog/features.ts';
import { prices } from './catalog/prices.ts';
import { pricingModels } from './catalog/pricing-models.ts';
import { productFeatures } from './catalog/product-features.ts';
import { products } from './catalog/products.ts';
import { resources } from './catalog/resources.ts';
import { taxRates } from './catalog/tax-rates.ts';
import { usageMeters } from './catalog/usage-meters.ts';
import type { Route } from './engine/route.ts';
import { consolidatedInvoices } from './invoicing/consolidated-invoices.ts';
import { creditNotes } from './invoicing/credit-notes.ts';
import { discountRedemptions } from './invoicing/discount-redemptions.ts';
import { invoiceLineItems } from './invoicing/invoice-line-items.ts';
import { invoices } from './invoicing/invoices.ts';
import { oneOffCharges } from './invoicing/one-off-charges.ts';
import { mailSettings } from './mail/mail-settings.ts';
import { mailTemplates } from './mail/mail-templates.ts';
import { mails } from './mail/mails.ts';
import { alertCrossings } from './metering/alert-crossings.ts';
import { alertRules } from './metering/alert-rules.ts';
import { alerts } from './metering/alerts.ts';
import { usageBalances } from './metering/usage-balances.ts';
import { usageCredits } from './metering/usage-credits.ts';
import { billingRuns } from './money/billing-runs.ts';
import { books } from './money/books.ts';
import { checkoutSessions } from './money/checkout-sessions.ts';
import { disputes } from './money/disputes.ts';
import { paymentMethods } from './money/payment-methods.ts';
import { payments } from './money/payments.ts';
import { prepaidCredits } from './money/prepaid-credits.ts';
import { prepaidTopUps } from './money/prepaid-top-ups.ts';
import { purchases } from './money/purchases.ts';
import { remittances } from './money/remittances.ts';
import { topUps } from './money/top-ups.ts';
import { apiKeys } from './platform/api-keys.ts';
import { cronRuns } from './platform/cron-runs.ts';
import { customers } from './platform/customers.ts';
import { events } from './platform/events.ts';
import { testClocks } from './platform/test-clocks.ts';
import { webhookDeliveries } from './platform/webhook-deliveries.ts';
import { webhooks } from './platform/webhooks.ts';
import { usageAcceptances } from './recording/usage-acceptances.ts';
import { usageEvents } from './recording/usage-events.ts';
import { usageRefusals } from './recording/usage-refusals.ts';
import { billingPeriods } from './subscriptions/billing-periods.ts';
import { priceMoves } from './subscriptions/price-moves.ts';
import { subscriptionAdjustments } from './subscriptions/subscription-adjustments.ts';
import { subscriptionItemFeatures } from './subscriptions/subscription-item-features.ts';
import { subscriptionItems } from './subscriptions/subscription-items.ts';
import { subscriptionPhases } from './subscriptions/subscription-phases.ts';
import { subscriptions } from './subscriptions/subscriptions.ts';

/** Every documented endpoint. */
export const routes: readonly Route[] = [
  ...alertCrossings,
  ...alertRules,
  ...alerts,
  ...apiKeys,
  ...billingPeriods,
  ...billingRuns,
  ...books,
  ...catalogs,
  ...checkoutSessions,
  ...consolidatedInvoices,
  ...creditNotes,
  ...cronRuns,
  ...customers,
  ...discountRedemptions,
  ...discounts,
  ...disputes,
  ...events,
  ...features,
  ...invoiceLineItems,
  ...invoices,
  ...mailSettings,
  ...mailTemplates,
  ...mails,
  ...oneOffCharges,
  ...prepaidCredits,
  ...prepaidTopUps,
  ...paymentMethods,
  ...payments,
  ...prices,
  ...priceMoves,
  ...pricingModels,
  ...productFeatures,
  ...products,
  ...purchases,
  ...remittances,
  ...reservations,
  ...resourceClaims,
  ...resources,
  ...subscriptionAdjustments,
  ...subscriptionItemFeatures,
  ...subscriptionItems,
  ...subscriptionPhases,
  ...subscriptions,
  ...taxRates,
  ...testClocks,
  ...topUps,
  ...usageAcceptances,
  ...usageBalances,
  ...usageCredits,
  ...usageEvents,
  ...usageMeters,
  ...usageRefusals,
  ...webhookDeliveries,
  ...webhooks,
];
