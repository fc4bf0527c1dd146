import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, organizationColumn } from '#domain/kernel/columns.ts';

/** How long an answer is stored. */
export const answersKeptHours = 24;

const IdempotencyKeySchema = defineEntity({
  name: 'IdempotencyKey',
  indexes: [{ name: 'idempotency_key_age', properties: ['createdAt'] }],
  checks: checksOf({
    idempotency_key_done: 'answer is not null or progress is not null',
  }),
  properties: {
    /** Keys belong to the tenant, not to the API key that sends them: a repeat after a key rotation is a repeat. */
    pricingModelId: p.string().primary(),
    key: p.string().primary(),
    organizationId: organizationColumn(),
    createdAt: instant(),
    /** SHA-256 of the whole request: a repeat must equal it. */
    fingerprint: p.string().length(64),
    /** The result of the first transaction of an operation of several, from which a repeat resumes. */
    progress: p.json<unknown>().nullable(),
    /** The final answer, as `kept-answers.ts` writes it; null until there is one. */
    answer: p.text().nullable(),
  },
});

/** An `Idempotency-Key` and its result, for 24 hours. The transaction that does the work writes the row. */
export class IdempotencyKey extends IdempotencyKeySchema.class {}
IdempotencyKeySchema.setClass(IdempotencyKey);
