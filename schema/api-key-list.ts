import { ApiKey } from '#domain/api-keys/api-key.ts';
import { ApiKeyType } from './api-keys.ts';
import { builder } from './engine/builder.ts';
import { readable } from './engine/readable.ts';
import { byEnum, byFlag, byText, byTime } from './engine/where.ts';

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
