import { ApiKey } from '#domain/api-keys/api-key.ts';
import { apiKeyTypes } from '#domain/kernel/session.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

export const ApiKeyType = builder.enumType('ApiKeyType', {
  description: 'Whether a key may do everything (secret) or read the catalog (publishable).',
  values: apiKeyTypes,
});

builder.node(ApiKey, {
  name: 'ApiKey',
  description: 'A credential of an organization for one pricing model and one mode.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`apikey_…`' },
  loadOne: (id, { em }) => em.findOne(ApiKey, id),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name for people.' }),
    token: t.exposeString('token', { description: 'The key with its middle left out.' }),
    type: t.expose('type', { type: ApiKeyType, description: 'What it may do.' }),
    active: t.exposeBoolean('active', { description: 'False once it is revoked.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'From when on it is no longer valid; null for never.',
    }),
    idpHostedBillingUserId: t.exposeString('idpHostedBillingUserId', {
      nullable: true,
      description: 'The user of a hosted billing page it was made for; null for other keys.',
    }),
    hashText: t.string({
      nullable: true,
      description: 'Always null: the hash of a key is not shown.',
      resolve: () => null,
    }),
  }),
});

const ApiKeyFilter = builder.inputType('ApiKeyFilter', {
  description: 'Which keys to list.',
  fields: (t) => ({
    type: t.field({ type: ApiKeyType, description: 'Of this type.' }),
    active: t.boolean({ description: 'Active (true) or revoked.' }),
  }),
});

readable({ one: 'apiKey', many: 'apiKeys', noun: 'API key', entity: ApiKey, filter: ApiKeyFilter });
