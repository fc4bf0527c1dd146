import { ApiKey } from '#domain/model/platform/api-key.ts';
import type { IssuedApiKey } from '#domain/platform/access/issue-api-key.ts';
import {
  createApiKey,
  createApiKeyInput,
} from '#domain/platform/commands/api-keys/create-api-key.ts';
import {
  revokeApiKey,
  revokeApiKeyInput,
} from '#domain/platform/commands/api-keys/revoke-api-key.ts';
import {
  rotateApiKey,
  rotateApiKeyInput,
} from '#domain/platform/commands/api-keys/rotate-api-key.ts';
import {
  updateApiKey,
  updateApiKeyInput,
} from '#domain/platform/commands/api-keys/update-api-key.ts';
import { expectedVersion } from '../engine/expected-version.ts';
import { id, nullable, of, text } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { payloadName } from '../engine/payload.ts';
import { input, object } from '../engine/types.ts';
import { ApiKeyScope, ApiKeyType } from './api-keys.ts';

const CreateApiKey = input('CreateApiKeyInput', {
  description: 'A new key.',
  fields: {
    name: text('The display name.'),
    type: nullable.of(ApiKeyType, 'The type of key; `secret` when absent.'),
    pricingModelId: nullable.id(
      'A pricing model of the same organization and mode; the calling key’s when absent.',
    ),
    expiresAt: nullable.time('The time when the key expires; never when absent.'),
    scopes: nullable.of(
      [ApiKeyScope],
      'The operations that a secret key allows besides reading; those of the calling key when absent.',
    ),
    allowedOrigins: nullable.of(
      ['String'],
      'The origins whose pages may use a publishable key; all when absent.',
    ),
  },
});

const UpdateApiKey = input('UpdateApiKeyInput', {
  description: 'Changes of a key; absent fields keep their values.',
  fields: {
    name: nullable.text('The display name.'),
    allowedOrigins: nullable.of(
      ['String'],
      'The origins whose pages may use a publishable key, at most 50; an empty list allows all.',
    ),
  },
});

const issued = (mutation: 'createApiKey' | 'rotateApiKey') =>
  object<IssuedApiKey>(payloadName(mutation))({
    description: 'A new API key with its full text.',
    fields: () => ({
      apiKey: of(ApiKey, 'The record of the key.'),
      token: text('The key itself. Only this response contains it.'),
    }),
  });

mutation('createApiKey', {
  returns: issued('createApiKey'),
  description:
    'Issues an API key. Errors: BAD_REQUEST for an unknown pricing model or a past expiry; FORBIDDEN for a scope that the calling key lacks.',
  args: { apiKey: of(CreateApiKey, 'The key.') },
  input: createApiKeyInput,
  command: createApiKey,
});

mutation('updateApiKey', {
  returns: [ApiKey, 'The changed key.'],
  description:
    'Changes the name of an API key, or the origins of a publishable one. Errors: NOT_FOUND; BAD_REQUEST for origins of a secret key.',
  args: {
    id: id('The id of the key.'),
    apiKey: of(UpdateApiKey, 'The changes.'),
    expectedVersion,
  },
  input: updateApiKeyInput,
  command: updateApiKey,
});

mutation('rotateApiKey', {
  returns: issued('rotateApiKey'),
  description:
    'Replaces an API key by a new one of the same type. Errors: NOT_FOUND; BAD_REQUEST for a key that is no longer valid; FORBIDDEN for a key that may do more than the calling one.',
  args: {
    id: id('The id of the key to replace.'),
    overlapSeconds: nullable.int(
      'The time for which the old key stays valid, 0 to 604800 seconds; 0 when absent.',
    ),
  },
  input: rotateApiKeyInput,
  command: rotateApiKey,
});

mutation('revokeApiKey', {
  returns: [ApiKey, 'The revoked key.'],
  description:
    'Revokes an API key immediately and permanently, with the customer tokens that it created. Errors: NOT_FOUND.',
  args: { id: id('The id of the key.') },
  input: revokeApiKeyInput,
  command: revokeApiKey,
});
