/** The prefixes of ids, by the segment of the path that names the kind of record. */
const prefixes: Readonly<Record<string, string>> = {
  alerts: 'alert',
  'alert-crossings': 'alert_crossing',
  'alert-rules': 'alert_rule',
  'api-keys': 'apikey',
  'billing-periods': 'billing_period',
  'billing-runs': 'billing_run',
  customers: 'cust',
  deliveries: 'webhook_delivery',
  'checkout-sessions': 'chckt_session',
  discounts: 'discount',
  'discount-redemptions': 'discount_redemption',
  disputes: 'dispute',
  features: 'feature',
  invoices: 'inv',
  'invoice-line-items': 'inv_li',
  mails: 'mail',
  'one-off-charges': 'one_off',
  'payment-methods': 'pm',
  payments: 'pym',
  'price-moves': 'price_move',
  prices: 'price',
  'pricing-models': 'pricing_model',
  'product-features': 'product_feature',
  products: 'prod',
  purchases: 'prch',
  remittances: 'remittance',
  reservations: 'reservation',
  'resource-claims': 'sub',
  resources: 'resource',
  'subscription-item-features': 'sub_feature',
  'subscription-items': 'si',
  'subscription-phases': 'phase',
  subscriptions: 'sub',
  'tax-rates': 'tax_rate',
  'test-clocks': 'test_clock',
  'prepaid-credits': 'prepaid_credit',
  'prepaid-top-ups': 'prepaid_top_up',
  'top-ups': 'top_up',
  'usage-acceptances': 'acceptance',
  'usage-credits': 'usage_credit',
  'usage-events': 'usage_event',
  'usage-meters': 'usage_meter',
  'usage-refusals': 'usage_refusal',
  webhooks: 'webhook',
};

/** Parameters that are no ids: the customer of the examples, and the name of a template. */
const values: Readonly<Record<string, string>> = {
  externalId: 'ada',
  kind: 'receipt',
  language: 'en',
};

/** An example for a parameter of a path: the last record of its kind, or a value. */
export function pathExample(path: string, name: string): string | undefined {
  const value = values[name];
  if (value !== undefined) return value;
  const segments = path.split('/');
  const prefix = prefixes[segments[segments.indexOf(`:${name}`) - 1] ?? ''];
  return prefix && `${prefix}_last`;
}
