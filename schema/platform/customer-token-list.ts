import { CustomerToken } from '#domain/model/platform/customer-token.ts';
import { readable } from '../engine/readable.ts';
import { byId, byTime, custom } from '../engine/where.ts';
import { usableOf } from './customer-tokens.ts';

readable({
  one: 'customerToken',
  many: 'customerTokens',
  noun: 'customer token',
  entity: CustomerToken,
  where: {
    customer: byId('customer', 'The customer.'),
    apiKey: byId('apiKeyId', 'The API key that created the token.'),
    active: custom.flag('Usable now (true), or revoked or expired (false).', usableOf),
    expiresAt: byTime('expiresAt', 'The time when the token expires.'),
    revokedAt: byTime('revokedAt', 'The time of revocation.'),
  },
});
