import type { Issue } from '#domain/kernel/errors.ts';
import type {
  Catalog,
  CatalogFeature,
  CatalogResource,
  StoredCatalog,
  StoredFeature,
} from './catalog.ts';
import {
  type CatalogChange,
  type Change,
  differences,
  type FeatureChange,
  inWords,
  type ModelChange,
  notListed,
  notThere,
  type ResourceChange,
} from './catalog-plan.ts';
import { planMeters } from './plan-meters.ts';
import { planProducts } from './plan-products.ts';

/** The changes that make a stored catalog equal to a document, and the reasons why that is not possible. */
export interface Planning {
  readonly changes: readonly CatalogChange[];
  readonly issues: readonly Issue[];
}

/** Plans a checked and completed document. It is pure: equal input has equal changes. */
export function planCatalog(stored: StoredCatalog, document: Catalog): Planning {
  const meters = planMeters(stored, document);
  const products = planProducts(stored, document);
  const changes = [
    ...planModel(stored, document),
    ...planResources(stored, document),
    ...meters.changes,
    ...planFeatures(stored, document),
    ...products.changes,
  ];
  const issues = [...modelIssues(stored, document), ...typeIssues(stored, document)];
  return { changes, issues: [...issues, ...meters.issues, ...products.issues] };
}

function planModel(stored: StoredCatalog, { name, isDefault }: Catalog): ModelChange[] {
  const wanted = { name, isDefault: isDefault ?? stored.isDefault };
  const fields = differences(stored, wanted, ['name', 'isDefault'] as const);
  if (fields.length === 0) return [];
  const reason = inWords(fields);
  return [
    { type: 'pricing_model', action: 'changed', stored, wanted, owner: null, reason, fields },
  ];
}

const modelIssues = (stored: StoredCatalog, { isDefault }: Catalog): Issue[] =>
  stored.isDefault && isDefault === false
    ? [
        {
          code: 'IMMUTABLE',
          path: ['isDefault'],
          message: 'cannot be unset: make another pricing model the default, or leave it out',
        },
      ]
    : [];

const planResources = (stored: StoredCatalog, document: Catalog): ResourceChange[] =>
  planListed<'resource', CatalogResource, StoredCatalog['resources'][number]>(
    'resource',
    stored.resources,
    document.resources,
    ['name', 'active'],
  );

const planFeatures = (stored: StoredCatalog, document: Catalog): FeatureChange[] =>
  planListed<'feature', CatalogFeature, StoredFeature>(
    'feature',
    stored.features,
    document.features,
    [
      'name',
      'description',
      'amount',
      'renewalFrequency',
      'per',
      'rollover',
      'usageMeterSlug',
      'resourceSlug',
      'active',
    ],
  );

/** The changes of objects that stay as rows and are active or not. */
function planListed<
  Type extends CatalogChange['type'],
  Wanted extends { readonly slug: string; readonly active: boolean },
  Stored extends Wanted & { readonly id: string },
>(
  type: Type,
  stored: readonly Stored[],
  wanted: readonly Wanted[],
  names: readonly (keyof Wanted & string)[],
): Change<Type, Stored, Wanted>[] {
  const rows = new Map(stored.map((row) => [row.slug, row]));
  const slugs = new Set(wanted.map(({ slug }) => slug));
  const own = { type, owner: null } as const;
  const listed = wanted.flatMap((values): Change<Type, Stored, Wanted>[] => {
    const row = rows.get(values.slug) ?? null;
    if (!row) {
      return [
        { ...own, action: 'created', stored: null, wanted: values, reason: notThere, fields: [] },
      ];
    }
    const fields = differences<Wanted>(row, values, names);
    if (fields.length === 0) return [];
    const action = row.active && !values.active ? 'retired' : 'changed';
    return [{ ...own, action, stored: row, wanted: values, reason: inWords(fields), fields }];
  });
  const retired = stored
    .filter(({ slug, active }) => active && !slugs.has(slug))
    .map((row): Change<Type, Stored, Wanted> => {
      return {
        ...own,
        action: 'retired',
        stored: row,
        wanted: null,
        reason: notListed,
        fields: [],
      };
    });
  return [...listed, ...retired];
}

/** A type decides what subscriptions were granted, so another type is another feature. */
function typeIssues(stored: StoredCatalog, { features }: Catalog): Issue[] {
  const rows = new Map(stored.features.map((row) => [row.slug, row]));
  return features.flatMap(({ slug, type }, at): Issue[] => {
    const row = rows.get(slug);
    if (!row || row.type === type) return [];
    const message = `cannot change: Feature type cannot be changed. ${slug} is a ${row.type} feature; use another slug for a ${type} feature`;
    return [{ code: 'IMMUTABLE', path: ['features', at, 'type'], message }];
  });
}
