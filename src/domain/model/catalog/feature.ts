import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Resource } from './resource.ts';
import type { RolloverTerms } from './rollover.ts';
import { UsageMeter } from './usage-meter.ts';

export const featureTypes = ['toggle', 'usage_credit_grant', 'resource'] as const;
export const renewalFrequencies = ['once', 'every_billing_period'] as const;
/** The basis of an amount of credits: each unit of an item, or the subscription with all its items. */
export const grantBases = ['item', 'subscription'] as const;

const FeatureSchema = defineEntity({
  name: 'Feature',
  uniques: [{ name: 'feature_slug_unique', properties: ['pricingModelId', 'slug'] }],
  indexes: [pageIndex('feature')],
  checks: checksOf({
    feature_variant: `case type
        when 'toggle' then num_nonnulls(amount, usage_meter_id, renewal_frequency, resource_id) = 0
        when 'usage_credit_grant' then amount > 0 and usage_meter_id is not null
          and renewal_frequency is not null and resource_id is null
        else amount > 0 and resource_id is not null
          and num_nonnulls(usage_meter_id, renewal_frequency) = 0 end`,
    feature_per: `(type = 'usage_credit_grant') = (per is not null)`,
    feature_rollover: `rollover is null or renewal_frequency = 'every_billing_period'`,
  }),
  properties: {
    ...tenantColumns('feature'),
    type: p.enum(featureTypes),
    slug: p.string(),
    name: p.string(),
    description: p.text(),
    active: p.boolean().default(true),
    /** Credits (usage_credit_grant) or units of capacity (resource) for one unit of the product; see `per`. */
    amount: safeInteger().nullable(),
    usageMeter: () => p.manyToOne(UsageMeter).ref().nullable().deleteRule('restrict').index(),
    renewalFrequency: p.enum(renewalFrequencies).nullable(),
    /** The basis of the amount; null unless it grants credits. */
    per: p.enum(grantBases).nullable(),
    /** How unused credits continue in later periods; null where they expire. */
    rollover: p.json<RolloverTerms>().nullable(),
    resource: () => p.manyToOne(Resource).ref().nullable().deleteRule('restrict').index(),
    deactivatedAt: instant().nullable().hidden(),
  },
});

/** A grant of a product: access (`toggle`), usage credits or capacity of a resource. */
export class Feature extends FeatureSchema.class {
  get usageMeterId(): Opt<string> | null {
    return this.usageMeter?.id ?? null;
  }

  get resourceId(): Opt<string> | null {
    return this.resource?.id ?? null;
  }
}
FeatureSchema.setClass(Feature);
