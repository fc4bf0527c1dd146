import { PricingModel } from '#domain/pricing-models/pricing-model.ts';
import { builder } from './engine/builder.ts';
import { readable } from './engine/readable.ts';
import { byFlag, byText } from './engine/where.ts';

const PricingModelFilter = builder.inputType('PricingModelFilter', {
  description: 'A filter for pricing models; all given fields must match.',
  fields: (t) => ({
    isDefault: t.boolean({ description: 'The default (true) or others (false).' }),
    name: t.string({ description: 'The name.' }),
  }),
});

readable({
  one: 'pricingModel',
  many: 'pricingModels',
  noun: 'pricing model',
  entity: PricingModel,
  filter: PricingModelFilter,
  catalog: true,
  where: {
    name: byText('name', 'The name.'),
    isDefault: byFlag('isDefault', 'The default (true) or others (false).'),
  },
  orders: {
    name: { property: 'name', kind: 'text', words: 'name' },
  },
});
