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

/** The scopes that only operators have: their own account, and the accounts of the organization. */
export const accountScopes = ['account_write', 'operators_write'] as const;

/** All scopes of an operator. */
export const operatorScopes = [...accessScopes, ...accountScopes] as const;

/** A scope of any caller; keys and tokens have none of `accountScopes`. */
export type CallerScope = (typeof operatorScopes)[number];

/** The roles of operators. An owner may do everything. */
export const operatorRoles = ['owner', 'finance', 'developer', 'support'] as const;

export type OperatorRole = (typeof operatorRoles)[number];

/** The scopes of each role; null for all. */
export const scopesOfRole: Readonly<Record<OperatorRole, readonly CallerScope[] | null>> = {
  owner: null,
  finance: [
    'read',
    'customer_tokens_write',
    'customers_write',
    'external_payments_write',
    'invoices_write',
    'payment_methods_write',
    'payments_write',
    'subscriptions_write',
    'account_write',
  ],
  developer: [
    'read',
    'api_keys_write',
    'catalog_write',
    'claims_write',
    'customer_tokens_write',
    'test_clocks_write',
    'usage_write',
    'webhooks_write',
    'account_write',
  ],
  support: ['read', 'account_write'],
};

/** The scopes that a customer token may have. Links name them by their places, so a new one is the last. */
export const customerTokenScopes = [
  'read',
  'claims_write',
  'payment_methods_write',
  'payments_write',
  'subscriptions_write',
  'customers_write',
] as const satisfies readonly AccessScope[];

export type CustomerTokenScope = (typeof customerTokenScopes)[number];

type Scopes = readonly CallerScope[] | null | undefined;

/** Whether a credential has a scope; one without a list of scopes has all. */
export const hasScope = (scopes: Scopes, scope: CallerScope) =>
  scopes == null || scopes.includes(scope);

/** The scopes of a list that a credential does not have. */
export const scopesBeyond = (
  own: Scopes,
  wanted: readonly AccessScope[] | null | undefined,
): readonly AccessScope[] => (wanted ?? accessScopes).filter((scope) => !hasScope(own, scope));
