import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { instant, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Feature } from './feature.ts';
import { Product } from './product.ts';

const ProductFeatureSchema = defineEntity({
  name: 'ProductFeature',
  uniques: [{ name: 'product_feature_unique', properties: ['product', 'feature'] }],
  indexes: [pageIndex('product_feature')],
  properties: {
    ...tenantColumns('product_feature'),
    product: () => p.manyToOne(Product).ref().deleteRule('restrict'),
    feature: () => p.manyToOne(Feature).ref().deleteRule('restrict').index(),
    expiredAt: instant().nullable(),
  },
});

/** The grant of a feature by a product, until it expires. */
export class ProductFeature extends ProductFeatureSchema.class {
  get productId(): Opt<string> {
    return this.product.id;
  }

  get featureId(): Opt<string> {
    return this.feature.id;
  }

  isExpired(now: Date) {
    return this.expiredAt != null && this.expiredAt <= now;
  }

  /** Ends the grant at `at`; an ended one keeps its instant. */
  expire(at: Date) {
    if (!this.isExpired(at)) this.expiredAt = at;
  }

  renew() {
    this.expiredAt = null;
  }
}
ProductFeatureSchema.setClass(ProductFeature);
