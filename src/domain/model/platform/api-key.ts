import { defineEntity, p } from '@mikro-orm/core';
import type { AccessScope } from '#domain/kernel/access-scopes.ts';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import { apiKeyTypes } from '#domain/kernel/session.ts';

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  uniques: [{ name: 'api_key_hash_text_unique', properties: ['hashText'] }],
  checks: checksOf({
    api_key_scopes: `scopes is null or type = 'secret'`,
    api_key_origins: `allowed_origins is null or type = 'publishable'`,
  }),
  properties: {
    ...tenantColumns('apikey'),
    name: p.string(),
    /** The key with its middle masked; the key itself is not stored. */
    token: p.string(),
    type: p.enum(apiKeyTypes),
    /** The scopes of a secret key; null when it may do everything. */
    scopes: p.json<readonly AccessScope[]>().nullable(),
    /** The origins whose pages may use a publishable key; null for all. */
    allowedOrigins: p.json<readonly string[]>().nullable(),
    active: p.boolean().default(true),
    expiresAt: instant().nullable(),
    idpHostedBillingUserId: p.string().nullable(),
    /** SHA-256 of the key, in hexadecimal; it is for authentication alone, and never shown. */
    hashText: p.string().length(64).hidden(),
  },
});

/** A credential of an organization for one pricing model and one mode. */
export class ApiKey extends ApiKeySchema.class {
  /** Whether a request may use the key at this instant. */
  isUsable(now: Date) {
    return this.active && (this.expiresAt == null || now < this.expiresAt);
  }

  /** Ends the key's validity at `at`, but never extends it. */
  expire(at: Date) {
    if (this.expiresAt == null || at < this.expiresAt) this.expiresAt = at;
  }

  revoke() {
    this.active = false;
  }
}
ApiKeySchema.setClass(ApiKey);
