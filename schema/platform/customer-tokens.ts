import { customerTokenScopes } from '#domain/kernel/access-scopes.ts';
import type { Condition } from '#domain/kernel/lists/where.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ApiKey } from '#domain/model/platform/api-key.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { id, nullable, of, time } from '../engine/fields.ts';
import { optionalReference } from '../engine/reference.ts';
import { record } from '../engine/types.ts';

export const CustomerTokenScope = builder.enumType('CustomerTokenScope', {
  description: 'The operations of one customer that a customer token allows.',
  values: described(customerTokenScopes, {
    read: 'The token reads and follows the customer’s records. Every token has this scope.',
    claims_write: 'The token claims and releases resources of the customer’s subscriptions.',
    payment_methods_write:
      'The token adds and detaches payment methods of the customer and chooses the default.',
    payments_write: 'The token pays open invoices of the customer.',
    subscriptions_write:
      'The token cancels subscriptions of the customer and adjusts them to prices on sale.',
    customers_write: 'The token switches optional mails to the customer on and off.',
  }),
});

record(CustomerToken, {
  description: 'A short-lived credential for the browser of one customer.',
  loadOne: (id, { em }) => em.findOne(CustomerToken, id),
  fields: (t) => ({
    customerId: id('The id of the customer.'),
    customer: t.field({
      type: Customer,
      description: 'The only customer that the token sees.',
      resolve: ({ customer }) => customer.loadOrFail(),
    }),
    apiKeyId: nullable.id(
      'The id of the API key that created the token; its revocation revokes the token.',
    ),
    apiKey: optionalReference(ApiKey, 'apiKeyId', 'The API key that created the token.'),
    scopes: of([CustomerTokenScope], 'The operations that the token allows.'),
    allowedOrigins: nullable.of(
      ['String'],
      'The origins whose pages may use the token; null for all.',
    ),
    expiresAt: time('The time when the token expires.'),
    revokedAt: nullable.time('The time of revocation; null for a token that was not revoked.'),
    active: t.boolean({
      description: 'Whether requests may use the token now.',
      resolve: (token, _args, { now }) => token.isUsable(now),
    }),
  }),
});

export function usableOf(active: boolean, _path: string, { now }: Session): Condition {
  return active
    ? { revokedAt: null, expiresAt: { $gt: now } }
    : { $or: [{ revokedAt: { $ne: null } }, { expiresAt: { $lte: now } }] };
}
