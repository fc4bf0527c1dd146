import { alertCrossings } from './alert-crossings.ts';
import { alertRules } from './alert-rules.ts';
import { alerts } from './alerts.ts';
import { apiKeys } from './api-keys.ts';
import { billingPeriods } from './billing-periods.ts';
import { billingRuns } from './billing-runs.ts';
import { books } from './books.ts';
import { catalogs } from './catalogs.ts';
import { checkoutSessions } from './checkout-sessions.ts';
import { consolidatedInvoices } from './consolidated-invoices.ts';
import { creditNotes } from './credit-notes.ts';
import { cronRuns } from './cron-runs.ts';
import { customers } from './customers.ts';
import { discountRedemptions } from './discount-redemptions.ts';
import { discounts } from './discounts.ts';
import { disputes } from './disputes.ts';
import type { Route } from './engine/route.ts';
import { events } from './events.ts';
import { features } from './features.ts';
import { invoiceLineItems } from './invoice-line-items.ts';
import { invoices } from './invoices.ts';
import { mailSettings } from './mail-settings.ts';
import { mailTemplates } from './mail-templates.ts';
import { mails } from './mails.ts';
import { oneOffCharges } from './one-off-charges.ts';
import { paymentMethods } from './payment-methods.ts';
import { payments } from './payments.ts';
import { prepaidCredits } from './prepaid-credits.ts';
import { prepaidTopUps } from './prepaid-top-ups.ts';
import { priceMoves } from './price-moves.ts';
import { prices } from './prices.ts';
import { pricingModels } from './pricing-models.ts';
import { productFeatures } from './product-features.ts';
import { products } from './products.ts';
import { purchases } from './purchases.ts';
import { remittances } from './remittances.ts';
import { reservations } from './reservations.ts';
import { resourceClaims } from './resource-claims.ts';
import { resources } from './resources.ts';
import { subscriptionAdjustments } from './subscription-adjustments.ts';
import { subscriptionItemFeatures } from './subscription-item-features.ts';
import { subscriptionItems } from './subscription-items.ts';
import { subscriptionPhases } from './subscription-phases.ts';
import { subscriptions } from './subscriptions.ts';
import { taxRates } from './tax-rates.ts';
import { testClocks } from './test-clocks.ts';
import { topUps } from './top-ups.ts';
import { usageAcceptances } from './usage-acceptances.ts';
import { usageBalances } from './usage-balances.ts';
import { usageCredits } from './usage-credits.ts';
import { usageEvents } from './usage-events.ts';
import { usageMeters } from './usage-meters.ts';
import { usageRefusals } from './usage-refusals.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhooks } from './webhooks.ts';

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
