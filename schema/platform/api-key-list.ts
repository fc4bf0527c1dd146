import { ApiKey } from '#domain/model/platform/api-key.ts';
import { readable } from '../engine/readable.ts';
import { byEnum, byFlag, byText, byTime } from '../engine/where.ts';
import { ApiKeyType } from './api-keys.ts';

readable({
  one: 'apiKey',
  many: 'apiKeys',
  noun: 'API key',
  entity: ApiKey,
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
