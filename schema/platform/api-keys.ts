import { accessScopes } from '#domain/kernel/access-scopes.ts';
import { apiKeyTypes } from '#domain/kernel/session.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, nullable, of, text } from '../engine/fields.ts';
import { record } from '../engine/types.ts';

export const ApiKeyType = builder.enumType('ApiKeyType', {
  description: 'The type of an API key.',
  values: described(apiKeyTypes, {
    publishable: 'The key reads the catalog only.',
    secret: 'The key reads and writes in its pricing model what its scopes allow.',
  }),
});

export const ApiKeyScope = builder.enumType('ApiKeyScope', {
  description: 'The operations that a secret key allows.',
  values: described(accessScopes, {
    read: 'The key reads and follows everything. Every secret key has this scope.',
    api_keys_write:
      'The key creates, rotates and revokes API keys that may do no more than itself.',
    catalog_write: 'The key writes products, prices, features, resources and usage meters.',
    claims_write: 'The key claims, reserves and releases resources.',
    customer_tokens_write: 'The key creates and revokes customer tokens.',
    customers_write: 'The key creates, updates and archives customers.',
    external_payments_write: 'Payments that were received without a payment processor.',
    invoices_write: 'The key creates, updates, finalizes and voids invoices.',
    organization_write: 'The key changes the settings of the organization.',
    payment_methods_write: 'The key adds and detaches payment methods and chooses the default.',
    payments_write: 'The key pays invoices and refunds payments.',
    subscriptions_write: 'The key creates, adjusts and cancels subscriptions.',
    test_clocks_write: 'The key creates, advances and deletes test clocks.',
    usage_write: 'The key records, replaces and voids usage, and grants usage credits.',
    webhooks_write: 'The key writes webhooks and repeats their deliveries.',
  }),
});

record(ApiKey, {
  description: 'An API key of an organization, for one pricing model and one mode.',
  fields: (t) => ({
    name: text('The display name.'),
    token: text('The key with its middle part masked.'),
    type: of(ApiKeyType, 'The type of key.'),
    active: flag('Whether the key is active; false after revocation.'),
    scopes: t.field({
      type: [ApiKeyScope],
      nullable: true,
      description: 'The operations that a secret key allows; null for all.',
      resolve: ({ scopes }) => scopes ?? null,
    }),
    allowedOrigins: nullable.of(
      ['String'],
      'The origins whose pages may use a publishable key; null for all.',
    ),
    expiresAt: nullable.time('The time when the key expires; null for never.'),
    idpHostedBillingUserId: nullable.text(
      'The user of the hosted billing page that the key belongs to; null for other keys.',
    ),
    hashText: t.string({
      nullable: true,
      description: 'Always null; the API never returns the hash of a key.',
      resolve: () => null,
    }),
  }),
});
