import { repeatedRows } from '../source/duplicates.ts';
import type { Problem, SourcePhase, SourceSubscription } from '../source/source.ts';

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
 * subscription that is not in the files are left out, and so are phases whose rows contradict.
 */
export function withPhases(
  subscriptions: readonly SourceSubscription[],
  rows: readonly PhaseRow[],
) {
  const bySubscription = Map.groupBy(rows, (row) => row.subscription_external_id);
  const known = new Set(subscriptions.map(({ externalId }) => externalId));
  const problems: Problem[] = [];
  const unknown = [...bySubscription.keys()]
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
      return own ? { ...one, phases: phasesOf(own, problems) } : one;
    }),
    problems: [...unknown, ...problems],
  };
}

function phasesOf(rows: readonly PhaseRow[], problems: Problem[]): SourcePhase[] {
  const byStart = Map.groupBy(rows, ({ starts_at }) => starts_at.getTime());
  return [...byStart]
    .sort(([a], [b]) => a - b)
    .filter(([start, items]) => agree(new Date(start), items, problems))
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

/** Whether the rows of a phase agree on when it starts. The first row states it for all of them. */
function agree(start: Date, [first, ...others]: readonly PhaseRow[], problems: Problem[]): boolean {
  if (!first) return false;
  const record = `phase of ${first.subscription_external_id} from ${start.toISOString()}`;
  problems.push(...repeatedRows([first, ...others], record));
  if (others.every(({ timing }) => !timing || timing === first.timing)) return true;
  const message =
    'timing: differs between the rows of its items: the first row has it for all of them';
  problems.push({ record, message, isLeftOut: true });
  return false;
}
