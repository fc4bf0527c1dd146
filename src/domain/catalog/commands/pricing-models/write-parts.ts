import type { FeatureChange, MeterChange, ResourceChange } from '#domain/catalog/catalog-plan.ts';
import { noChargeName, noChargeSlug } from '#domain/catalog/no-charge-price.ts';
import { fallsBack } from '#domain/catalog/plan-meters.ts';
import { Feature } from '#domain/model/catalog/feature.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { inBatches, type Written } from './written.ts';

export async function writeResources(
  { session, ids }: Written,
  changes: readonly ResourceChange[],
): Promise<void> {
  const created = await inBatches(session, Resource, changes, (em, { wanted }, row) => {
    if (!row) return wanted ? em.create(Resource, wanted) : undefined;
    Object.assign(row, wanted ? { name: wanted.name, active: wanted.active } : { active: false });
    return undefined;
  });
  for (const { slug, id } of created) ids.resources.set(slug, id);
}

/** Writes the usage meters, each new one with its fallback price. */
export async function writeMeters(
  { session, rows: { currency }, ids }: Written,
  changes: readonly MeterChange[],
): Promise<void> {
  const created = await inBatches(session, UsageMeter, changes, (em, { wanted }, row) => {
    if (!wanted) return undefined;
    const { name, slug, aggregationType, taxCode } = wanted;
    if (row) {
      Object.assign(row, { name, aggregationType, taxCode });
      return undefined;
    }
    const meter = em.create(UsageMeter, { name, slug, aggregationType, taxCode });
    em.create(Price, {
      type: 'usage',
      usageMeter: meter,
      name: noChargeName(name),
      slug: noChargeSlug(slug),
      unitPrice: 0,
      currency,
      usageEventsPerUnit: 1,
      intervalUnit: 'month',
      intervalCount: 1,
      isDefault: fallsBack(wanted, currency),
      noCharge: true,
    });
    return meter;
  });
  for (const { slug, id } of created) ids.meters.set(slug, id);
}

/** Writes the features, whose resources and usage meters are there. */
export async function writeFeatures(
  { session, ids }: Written,
  changes: readonly FeatureChange[],
): Promise<void> {
  const { now } = session;
  const created = await inBatches(session, Feature, changes, (em, { wanted }, row) => {
    if (!wanted) {
      if (row) Object.assign(row, { active: false, deactivatedAt: now });
      return undefined;
    }
    const { slug, type, usageMeterSlug, resourceSlug, active, ...fields } = wanted;
    const deactivatedAt = active ? null : (row?.deactivatedAt ?? now);
    const usageMeter = ids.meters.get(usageMeterSlug ?? '') ?? null;
    const resource = ids.resources.get(resourceSlug ?? '') ?? null;
    const values = { ...fields, active, deactivatedAt, usageMeter, resource };
    if (!row) return em.create(Feature, { slug, type, ...values });
    em.assign(row, values);
    return undefined;
  });
  for (const { slug, id } of created) ids.features.set(slug, id);
}
