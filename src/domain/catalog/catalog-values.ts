import type { z } from 'zod';
import { type rolloverInput, rolloverTerms } from '#domain/model/catalog/rollover.ts';
import type { CatalogFeature, CatalogProduct } from './catalog.ts';
import { grantBasisOf } from './feature-variant.ts';

type Absent = null | undefined;

/** The type with fields that may be absent. */
type Sparse<T, Fields extends keyof T> = Omit<T, Fields> & {
  readonly [K in Fields]?: T[K] | Absent;
};

type References = Pick<CatalogFeature, 'usageMeterSlug' | 'resourceSlug'>;
type SparseFeature = Sparse<
  Omit<CatalogFeature, keyof References | 'rollover'>,
  'active' | 'amount' | 'renewalFrequency' | 'per'
> & { readonly rollover?: z.output<typeof rolloverInput> | Absent };
type SparseProduct = Sparse<
  Pick<CatalogProduct, ProductText>,
  'description' | 'imageURL' | 'singularQuantityLabel' | 'pluralQuantityLabel' | 'taxCode' | 'addOn'
>;
type ProductText =
  | 'slug'
  | 'name'
  | 'description'
  | 'imageURL'
  | 'singularQuantityLabel'
  | 'pluralQuantityLabel'
  | 'taxCode'
  | 'addOn';

/** A feature of a document or of a row, with every field set. A document has the slugs of its references itself. */
export const featureValues = (
  feature: SparseFeature,
  { usageMeterSlug, resourceSlug }: Sparse<References, keyof References>,
): CatalogFeature => ({
  slug: feature.slug,
  type: feature.type,
  name: feature.name,
  description: feature.description,
  active: feature.active ?? true,
  amount: feature.amount ?? null,
  renewalFrequency: feature.renewalFrequency ?? null,
  per: grantBasisOf(feature),
  rollover: rolloverTerms(feature.rollover),
  usageMeterSlug: usageMeterSlug ?? null,
  resourceSlug: resourceSlug ?? null,
});

/** The texts of a product of a document or of a row, with every field set. */
export const productTexts = (product: SparseProduct): Pick<CatalogProduct, ProductText> => ({
  slug: product.slug,
  name: product.name,
  description: product.description ?? null,
  imageURL: product.imageURL ?? null,
  singularQuantityLabel: product.singularQuantityLabel ?? null,
  pluralQuantityLabel: product.pluralQuantityLabel ?? null,
  taxCode: product.taxCode ?? null,
  addOn: product.addOn ?? false,
});
