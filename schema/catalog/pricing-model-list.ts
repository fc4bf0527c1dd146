import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { readable } from '../engine/readable.ts';
import { byFlag, byText } from '../engine/where.ts';

readable({
  one: 'pricingModel',
  many: 'pricingModels',
  noun: 'pricing model',
  entity: PricingModel,
  catalog: true,
  where: {
    name: byText('name', 'The name.'),
    isDefault: byFlag('isDefault', 'The default (true) or others (false).'),
  },
  orders: {
    name: { property: 'name', kind: 'text', words: 'name' },
  },
});
