import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './columns.ts';

const SecretsKeySchema = defineEntity({
  name: 'SecretsKey',
  properties: { id: p.string().primary(), createdAt: instant() },
});

/** A key that stored secrets are encrypted with, by its id: each process must have it. */
export class SecretsKey extends SecretsKeySchema.class {}
SecretsKeySchema.setClass(SecretsKey);
