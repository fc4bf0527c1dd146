import { defineEntity, type Opt, p } from '@mikro-orm/core';
import type { CustomerTokenScope } from '#domain/kernel/access-scopes.ts';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Customer } from './customer.ts';

const CustomerTokenSchema = defineEntity({
  name: 'CustomerToken',
  indexes: [
    pageIndex('customer_token'),
    { name: 'customer_token_customer', properties: ['customer', 'expiresAt'] },
    { name: 'customer_token_key', properties: ['apiKeyId', 'expiresAt'] },
    { name: 'customer_token_age', properties: ['expiresAt'] },
  ],
  checks: checksOf({
    customer_token_life: 'expires_at > created_at',
  }),
  properties: {
    ...tenantColumns('customer_token'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    /** The key that created it, whose revocation revokes it; null for the process itself. */
    apiKeyId: p.string().nullable(),
    scopes: p.json<readonly CustomerTokenScope[]>(),
    /** The origins whose pages may use it; null for all. */
    allowedOrigins: p.json<readonly string[]>().nullable(),
    expiresAt: instant(),
    revokedAt: instant().nullable(),
  },
});

/** A short-lived credential of one customer, for a browser. Its text is signed and not stored. */
export class CustomerToken extends CustomerTokenSchema.class {
  get customerId(): Opt<string> {
    return this.customer.id;
  }

  /** Whether a request may use the token at this instant. */
  isUsable(now: Date) {
    return this.revokedAt == null && now < this.expiresAt;
  }

  revoke(now: Date) {
    this.revokedAt ??= now;
  }
}
CustomerTokenSchema.setClass(CustomerToken);
