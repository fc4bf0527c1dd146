import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import {
  Feature,
  featureTypes,
  grantBases,
  renewalFrequencies,
} from '#domain/model/catalog/feature.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { SubscriptionItem } from './subscription-item.ts';

const SubscriptionItemFeatureSchema = defineEntity({
  name: 'SubscriptionItemFeature',
  uniques: [
    {
      name: 'subscription_item_feature_unique',
      properties: ['feature', 'subscriptionItem'],
    },
  ],
  indexes: [
    pageIndex('subscription_item_feature'),
    { name: 'subscription_item_feature_item', properties: ['subscriptionItem'] },
    { name: 'subscription_item_feature_customer', properties: ['customerId'] },
    {
      name: 'subscription_item_feature_capacity',
      properties: ['subscriptionId', 'resourceId'],
      where: { resourceId: { $ne: null } },
    },
  ],
  checks: checksOf({
    subscription_item_feature_variant: `case type
        when 'toggle' then num_nonnulls(amount, usage_meter_id, renewal_frequency, resource_id) = 0
        when 'usage_credit_grant' then amount > 0 and usage_meter_id is not null
          and renewal_frequency is not null and resource_id is null
        else amount > 0 and resource_id is not null
          and num_nonnulls(usage_meter_id, renewal_frequency) = 0 end`,
  }),
  properties: {
    ...tenantColumns('sub_feature'),
    subscriptionItem: () => p.manyToOne(SubscriptionItem).ref().deleteRule('cascade'),
    feature: () => p.manyToOne(Feature).ref().eager().deleteRule('restrict'),
    productFeature: () => p.manyToOne(ProductFeature).ref().nullable().index(),
    type: p.enum(featureTypes),
    /** Credits (usage_credit_grant) or units of capacity (resource). */
    amount: safeInteger().nullable(),
    usageMeterId: p.string().nullable(),
    renewalFrequency: p.enum(renewalFrequencies).nullable(),
    /** The basis of the amount of credits; each unit of the item where null. */
    per: p.enum(grantBases).nullable().hidden(),
    resourceId: p.string().nullable(),
    manuallyCreated: p.boolean().default(false),
    expiredAt: instant().nullable(),
    /** When the product ended its grant, though this subscription still has the feature. */
    detachedAt: instant().nullable(),
    detachedReason: p.string().nullable(),
    customerId: p.string().hidden(),
    subscriptionId: p.string().hidden(),
  },
});

/** The grant of a feature by a subscription item, until it expires. */
export class SubscriptionItemFeature extends SubscriptionItemFeatureSchema.class {
  get subscriptionItemId(): Opt<string> {
    return this.subscriptionItem.id;
  }

  get featureId(): Opt<string> {
    return this.feature.id;
  }

  get productFeatureId(): Opt<string> | null {
    return this.productFeature?.id ?? null;
  }

  isExpired(now: Date) {
    return this.expiredAt != null && this.expiredAt <= now;
  }

  /** Ends it at `at`; an ended one keeps its instant. */
  expire(at: Date) {
    if (!this.isExpired(at)) this.expiredAt = at;
  }

  /** Detaches it from the product's grant, which has ended; the subscription keeps it until the item ends. */
  detach(at: Date) {
    this.productFeature = null;
    this.detachedAt = at;
    this.detachedReason = 'product_feature_expired';
  }
}
SubscriptionItemFeatureSchema.setClass(SubscriptionItemFeature);
