import { isDeepStrictEqual } from 'node:util';
import type {
  CatalogFeature,
  CatalogMeter,
  CatalogPrice,
  CatalogProduct,
  CatalogResource,
  StoredFeature,
  StoredGrant,
  StoredMeter,
  StoredPrice,
  StoredProduct,
  StoredResource,
} from './catalog.ts';

export const catalogObjectTypes = [
  'pricing_model',
  'resource',
  'usage_meter',
  'feature',
  'product',
  'price',
  'product_feature',
] as const;

const catalogActions = ['created', 'changed', 'retired'] as const;

/** One field of a changed object. */
export interface FieldChange {
  readonly name: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** One object that a document creates, changes or retires. */
export interface Change<Type extends (typeof catalogObjectTypes)[number], Stored, Wanted> {
  readonly type: Type;
  readonly action: (typeof catalogActions)[number];
  /** The row; null for one that is created. */
  readonly stored: Stored | null;
  /** The row as it will be; null for one that is retired. */
  readonly wanted: Wanted | null;
  /** The slug of the product or of the usage meter that the object belongs to. */
  readonly owner: string | null;
  readonly reason: string;
  readonly fields: readonly FieldChange[];
}

interface ModelValues {
  readonly name: string;
  readonly isDefault: boolean;
}

/** The fallback price of a usage meter, of which only the default flag changes. */
interface FallbackValues {
  readonly slug: string;
  readonly isDefault: boolean;
}

export type ModelChange = Change<
  'pricing_model',
  ModelValues & { readonly id: string },
  ModelValues
>;
export type ResourceChange = Change<'resource', StoredResource, CatalogResource>;
export type MeterChange = Change<'usage_meter', StoredMeter, CatalogMeter>;
export type FeatureChange = Change<'feature', StoredFeature, CatalogFeature>;
export type ProductChange = Change<
  'product',
  StoredProduct,
  Omit<CatalogProduct, 'default'> & { readonly default: boolean }
>;
export type GrantChange = Change<'product_feature', StoredGrant, { readonly slug: string }>;

export interface PriceChange
  extends Change<
    'price',
    StoredPrice | (FallbackValues & { readonly id: string }),
    CatalogPrice | FallbackValues
  > {
  readonly ownerType: 'product' | 'usage_meter';
  /** The id of the price that a created one replaces. */
  readonly replaces?: string | undefined;
}

export type CatalogChange =
  | ModelChange
  | ResourceChange
  | MeterChange
  | FeatureChange
  | ProductChange
  | PriceChange
  | GrantChange;

/** A change as callers see it. */
export interface PlannedChange {
  readonly type: (typeof catalogObjectTypes)[number];
  /** Null for an object that does not exist yet. */
  readonly objectId: string | null;
  readonly slug: string | null;
  readonly owner: string | null;
  readonly reason: string;
  readonly fields: readonly FieldChange[];
}

/** The changes that a document makes, or has made. */
export interface CatalogPlan
  extends Readonly<Record<(typeof catalogActions)[number], readonly PlannedChange[]>> {
  /** The state of the catalog before these changes, which an application of the plan may expect. */
  readonly state: string;
}

/** The plan of changes to a catalog in a state; empty for a document that is applied. */
export function planOf(state: string, changes: readonly CatalogChange[]): CatalogPlan {
  const of = (action: CatalogChange['action']) =>
    changes.filter((change) => change.action === action).map(shown);
  return { created: of('created'), changed: of('changed'), retired: of('retired'), state };
}

function shown({ type, stored, wanted, owner, reason, fields }: CatalogChange): PlannedChange {
  const named = (wanted ?? stored) as { slug?: string | null };
  return { type, objectId: stored?.id ?? null, slug: named.slug ?? null, owner, reason, fields };
}

/** The fields in which two sets of values differ. */
export function differences<T extends object>(
  stored: T,
  wanted: T,
  names: readonly (keyof T & string)[],
): FieldChange[] {
  return names
    .filter((name) => !isDeepStrictEqual(stored[name], wanted[name]))
    .map((name) => ({ name, from: stored[name], to: wanted[name] }));
}

/** The reason of a change in words: `name: "Pro" → "Team"`. */
export const inWords = (fields: readonly FieldChange[]) =>
  fields
    .map(({ name, from, to }) => `${name}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`)
    .join(', ');

export const notListed = 'is not in the document';
export const notThere = 'is new in the document';
