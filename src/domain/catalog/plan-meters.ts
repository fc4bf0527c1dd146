import type { Issue } from '#domain/kernel/errors.ts';
import type { Catalog, CatalogMeter, StoredCatalog, StoredMeter } from './catalog.ts';
import {
  type CatalogChange,
  differences,
  inWords,
  type MeterChange,
  notThere,
  type PriceChange,
} from './catalog-plan.ts';
import { planPrices } from './plan-prices.ts';
import { aggregationProblem } from './pricing-problems.ts';

/** The changes of usage meters and their prices. A usage meter is never removed: its usage needs it. */
export function planMeters(stored: StoredCatalog, { usageMeters }: Catalog) {
  const rows = new Map(stored.usageMeters.map((row) => [row.slug, row]));
  const changes: CatalogChange[] = usageMeters.flatMap((wanted) =>
    planMeter(rows.get(wanted.slug) ?? null, wanted),
  );
  const issues = [
    ...removed(stored, usageMeters),
    ...usageMeters.flatMap((wanted, at) => meterIssues(rows.get(wanted.slug), wanted, at)),
  ];
  return { changes, issues };
}

function planMeter(
  stored: StoredMeter | null,
  wanted: CatalogMeter,
): (MeterChange | PriceChange)[] {
  const own = { owner: wanted.slug, ownerType: 'usage_meter' } as const;
  const prices = planPrices(stored?.prices ?? [], wanted.prices, own);
  const base = { type: 'usage_meter', stored, wanted, owner: null } as const;
  if (!stored) return [{ ...base, action: 'created', reason: notThere, fields: [] }, ...prices];
  const fields = differences<Pick<CatalogMeter, 'name' | 'aggregationType' | 'taxCode'>>(
    stored,
    wanted,
    ['name', 'aggregationType', 'taxCode'],
  );
  return [
    ...(fields.length > 0
      ? [{ ...base, action: 'changed', reason: inWords(fields), fields } as const]
      : []),
    ...planFallback(stored, wanted),
    ...prices,
  ];
}

/** Whether the fallback price is the default: usage of its currency has one price at least. */
export const fallsBack = ({ prices }: CatalogMeter, currency: string) =>
  !prices.some((price) => price.isDefault && price.currency === currency);

function planFallback({ fallback }: StoredMeter, wanted: CatalogMeter): PriceChange[] {
  const isDefault = fallsBack(wanted, fallback.currency);
  if (isDefault === fallback.isDefault) return [];
  const fields = [{ name: 'isDefault', from: fallback.isDefault, to: isDefault }];
  const reason = isDefault
    ? `becomes the default, since ${wanted.slug} has no other in ${fallback.currency}`
    : `is no longer the default, since ${wanted.slug} has another in ${fallback.currency}`;
  return [
    {
      type: 'price',
      action: 'changed',
      stored: fallback,
      wanted: { slug: fallback.slug, isDefault },
      owner: wanted.slug,
      ownerType: 'usage_meter',
      reason,
      fields,
    },
  ];
}

function removed(stored: StoredCatalog, wanted: readonly CatalogMeter[]): Issue[] {
  const slugs = new Set(wanted.map(({ slug }) => slug));
  const gone = stored.usageMeters.flatMap(({ slug }) => (slugs.has(slug) ? [] : [slug]));
  if (gone.length === 0) return [];
  const message = `Usage meters cannot be removed. Attempted to remove: ${gone.toSorted().join(', ')}`;
  return [{ code: 'NOT_ALLOWED', path: ['usageMeters'], message }];
}

function meterIssues(
  stored: StoredMeter | undefined,
  { slug, aggregationType, prices }: CatalogMeter,
  at: number,
): Issue[] {
  const defaults = Map.groupBy(
    prices.filter(({ isDefault }) => isDefault),
    ({ currency }) => currency,
  );
  const several = [...defaults].flatMap(([currency, { length }]): Issue[] => {
    if (length <= 1) return [];
    const message = `Usage meter "${slug}" has multiple prices with isDefault=true in ${currency}. At most one price per usage meter and currency can be the default.`;
    return [{ code: 'INVALID', path: ['usageMeters', at, 'prices'], message }];
  });
  const unfit = prices.flatMap(({ model }, index): Issue[] => {
    const message = aggregationProblem(model, aggregationType);
    const path = ['usageMeters', at, 'prices', index, 'model'];
    return message ? [{ code: 'NOT_ALLOWED', path, message }] : [];
  });
  const own = [...several, ...unfit];
  if (!stored?.isUsed || stored.aggregationType === aggregationType) return own;
  return [
    ...own,
    {
      code: 'IMMUTABLE',
      path: ['usageMeters', at, 'usageMeter', 'aggregationType'],
      message: `can no longer change from ${stored.aggregationType}, because usage has been recorded: add another usage meter`,
    },
  ];
}
