import type { AccessScope } from '#domain/kernel/access-scopes.ts';

/** The scope that each mutation needs. A credential with scopes is refused a mutation that is not listed. */
export const mutationScopes: Readonly<Record<string, AccessScope>> = {
  addFeatureToSubscription: 'subscriptions_write',
  adjustSubscription: 'subscriptions_write',
  advanceTestClock: 'test_clocks_write',
  archiveCustomer: 'customers_write',
  cancelScheduledAdjustment: 'subscriptions_write',
  cancelSubscription: 'subscriptions_write',
  claimResource: 'claims_write',
  confirmReservation: 'claims_write',
  createApiKey: 'api_keys_write',
  createCustomer: 'customers_write',
  createCustomerToken: 'customer_tokens_write',
  createFeature: 'catalog_write',
  createInvoice: 'invoices_write',
  createPaymentMethod: 'payment_methods_write',
  createPrice: 'catalog_write',
  createPricingModel: 'catalog_write',
  createProduct: 'catalog_write',
  createProductFeature: 'catalog_write',
  createResource: 'catalog_write',
  createSubscription: 'subscriptions_write',
  createSubscriptionItemFeature: 'subscriptions_write',
  createTestClock: 'test_clocks_write',
  createUsageMeter: 'catalog_write',
  createWebhook: 'webhooks_write',
  deleteTestClock: 'test_clocks_write',
  deleteWebhook: 'webhooks_write',
  detachPaymentMethod: 'payment_methods_write',
  expireProductFeature: 'catalog_write',
  expireSubscriptionItemFeature: 'subscriptions_write',
  finalizeInvoice: 'invoices_write',
  grantUsageCredits: 'usage_write',
  markInvoiceUncollectible: 'invoices_write',
  payInvoice: 'payments_write',
  previewSubscriptionAdjustment: 'read',
  recordUsageEvent: 'usage_write',
  recordUsageEvents: 'usage_write',
  refundPayment: 'payments_write',
  releaseReservation: 'claims_write',
  releaseResource: 'claims_write',
  replaceUsageEvent: 'usage_write',
  replayWebhook: 'webhooks_write',
  reserveResource: 'claims_write',
  retryWebhookDelivery: 'webhooks_write',
  revokeApiKey: 'api_keys_write',
  revokeCustomerToken: 'customer_tokens_write',
  revokeCustomerTokens: 'customer_tokens_write',
  rotateApiKey: 'api_keys_write',
  rotateDocumentSecret: 'organization_write',
  rotateWebhookSecret: 'webhooks_write',
  sendTestEvent: 'webhooks_write',
  setDefaultPaymentMethod: 'payment_methods_write',
  unarchiveCustomer: 'customers_write',
  uncancelSubscription: 'subscriptions_write',
  updateApiKey: 'api_keys_write',
  updateCustomer: 'customers_write',
  updateFeature: 'catalog_write',
  updateInvoice: 'invoices_write',
  updateOrganization: 'organization_write',
  updatePaymentMethod: 'payment_methods_write',
  updatePrice: 'catalog_write',
  updatePricingModel: 'catalog_write',
  updateProduct: 'catalog_write',
  updateResource: 'catalog_write',
  updateSubscription: 'subscriptions_write',
  updateSubscriptionItemFeature: 'subscriptions_write',
  updateUsageMeter: 'catalog_write',
  updateWebhook: 'webhooks_write',
  voidInvoice: 'invoices_write',
  voidUsageEvent: 'usage_write',
};

/** The mutations that a customer token may use if it has their scope. */
export const tokenMutations: ReadonlySet<string> = new Set([
  'adjustSubscription',
  'cancelScheduledAdjustment',
  'cancelSubscription',
  'claimResource',
  'createPaymentMethod',
  'detachPaymentMethod',
  'payInvoice',
  'previewSubscriptionAdjustment',
  'releaseResource',
  'setDefaultPaymentMethod',
  'uncancelSubscription',
]);

/** The records of the catalog, which publishable keys read, too. */
const catalogRecords = [
  'Feature',
  'Price',
  'PricingModel',
  'Product',
  'ProductFeature',
  'Resource',
  'UsageMeter',
];

/** The records of a customer that a token reads by id, in lists and live. */
const customerRecords = [
  'BillingPeriod',
  'Customer',
  'Invoice',
  'InvoiceLineItem',
  'Payment',
  'PaymentMethod',
  'Refund',
  'Reservation',
  'ResourceClaim',
  'Subscription',
  'SubscriptionItem',
  'SubscriptionItemFeature',
  'UsageCredit',
];

const records = [...catalogRecords, ...customerRecords].map((name) =>
  name.replace(/^./, (letter) => letter.toLowerCase()),
);

/** The queries of a customer token. Any other is refused. */
export const tokenQueries: ReadonlySet<string> = new Set([
  ...records.flatMap((name) => [name, `${name}s`]).filter((name) => name !== 'pricingModels'),
  'activeClaims',
  'customerBilling',
  'customerByExternalId',
  'events',
  'ledgerTransactions',
  'node',
  'nodes',
  'resourceUsage',
  'resourceUsages',
  'upcomingInvoice',
  'usageEvent',
  'usageEvents',
]);

/** The live updates of a customer token. Any other is refused. */
export const tokenLiveUpdates: ReadonlySet<string> = new Set([
  ...records.map((name) => `${name}Changed`),
  'customers',
  'entitlementsChanged',
  'events',
  'invoices',
  'payments',
  'resourceUsageChanged',
  'subscriptions',
  'upcomingInvoiceChanged',
  'usageBalanceChanged',
  'usageEvents',
]);

/** The types that a publishable key may select. */
export const catalogTypes: ReadonlySet<string> = new Set(catalogRecords);

/** The types that a customer token may select. A type that is not listed is refused, wherever a field leads to it. */
export const tokenTypes: ReadonlySet<string> = new Set([
  ...catalogRecords,
  ...customerRecords,
  'AdjustedSubscription',
  'AdjustmentPreview',
  'BillingAddress',
  'BillingDetails',
  'BillingPeriodItem',
  'CanceledScheduledAdjustment',
  'CustomerBilling',
  'CustomerInvoice',
  'CustomerListChange',
  'Event',
  'InvoiceListChange',
  'LedgerTransaction',
  'PaymentListChange',
  'PostalAddress',
  'PreviewedPaymentMethod',
  'PreviewedSubscriptionItem',
  'ResourceUsage',
  'ResourceUsageChange',
  'ResourceUsageDetails',
  'SubscriptionExperimental',
  'SubscriptionListChange',
  'SubscriptionNextStep',
  'UpcomingInvoice',
  'UpcomingInvoiceLine',
  'UsageBalances',
  'UsageEvent',
  'UsageEventListChange',
  'UsageMeterBalance',
]);

/** Fields of these types that show how the organization works. */
export const hiddenFromTokens: ReadonlySet<string> = new Set([
  'Customer.testClock',
  'Customer.testClockId',
  'Event.actor',
  'Event.cause',
  'Event.causeId',
]);
