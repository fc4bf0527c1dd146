const folders: Readonly<Record<string, string>> = {
  Customer: 'customers',
  Subscription: 'subscriptions',
  Invoice: 'invoices',
  ConsolidatedInvoice: 'invoices/consolidated',
  CreditNote: 'invoices/credit-notes',
  Payment: 'payments',
  Remittance: 'payments/remittances',
  TestClock: 'test-clocks',
  Webhook: 'webhooks',
  PricingModel: 'catalog',
  UsageEvent: 'usage/events',
};

/** The page of a record, for the types that have one. */
export function pathOfObject(objectType: string, objectId: string): string | undefined {
  const folder = folders[objectType];
  return folder && `/${folder}/${objectId}`;
}
