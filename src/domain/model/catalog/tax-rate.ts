import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { taxCategories, taxTypes } from './tax.ts';

export const customerKinds = ['any', 'business', 'consumer'] as const;

const TaxRateSchema = defineEntity({
  name: 'TaxRate',
  indexes: [
    pageIndex('tax_rate'),
    { name: 'tax_rate_place', properties: ['pricingModelId', 'country'] },
  ],
  checks: checksOf({
    tax_rate_country: `country ~ '^[A-Z]{2}$'`,
    tax_rate_type: `tax_type <> 'none'`,
    tax_rate_percentage: `rate_percentage ~ '^(100(\\.0{1,4})?|\\d{1,2}(\\.\\d{1,4})?)$'`,
    tax_rate_category: `(category = 'S') = (rate_percentage::numeric > 0)`,
    tax_rate_validity: 'valid_from < valid_until',
  }),
  properties: {
    ...tenantColumns('tax_rate'),
    name: p.string(),
    taxType: p.enum(taxTypes),
    /** A decimal number from 0 to 100 of up to four places. */
    ratePercentage: p.string(),
    /** ISO 3166-1. */
    country: p.string().length(2),
    /** The state, province or region; null for the whole country. */
    state: p.string().nullable(),
    /** The beginning of postal codes; null for all of them. */
    postalPrefix: p.string().nullable(),
    /** The tax code of products; null for all products. */
    taxCode: p.string().nullable(),
    customerKind: p.enum(customerKinds).default('any'),
    /** Whether the taxes before it are part of its base. */
    compound: p.boolean().default(false),
    category: p.enum(taxCategories).default('S'),
    /** Why there is no tax, for documents. */
    reason: p.text().nullable(),
    /** Null without a beginning. */
    validFrom: instant().nullable(),
    /** Exclusive; null without an end. */
    validUntil: instant().nullable(),
  },
});

/** One tax at one place, for some products and customers and for some time. */
export class TaxRate extends TaxRateSchema.class {}
TaxRateSchema.setClass(TaxRate);
