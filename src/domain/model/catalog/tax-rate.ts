import { defineEntity, p } from '@mikro-orm/core';
import { instant, tenantColumns } from '#domain/kernel/columns.ts';
import { taxCategories, taxTypes } from './tax.ts';

export const customerKinds = ['any', 'business', 'consumer'] as const;

const TaxRateSchema = defineEntity({
  name: 'TaxRate',
  indexes: [
    { name: 'tax_rate_page', properties: ['pricingModelId', 'createdAt', 'position', 'id'] },
    { name: 'tax_rate_place', properties: ['pricingModelId', 'country'] },
  ],
  checks: [
    { name: 'tax_rate_country', expression: `country ~ '^[A-Z]{2}$'` },
    { name: 'tax_rate_type', expression: `tax_type <> 'none'` },
    {
      name: 'tax_rate_percentage',
      expression: `rate_percentage ~ '^(100(\\.0{1,4})?|\\d{1,2}(\\.\\d{1,4})?)$'`,
    },
    {
      name: 'tax_rate_category',
      expression: `(category = 'S') = (rate_percentage::numeric > 0)`,
    },
    { name: 'tax_rate_validity', expression: 'valid_from < valid_until' },
  ],
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
