import { type AppliedRate, spread, type TaxRule } from '#domain/model/catalog/tax.ts';
import type { Taxable } from './tax-engine.ts';

interface Grouping {
  readonly inclusive: boolean;
  readonly codeOf: (line: Taxable) => string | null;
  readonly ratesFor: (code: string | null) => readonly AppliedRate[];
}

/** Lines for which no rate applies next to lines with rates. */
const untaxed: AppliedRate = {
  name: 'No tax',
  taxType: 'vat',
  ratePercentage: '0',
  country: null,
  state: null,
  compound: false,
  category: 'E',
  reason: 'No tax applies',
};

/**
 * The tax rule of lines: those with the same rates are a group. Discounts, and credits that exceed the other lines of
 * their group, are spread over the groups, so no group is below 0.
 */
export function groupLines(
  lines: readonly Taxable[],
  { inclusive, codeOf, ratesFor }: Grouping,
): TaxRule {
  const keys: string[] = [];
  const rates: (readonly AppliedRate[])[] = [];
  const groupOf = (line: Taxable): number => {
    const found = ratesFor(codeOf(line));
    const applied = found.length > 0 ? found : [untaxed];
    const key = JSON.stringify(applied);
    const known = keys.indexOf(key);
    if (known >= 0) return known;
    rates.push(applied);
    return keys.push(key) - 1;
  };
  const lineGroups = lines.map((line) => (line.isSpread || line.taxedAs ? null : groupOf(line)));
  const mixes = lines.map((line) =>
    line.taxedAs?.map((each) => [groupOf(each), each.amount] as const),
  );
  if (keys.length === 0) groupOf({ amount: 0 });
  const sums = keys.map(() => 0);
  let left = 0;
  for (const [at, { amount }] of lines.entries()) {
    const group = lineGroups[at] ?? null;
    const mix = mixes[at];
    if (group !== null) add(sums, group, amount);
    else if (mix) for (const [at, part] of mixed(amount, mix, keys.length)) add(sums, at, part);
    else left += amount;
  }
  const bases = sums.map((sum) => Math.max(0, sum));
  left += sums.reduce((all, sum) => all + Math.min(0, sum), 0);
  for (const [group, part] of spread(left, bases).entries()) add(bases, group, part);
  const [[main]] = rates as [[AppliedRate]];
  const { taxType, ratePercentage, country, state } = main;
  const groups = rates.map((of, group) => ({ rates: of, weight: Math.max(0, bases[group] ?? 0) }));
  return { taxType, ratePercentage, inclusive, country, state, groups, lineGroups };
}

function add(sums: number[], group: number, amount: number) {
  sums[group] = (sums[group] ?? 0) + amount;
}

/** The parts of an amount in some groups, in proportion to the amounts of a mix. */
function mixed(amount: number, mix: readonly (readonly [number, number])[], count: number) {
  const weights = Array.from({ length: count }, () => 0);
  for (const [group, weight] of mix) add(weights, group, weight);
  return spread(amount, weights).entries();
}
