/** The scopes of credentials. Each mutation needs one scope; `read` covers all queries and live updates. */
export const accessScopes = [
  'read',
  'api_keys_write',
  'catalog_write',
  'claims_write',
  'customer_tokens_write',
  'customers_write',
  'external_payments_write',
  'invoices_write',
  'organization_write',
  'payment_methods_write',
  'payments_write',
  'subscriptions_write',
  'test_clocks_write',
  'usage_write',
  'webhooks_write',
] as const;

export type AccessScope = (typeof accessScopes)[number];

/** The scopes that a customer token may have. */
export const customerTokenScopes = [
  'read',
  'claims_write',
  'payment_methods_write',
  'payments_write',
  'subscriptions_write',
] as const satisfies readonly AccessScope[];

export type CustomerTokenScope = (typeof customerTokenScopes)[number];

type Scopes = readonly AccessScope[] | null | undefined;

/** Whether a credential has a scope; one without a list of scopes has all. */
export const hasScope = (scopes: Scopes, scope: AccessScope) =>
  scopes == null || scopes.includes(scope);

/** The scopes of a list that a credential does not have. */
export const scopesBeyond = (own: Scopes, wanted: Scopes): readonly AccessScope[] =>
  (wanted ?? accessScopes).filter((scope) => !hasScope(own, scope));
