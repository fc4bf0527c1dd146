import { CustomerToken } from '#domain/api-keys/customer-token.ts';
import { conditionOf, usableOf } from './customer-tokens.ts';
import { builder } from './engine/builder.ts';
import { readable } from './engine/readable.ts';
import { byId, byTime, custom } from './engine/where.ts';

const CustomerTokenFilter = builder.inputType('CustomerTokenFilter', {
  description: 'A filter for customer tokens; all given fields must match.',
  fields: (t) => ({
    customer: t.id({ description: 'The id of the customer.' }),
    active: t.boolean({ description: 'Usable now (true), or revoked or expired (false).' }),
  }),
});

readable({
  one: 'customerToken',
  many: 'customerTokens',
  noun: 'customer token',
  entity: CustomerToken,
  filter: CustomerTokenFilter,
  conditionOf,
  where: {
    customer: byId('customer', 'The customer.'),
    apiKey: byId('apiKeyId', 'The API key that created the token.'),
    active: custom.flag('Usable now (true), or revoked or expired (false).', usableOf),
    expiresAt: byTime('expiresAt', 'The time when the token expires.'),
    revokedAt: byTime('revokedAt', 'The time of revocation.'),
  },
});
