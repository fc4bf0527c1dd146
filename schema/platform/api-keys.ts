import { accessScopes } from '#domain/kernel/access-scopes.ts';
import { apiKeyTypes } from '#domain/kernel/session.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord } from '../engine/readable.ts';

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

builder.node(ApiKey, {
  name: 'ApiKey',
  description: 'An API key of an organization, for one pricing model and one mode.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('apikey'),
  loadOne: loadOne(ApiKey),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The display name.' }),
    token: t.exposeString('token', { description: 'The key with its middle part masked.' }),
    type: t.expose('type', { type: ApiKeyType, description: 'The type of key.' }),
    active: t.exposeBoolean('active', {
      description: 'Whether the key is active; false after revocation.',
    }),
    scopes: t.field({
      type: [ApiKeyScope],
      nullable: true,
      description: 'The operations that a secret key allows; null for all.',
      resolve: ({ scopes }) => scopes ?? null,
    }),
    allowedOrigins: t.exposeStringList('allowedOrigins', {
      nullable: true,
      description: 'The origins whose pages may use a publishable key; null for all.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when the key expires; null for never.',
    }),
    idpHostedBillingUserId: t.exposeString('idpHostedBillingUserId', {
      nullable: true,
      description:
        'The user of the hosted billing page that the key belongs to; null for other keys.',
    }),
    hashText: t.string({
      nullable: true,
      description: 'Always null; the API never returns the hash of a key.',
      resolve: () => null,
    }),
  }),
});
