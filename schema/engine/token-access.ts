/** The mutations that a customer token may use if it has their scope. */
export const tokenMutations: ReadonlySet<string> = new Set([
  'adjustSubscription',
  'buyPrepaidCredit',
  'cancelScheduledAdjustment',
  'cancelSubscription',
  'claimResource',
  'completePaymentMethodSetup',
  'createPaymentMethod',
  'createPaymentMethodSetup',
  'detachPaymentMethod',
  'pauseSubscription',
  'payInvoice',
  'payInvoices',
  'previewSubscriptionAdjustment',
  'previewSubscriptionCancellation',
  'releaseResource',
  'resumeSubscription',
  'setDefaultPaymentMethod',
  'switchMails',
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
  'Alert',
  'AlertCrossing',
  'BillingPeriod',
  'ConsolidatedInvoice',
  'CreditNote',
  'Customer',
  'Invoice',
  'InvoiceLineItem',
  'OneOffCharge',
  'Payment',
  'PaymentMethod',
  'PaymentMethodSetup',
  'PrepaidCredit',
  'PrepaidTopUp',
  'Purchase',
  'Refund',
  'Reservation',
  'ResourceClaim',
  'Subscription',
  'SubscriptionItem',
  'SubscriptionItemFeature',
  'SubscriptionPhase',
  'TopUp',
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
  'upcomingConsolidatedInvoice',
  'upcomingInvoice',
  'usageEvent',
  'usageEvents',
  'usageOverTime',
]);

/** The live updates of a customer token. Any other is refused. */
export const tokenLiveUpdates: ReadonlySet<string> = new Set([
  ...records.map((name) => `${name}Changed`),
  'consolidatedInvoices',
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
  'usageOverTimeChanged',
]);

/** The parts of prices: each reader of a price reads them. */
const priceTypes = ['PriceCell', 'PriceCost', 'PriceMatrix', 'PricePart', 'PriceTier'];

/** The types that a publishable key may select. */
export const catalogTypes: ReadonlySet<string> = new Set([
  ...catalogRecords,
  ...priceTypes,
  'Rollover',
]);

/** The types that a customer token may select. A type that is not listed is refused, wherever a field leads to it. */
export const tokenTypes: ReadonlySet<string> = new Set([
  ...catalogRecords,
  ...customerRecords,
  ...priceTypes,
  'AdjustmentPreview',
  'BankAccount',
  'BillingAddress',
  'BillingDetails',
  'BillingPeriodItem',
  'CancellationPreview',
  'CreditNoteLine',
  'CustomerAddress',
  'CustomerBilling',
  'CustomerInvoice',
  'CustomerListChange',
  'EInvoice',
  'EInvoiceProblem',
  'Event',
  'InvoiceListChange',
  'LeftOutSubscription',
  'LedgerTransaction',
  'Logo',
  'PaymentListChange',
  'PostalAddress',
  'PrepaidCreditUse',
  'PrepaidOffer',
  'PreviewedPaymentMethod',
  'PreviewedSubscriptionItem',
  'ResourceUsage',
  'ResourceUsageChange',
  'ResourceUsageDetails',
  'Rollover',
  'Seller',
  'SubscriptionGrants',
  'SubscriptionListChange',
  'SubscriptionNextStep',
  'SubscriptionPhaseItem',
  'TaxId',
  'TaxLine',
  'UpcomingConsolidatedInvoice',
  'UpcomingInvoice',
  'UpcomingInvoiceLine',
  'UsageBalances',
  'UsageCreditRollover',
  'UsageEvent',
  'UsageEventListChange',
  'UsageMeterBalance',
  'UsagePoint',
  'UsageSeries',
]);
