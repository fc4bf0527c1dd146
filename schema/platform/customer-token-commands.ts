import { Customer } from '#domain/model/platform/customer.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';
import {
  createCustomerToken,
  createCustomerTokenInput,
  type IssuedCustomerToken,
} from '#domain/platform/commands/api-keys/create-customer-token.ts';
import {
  revokeCustomerToken,
  revokeCustomerTokenInput,
} from '#domain/platform/commands/api-keys/revoke-customer-token.ts';
import {
  type RevokedCustomerTokens,
  revokeCustomerTokens,
  revokeCustomerTokensInput,
} from '#domain/platform/commands/api-keys/revoke-customer-tokens.ts';
import { id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { object } from '../engine/types.ts';
import { CustomerTokenScope } from './customer-tokens.ts';

const CreateCustomerTokenPayload = object<IssuedCustomerToken>('CreateCustomerTokenPayload')({
  description: 'A new customer token with its full text.',
  fields: () => ({
    customerToken: of(CustomerToken, 'The record of the token.'),
    token: text('The token itself, `ct_…`. Only this response contains it.'),
  }),
});

const RevokeCustomerTokensPayload = object<RevokedCustomerTokens>('RevokeCustomerTokensPayload')({
  description: 'The customer tokens that a call has revoked.',
  fields: (t) => ({
    customer: of(Customer, 'Their customer.'),
    revokedCount: t.int({
      description: 'The number of tokens that were valid until then.',
      resolve: ({ customerTokens }) => customerTokens.length,
    }),
  }),
});

mutation('createCustomerToken', {
  returns: CreateCustomerTokenPayload,
  description:
    'Issues a short-lived token for the browser of one customer. It ends with its time, its revocation, the archiving of the customer or the revocation of the calling key. Errors: BAD_REQUEST for an unknown or archived customer; FORBIDDEN for a scope that the calling key lacks.',
  args: {
    customer: id('The id of the customer.'),
    scopes: nullable.of(
      [CustomerTokenScope],
      'The operations that the token allows besides reading; none when absent.',
    ),
    expiresIn: nullable.int('The life of the token, 60 to 86400 seconds; 3600 when absent.'),
    allowedOrigins: nullable.of(
      ['String'],
      'The origins whose pages may use the token; the list of the organization when absent.',
    ),
  },
  input: createCustomerTokenInput,
  command: createCustomerToken,
});

mutation('revokeCustomerToken', {
  returns: [CustomerToken, 'The revoked token.'],
  description:
    'Revokes a customer token immediately and permanently, and ends its live updates. Errors: NOT_FOUND.',
  args: { id: id('The id of the token.') },
  input: revokeCustomerTokenInput,
  command: revokeCustomerToken,
});

mutation('revokeCustomerTokens', {
  returns: RevokeCustomerTokensPayload,
  description:
    'Revokes all valid tokens of a customer, and ends their live updates. It ends all links to its portal, and those to the switches of its mails. Errors: NOT_FOUND.',
  args: { customer: id('The id of the customer.') },
  input: revokeCustomerTokensInput,
  command: revokeCustomerTokens,
});
