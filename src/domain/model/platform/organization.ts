import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant } from '#domain/kernel/columns.ts';
import { newId } from '#domain/kernel/ids.ts';

const OrganizationSchema = defineEntity({
  name: 'Organization',
  checks: checksOf({
    organization_currency: `currency ~ '^[A-Z]{3}$'`,
  }),
  properties: {
    id: p
      .string()
      .primary()
      .onCreate(() => newId('org')),
    createdAt: instant(),
    /** ISO 4217, upper case: the currency of prices that name none, and of statistics without data. */
    currency: p.string().length(3),
  },
});

/** The seller: owner of pricing models, keys and customers. `OrganizationSettings` has its settings in each mode. */
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
