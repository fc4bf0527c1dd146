import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '#domain/kernel/columns.ts';

const SecretsKeySchema = defineEntity({
  name: 'SecretsKey',
  properties: { id: p.string().primary(), createdAt: instant() },
});

/** The id of a key that encrypts stored secrets: each process must have the key. */
export class SecretsKey extends SecretsKeySchema.class {}
SecretsKeySchema.setClass(SecretsKey);
