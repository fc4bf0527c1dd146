import { defineEntity, p } from '@mikro-orm/core';
import { baseColumns } from '#domain/kernel/columns.ts';

const PricingModelSchema = defineEntity({
  name: 'PricingModel',
  uniques: [
    {
      name: 'pricing_model_default_unique',
      properties: ['organizationId', 'livemode'],
      where: { isDefault: true },
    },
    {
      name: 'pricing_model_live_unique',
      properties: ['organizationId'],
      where: { livemode: true },
    },
  ],
  properties: {
    ...baseColumns('pricing_model'),
    name: p.string(),
    isDefault: p.boolean(),
  },
});

/** A complete catalog of an organization: products, prices, features, meters and resources. */
export class PricingModel extends PricingModelSchema.class {}
PricingModelSchema.setClass(PricingModel);
