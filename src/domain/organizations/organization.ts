import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '#domain/kernel/columns.ts';
import { newId } from '#domain/kernel/ids.ts';

const OrganizationSchema = defineEntity({
  name: 'Organization',
  properties: {
    id: p
      .string()
      .primary()
      .onCreate(() => newId('org')),
    createdAt: instant(),
    /** ISO 4217, upper case. Every price of the organization is in it. */
    currency: p.string().length(3).default('USD'),
  },
});

/** The seller: owner of pricing models, keys and customers. `OrganizationSettings` has its settings in each mode. */
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
