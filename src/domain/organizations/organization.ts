import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../columns.ts';
import { newId } from '../ids.ts';
import { taxTypes } from '../invoices/tax.ts';

export const dunningFinalActions = ['cancel', 'unpaid'] as const;
export const prorationCredits = ['none', 'balance'] as const;

const OrganizationSchema = defineEntity({
  name: 'Organization',
  properties: {
    id: p
      .string()
      .primary()
      .onCreate(() => newId('org')),
    createdAt: instant(),
    name: p.string(),
    /** ISO 4217, upper case. Every price of the organization is in it. */
    currency: p.string().length(3).default('USD'),
    allowMultipleSubscriptionsPerCustomer: p.boolean().default(false),
    /** Signs the links under which invoices and receipts are fetched. */
    documentSecret: p
      .string()
      .hidden()
      .defaultRaw(`gen_random_uuid()::text || gen_random_uuid()::text`)
      .ignoreSchemaChanges('default'),
    /** Days from one failed try to be paid to the next; none are left after them. */
    dunningRetryDays: p.json<readonly number[]>().defaultRaw(`'[3, 5, 5]'`),
    /** What becomes of a subscription that could not be paid for in the end. */
    dunningFinalAction: p.enum(dunningFinalActions).default('unpaid'),
    /** What becomes of what a customer has paid too much when its plan gets cheaper within a period. */
    prorationCredit: p.enum(prorationCredits).default('none'),
    /** How customers are taxed who have no rule of their own. */
    taxType: p.enum(taxTypes).nullable(),
    taxRatePercentage: p.string().nullable(),
    taxInclusive: p.boolean().default(false),
    taxCountry: p.string().length(2).nullable(),
    taxState: p.string().nullable(),
  },
});

/** Whoever sells: the owner of pricing models, keys and customers. */
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
