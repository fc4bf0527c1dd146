/** The first segments of the pages' paths. The service answers them with the dashboard. */
export const pages = [
  'customers',
  'subscriptions',
  'invoices',
  'payments',
  'usage',
  'catalog',
  'test-clocks',
  'webhooks',
  'events',
  'settings',
  'invitations',
] as const;
