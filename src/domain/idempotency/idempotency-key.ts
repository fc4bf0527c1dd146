import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../columns.ts';

const IdempotencyKeySchema = defineEntity({
  name: 'IdempotencyKey',
  indexes: [{ name: 'idempotency_key_age', properties: ['createdAt'] }],
  properties: {
    /** Keys of one caller do not meet another's. */
    apiKeyId: p.string().primary(),
    key: p.string().primary(),
    createdAt: instant(),
    /** SHA-256 of method, path, preferences and body: what a repeat must equal. */
    fingerprint: p.string().length(64),
    /** Which try holds the row; a command commits only while it is its own. */
    attempt: p.string(),
    /** Until then the first request is taken to be still running. */
    leasedUntil: instant(),
    /** Whether a command has been committed for the first request. */
    committed: p.boolean().default(false),
    status: p.integer().nullable(),
    headers: p.json<Record<string, string>>().nullable(),
    body: p.text().nullable(),
  },
});

/** The first answer to a request that carried an `Idempotency-Key`, kept for 24 hours. */
export class IdempotencyKey extends IdempotencyKeySchema.class {}
IdempotencyKeySchema.setClass(IdempotencyKey);
