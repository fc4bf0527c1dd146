/** The groups of endpoints in the order of work, from the catalog to operation. */
export const tags: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'products', description: '1. Products with a price and features: what customers buy.' },
  {
    name: 'prices',
    description: 'Further prices of a product, such as a yearly one, and of usage meters.',
  },
  { name: 'features', description: 'Toggles, usage credits and capacity that products grant.' },
  { name: 'product-features', description: 'The features of each product.' },
  { name: 'usage-meters', description: 'Meters that usage events are counted by.' },
  { name: 'resources', description: 'Capacity that is claimed, such as seats.' },
  {
    name: 'customers',
    description: '2. Customers, addressed by your own `externalId`; each starts on the free plan.',
  },
  {
    name: 'payment-methods',
    description:
      '3. Payment methods. In test mode the token selects the outcome: `sandbox_success`.',
  },
  { name: 'subscriptions', description: '4. Subscriptions: create, adjust, cancel.' },
  { name: 'subscription-items', description: 'The items of subscriptions.' },
  {
    name: 'subscription-item-features',
    description: 'The features that subscription items grant.',
  },
  { name: 'invoices', description: '5. Invoices, their PDFs and how each amount was computed.' },
  { name: 'invoice-line-items', description: 'The lines of invoices.' },
  { name: 'payments', description: 'Payments and refunds.' },
  {
    name: 'usage-events',
    description: 'Usage, recorded singly or in bulk, by subscription or by customer.',
  },
  { name: 'usage-credits', description: 'Credits that cover usage.' },
  { name: 'resource-claims', description: 'Claims of capacity: claim, release, read usage.' },
  {
    name: 'reservations',
    description: 'Capacity that is reserved for a while, then confirmed or released.',
  },
  { name: 'billing-periods', description: 'The billing periods of subscriptions.' },
  { name: 'billing-runs', description: 'The runs that bill a period.' },
  {
    name: 'test-clocks',
    description: 'Clocks of test mode: advance time to see a year in a minute.',
  },
  { name: 'events', description: 'The feed of changes, readable from any sequence.' },
  { name: 'webhooks', description: 'Endpoints that receive events, and their deliveries.' },
  {
    name: 'pricing-models',
    description: 'Catalogs side by side. An API key works in one of them.',
  },
  { name: 'catalogs', description: 'The older name of pricing models.' },
  {
    name: 'api-keys',
    description: 'API keys. `npm run keys -- create` and `createApiKey` in GraphQL make them.',
  },
  { name: 'cron-runs', description: 'Runs of the scheduled jobs.' },
];

/** What a reader needs before the first call. */
export const introduction = `Billing and subscriptions of an organization.

**Key.** Make one with \`npm run -s keys -- create\`, press *Authorize* and paste it. The page remembers it in this browser.

**To the first invoice.** Send these examples as they are, in this order:
\`POST /products\`, \`POST /customers\`, \`POST /payment-methods\`, \`POST /subscriptions\`, then \`GET /invoices\`.
In an example, \`prod_last\` stands for the last product, \`cust_last\` for the last customer and so on: this page puts the id in when you send it.

**Conventions.** Amounts of money are minor units (cents) in the currency of the organization, USD. Times are milliseconds since 1970 in UTC; on input also ISO 8601 date-times. Lists take \`limit\` and \`cursor\`. Unknown query parameters are refused, unknown fields of a body are ignored.

**Mode and pricing model.** Every record is live or test data and belongs to one pricing model, as does every API key. A body for another one is refused: use a key of that pricing model, from \`npm run keys -- create --pricing-model ID\` or \`createApiKey\` in GraphQL. The live mode has no payment processor yet.

**Safe to try.** \`Prefer: dry-run\` on any POST, PUT or DELETE answers what would happen and changes nothing. \`Idempotency-Key\` makes a request safe to repeat.`;
