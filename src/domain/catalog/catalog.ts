import type {
  featureTypes,
  grantBases,
  renewalFrequencies,
} from '#domain/model/catalog/feature.ts';
import type { intervalUnits, priceTypes } from '#domain/model/catalog/price.ts';
import type { PricingFields } from '#domain/model/catalog/pricing.ts';
import type { RolloverTerms } from '#domain/model/catalog/rollover.ts';
import type { aggregationTypes } from '#domain/model/catalog/usage-meter.ts';

/** A catalog as values: every field is set, and slugs take the place of ids. */
export interface Catalog {
  readonly name: string;
  /** Null where the document does not state it. */
  readonly isDefault: boolean | null;
  readonly resources: readonly CatalogResource[];
  readonly usageMeters: readonly CatalogMeter[];
  readonly features: readonly CatalogFeature[];
  readonly products: readonly CatalogProduct[];
}

export interface CatalogResource {
  readonly slug: string;
  readonly name: string;
  readonly active: boolean;
}

export interface CatalogMeter {
  readonly slug: string;
  readonly name: string;
  readonly aggregationType: (typeof aggregationTypes)[number];
  readonly taxCode: string | null;
  /** The active prices, without the fallback price. */
  readonly prices: readonly CatalogPrice[];
}

export interface CatalogFeature {
  readonly slug: string;
  readonly type: (typeof featureTypes)[number];
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  readonly amount: number | null;
  readonly renewalFrequency: (typeof renewalFrequencies)[number] | null;
  readonly per: (typeof grantBases)[number] | null;
  readonly rollover: RolloverTerms | null;
  readonly usageMeterSlug: string | null;
  readonly resourceSlug: string | null;
}

export interface CatalogProduct {
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly imageURL: string | null;
  readonly singularQuantityLabel: string | null;
  readonly pluralQuantityLabel: string | null;
  readonly taxCode: string | null;
  readonly addOn: boolean;
  readonly active: boolean;
  /** Null where the document does not state it. */
  readonly default: boolean | null;
  /** The active prices. */
  readonly prices: readonly CatalogPrice[];
  /** The slugs of the granted features. */
  readonly features: readonly string[];
}

export interface CatalogPrice extends PricingFields {
  readonly slug: string | null;
  readonly name: string | null;
  readonly isDefault: boolean;
  readonly type: (typeof priceTypes)[number];
  readonly unitPrice: number;
  readonly currency: string;
  readonly intervalUnit: (typeof intervalUnits)[number] | null;
  readonly intervalCount: number | null;
  readonly trialPeriodDays: number | null;
  readonly usageEventsPerUnit: number | null;
}

interface Identified {
  readonly id: string;
}

export type StoredResource = CatalogResource & Identified;
export type StoredFeature = CatalogFeature & Identified;
export type StoredPrice = CatalogPrice & Identified;

export interface StoredMeter extends Omit<CatalogMeter, 'prices'>, Identified {
  readonly prices: readonly StoredPrice[];
  /** The protected price without a charge. */
  readonly fallback: Identified & {
    readonly slug: string;
    readonly currency: string;
    readonly isDefault: boolean;
  };
  /** Whether usage has been recorded, so that the aggregation no longer changes. */
  readonly isUsed: boolean;
}

/** A grant of a feature by a product. */
export interface StoredGrant extends Identified {
  /** The slug of the feature. */
  readonly slug: string;
  readonly isExpired: boolean;
}

export interface StoredProduct
  extends Omit<CatalogProduct, 'prices' | 'features' | 'default'>,
    Identified {
  readonly default: boolean;
  readonly prices: readonly StoredPrice[];
  readonly grants: readonly StoredGrant[];
}

/** The rows of a pricing model, retired ones included; of its prices only the active ones. */
export interface StoredCatalog extends Identified {
  readonly name: string;
  /** The default currency of the organization. */
  readonly currency: string;
  readonly isDefault: boolean;
  readonly resources: readonly StoredResource[];
  readonly usageMeters: readonly StoredMeter[];
  readonly features: readonly StoredFeature[];
  readonly products: readonly StoredProduct[];
}
