import { Feature } from '#domain/features/feature.ts';
import { Price } from '#domain/prices/price.ts';
import { Resource } from '#domain/resources/resource.ts';
import type {
  FeatureChange,
  MeterChange,
  ResourceChange,
} from '#domain/rules/catalog/catalog-plan.ts';
import { noChargeName, noChargeSlug } from '#domain/rules/catalog/no-charge-price.ts';
import { fallsBack } from '#domain/rules/catalog/plan-meters.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import type { Written } from './written.ts';

type BySlug<T> = Map<string, T>;

const bySlug = <T extends { slug: string }>(rows: readonly T[]): BySlug<T> =>
  new Map(rows.map((row) => [row.slug, row]));

export function writeResources(
  { session: { em }, rows }: Written,
  changes: readonly ResourceChange[],
): BySlug<Resource> {
  const resources = bySlug(rows.resources);
  for (const { stored, wanted } of changes) {
    const row = stored && resources.get(stored.slug);
    if (row)
      Object.assign(row, wanted ? { name: wanted.name, active: wanted.active } : { active: false });
    else if (wanted) resources.set(wanted.slug, em.create(Resource, wanted));
  }
  return resources;
}

export function writeMeters(
  { session: { em }, rows }: Written,
  changes: readonly MeterChange[],
): BySlug<UsageMeter> {
  const meters = bySlug(rows.meters);
  for (const { stored, wanted } of changes) {
    if (!wanted) continue;
    const { name, slug, aggregationType } = wanted;
    const row = stored && meters.get(slug);
    if (row) {
      Object.assign(row, { name, aggregationType });
      continue;
    }
    const meter = em.create(UsageMeter, { name, slug, aggregationType });
    em.create(Price, {
      type: 'usage',
      usageMeter: meter,
      name: noChargeName(name),
      slug: noChargeSlug(slug),
      unitPrice: 0,
      currency: rows.currency,
      usageEventsPerUnit: 1,
      intervalUnit: 'month',
      intervalCount: 1,
      isDefault: fallsBack(wanted, rows.currency),
      noCharge: true,
    });
    meters.set(slug, meter);
  }
  return meters;
}

export function writeFeatures(
  { session: { em, now }, rows }: Written,
  changes: readonly FeatureChange[],
  { meters, resources }: { meters: BySlug<UsageMeter>; resources: BySlug<Resource> },
): BySlug<Feature> {
  const features = bySlug(rows.features);
  for (const { stored, wanted } of changes) {
    const row = stored && features.get(stored.slug);
    if (row && !wanted) {
      Object.assign(row, { active: false, deactivatedAt: now });
      continue;
    }
    if (!wanted) continue;
    const { slug, type, usageMeterSlug, resourceSlug, active, ...fields } = wanted;
    const deactivatedAt = active ? null : (row?.deactivatedAt ?? now);
    const usageMeter = meters.get(usageMeterSlug ?? '') ?? null;
    const resource = resources.get(resourceSlug ?? '') ?? null;
    const values = { ...fields, active, deactivatedAt, usageMeter, resource };
    if (row) em.assign(row, values);
    else features.set(slug, em.create(Feature, { slug, type, ...values }));
  }
  return features;
}
