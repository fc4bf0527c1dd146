import { ApiKey } from '#domain/api-keys/api-key.ts';
import { apiKeyTypes } from '#domain/kernel/session.ts';
import { builder } from './engine/builder.ts';
import { described } from './engine/described.ts';
import { loadOne } from './engine/load.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { byEnum, byFlag, byText, byTime } from './engine/where.ts';

export const ApiKeyType = builder.enumType('ApiKeyType', {
  description: 'The type of an API key.',
  values: described(apiKeyTypes, {
    publishable: 'The key reads the catalog only.',
    secret: 'The key reads and writes everything in its pricing model.',
  }),
});

builder.node(ApiKey, {
  name: 'ApiKey',
  description: 'An API key of an organization, for one pricing model and one mode.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: 'The id, `apikey_…`.' },
  loadOne: loadOne(ApiKey),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The display name.' }),
    token: t.exposeString('token', { description: 'The key with its middle part masked.' }),
    type: t.expose('type', { type: ApiKeyType, description: 'The type of key.' }),
    active: t.exposeBoolean('active', {
      description: 'Whether the key is active; false after revocation.',
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

const ApiKeyFilter = builder.inputType('ApiKeyFilter', {
  description: 'A filter for keys; all given fields must match.',
  fields: (t) => ({
    type: t.field({ type: ApiKeyType, description: 'The type.' }),
    active: t.boolean({ description: 'Active (true) or revoked (false).' }),
  }),
});

readable({
  one: 'apiKey',
  many: 'apiKeys',
  noun: 'API key',
  entity: ApiKey,
  filter: ApiKeyFilter,
  where: {
    name: byText('name', 'The display name.'),
    type: byEnum(ApiKeyType, 'type', 'The type.'),
    active: byFlag('active', 'Active (true) or revoked (false).'),
    expiresAt: byTime('expiresAt', 'The time when the key expires.'),
  },
  orders: {
    name: { property: 'name', kind: 'text', words: 'name' },
  },
});
