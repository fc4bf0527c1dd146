/** The groups of endpoints in the order of work, from the catalog to operation. */
export const tags: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'products', description: '1. Products with a price and features.' },
  {
    name: 'prices',
    description: 'Further prices of a product, such as a yearly price, and prices of usage meters.',
  },
  {
    name: 'price-moves',
    description: 'Moves of all subscribers of a price to another one.',
  },
  { name: 'features', description: 'Toggles, usage credits and capacity that products grant.' },
  { name: 'product-features', description: 'The features of each product.' },
  { name: 'usage-meters', description: 'Meters that count usage events.' },
  { name: 'resources', description: 'Capacity that is claimed, such as seats.' },
  { name: 'discounts', description: 'Discounts, which customers redeem by their codes.' },
  { name: 'discount-redemptions', description: 'The uses of discounts, with their terms.' },
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
  {
    name: 'consolidated-invoices',
    description: 'Documents for invoices of several subscriptions of a customer.',
  },
  { name: 'credit-notes', description: 'Documents for what invoices are reduced by.' },
  {
    name: 'books',
    description: 'The sums of invoices, credit notes and money of a customer, which must agree.',
  },
  {
    name: 'book-differences',
    description: 'Books that do not agree, as the nightly check found them.',
  },
  { name: 'payments', description: 'Payments and refunds.' },
  { name: 'disputes', description: 'Objections of customers’ banks to payments.' },
  {
    name: 'checkout-sessions',
    description: 'Pages where customers buy, add a payment method or activate a subscription.',
  },
  {
    name: 'purchases',
    description: 'Products and subscriptions that customers have bought at a checkout.',
  },
  {
    name: 'remittances',
    description: 'Payments by hand: transfers, checks and cash, expected or received.',
  },
  {
    name: 'usage-events',
    description: 'Usage, recorded singly or in bulk, by subscription or by customer.',
  },
  {
    name: 'usage-acceptances',
    description: 'The state of usage that was accepted with `Prefer: respond-async`.',
  },
  { name: 'usage-refusals', description: 'Accepted usage that could not be counted.' },
  { name: 'usage-credits', description: 'Credits that cover usage.' },
  { name: 'subscription-phases', description: 'Items from a later billing period on.' },
  { name: 'one-off-charges', description: 'Charges that the next invoice bills once.' },
  { name: 'prepaid-credits', description: 'Money in advance, which pays invoices.' },
  { name: 'prepaid-top-ups', description: 'Rules that buy prepaid credit when little remains.' },
  { name: 'top-ups', description: 'Rules that buy usage credits when few remain.' },
  { name: 'alerts', description: 'Thresholds on usage, spend and credits, and hard limits.' },
  { name: 'alert-rules', description: 'Alerts for each customer, also later ones.' },
  { name: 'alert-crossings', description: 'The times that a threshold was reached.' },
  { name: 'resource-claims', description: 'Claims of capacity: claim, release, read usage.' },
  {
    name: 'reservations',
    description: 'Capacity that is reserved for a while, then confirmed or released.',
  },
  { name: 'billing-periods', description: 'The billing periods of subscriptions.' },
  { name: 'billing-runs', description: 'The runs that bill a period.' },
  { name: 'tax-rates', description: 'Tax rates by place, tax code and kind of customer.' },
  {
    name: 'test-clocks',
    description: 'Test clocks of test mode, which simulate the passage of time.',
  },
  { name: 'events', description: 'The change feed, readable from any sequence.' },
  { name: 'webhooks', description: 'Endpoints that receive events, and their deliveries.' },
  { name: 'mails', description: 'Mails to customers, with their content and attempts.' },
  { name: 'mail-settings', description: 'The kinds of mails that are on, and their sender.' },
  { name: 'mail-templates', description: 'Your own texts of mails, by kind and language.' },
  {
    name: 'pricing-models',
    description: 'Pricing models, which are separate catalogs. An API key belongs to one of them.',
  },
  { name: 'catalogs', description: 'The former name of pricing models.' },
  {
    name: 'api-keys',
    description:
      'API keys. Create them with `tollgate keys create` or with `createApiKey` in GraphQL.',
  },
  { name: 'cron-runs', description: 'Runs of the scheduled jobs.' },
];

/** The introduction to the document: the steps before the first call, and the conventions. */
export const introduction = `Billing and subscriptions of an organization.

**Key.** Create an API key with \`tollgate keys create\`, press *Authorize* and paste it. The page stores it in this browser.

**First invoice.** Send these examples unchanged, in this order:
\`POST /products\`, \`POST /customers\`, \`POST /payment-methods\`, \`POST /subscriptions\`, then \`GET /invoices\`.
In an example, \`prod_last\` represents the last product, \`cust_last\` the last customer and so on. This page inserts the id when you send the request.

**Conventions.** Amounts of money are minor units of their currency: cents in USD, yen in JPY. Times are milliseconds since 1970 in UTC; input also accepts ISO 8601 date-times. Lists take \`limit\` and \`cursor\`, conditions such as \`status=open,paid\`, and \`sort\`. Unknown query parameters are rejected; unknown fields of a body are ignored.

**Mode and pricing model.** Every record and every API key belongs to live mode or test mode, and to one pricing model. A body or a query for another pricing model is rejected. Use an API key of that pricing model, from \`tollgate keys create --pricing-model ID\` or \`createApiKey\` in GraphQL. Live mode charges through a Stripe account, which an administrator sets up.

**Dry runs and repeats.** \`Prefer: dry-run\` on any POST, PUT or DELETE shows the effect and changes nothing. \`Idempotency-Key\` makes a request safe to repeat.`;
