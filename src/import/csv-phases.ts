import type { Problem, SourcePhase, SourceSubscription } from './source.ts';

/** A row of phases.csv: one item of a phase. */
export interface PhaseRow {
  readonly subscription_external_id: string;
  readonly starts_at: Date;
  readonly timing?: 'with_period' | 'at_date' | undefined;
  readonly price_slug: string;
  readonly quantity: number;
  readonly unit_price?: number | undefined;
  readonly discount_percentage?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Gives subscriptions their phases. Rows with one subscription and one start are the items of one phase; those of a
 * subscription that is not in the files are left out.
 */
export function withPhases(
  subscriptions: readonly SourceSubscription[],
  rows: readonly PhaseRow[],
) {
  const bySubscription = Map.groupBy(rows, (row) => row.subscription_external_id);
  const known = new Set(subscriptions.map(({ externalId }) => externalId));
  const problems = [...bySubscription.keys()]
    .filter((id) => !known.has(id))
    .map(
      (id): Problem => ({
        record: `phase of ${id}`,
        message: 'has a subscription that subscriptions.csv lacks',
        isLeftOut: true,
      }),
    );
  return {
    subscriptions: subscriptions.map((one) => {
      const own = bySubscription.get(one.externalId);
      return own ? { ...one, phases: phasesOf(own) } : one;
    }),
    problems,
  };
}

function phasesOf(rows: readonly PhaseRow[]): SourcePhase[] {
  const byStart = Map.groupBy(rows, ({ starts_at }) => starts_at.getTime());
  return [...byStart]
    .sort(([a], [b]) => a - b)
    .map(([start, items]) => ({
      startsAt: new Date(start),
      timing: items[0]?.timing,
      items: items.map(({ price_slug, quantity, unit_price, discount_percentage, name }) => ({
        priceSlug: price_slug,
        quantity,
        unitPrice: unit_price,
        discountPercentage: discount_percentage,
        name,
      })),
    }));
}
