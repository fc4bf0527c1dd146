import type { AppliedRate, TaxRule } from '#domain/model/catalog/tax.ts';
import { groupLines } from './group-lines.ts';
import type { Taxable, TaxRequest } from './tax-engine.ts';
import { placesOf, type TaxQuestion } from './tax-question.ts';

/** The rates of each line of a question. */
export type LineRates = readonly (readonly AppliedRate[])[];

/**
 * The tax rule of some lines by the rates of their question. Its groups follow from the question alone, as a service
 * computes them. The lines may be in another structure than those of an equal question before.
 */
export function ruleOfRates(
  rates: LineRates,
  { asked, reductions }: Pick<TaxQuestion, 'asked' | 'reductions'>,
  { lines, settings }: TaxRequest,
): TaxRule {
  const places = new Map<Taxable, number>(asked.map((line, place) => [line, place]));
  const { lineGroups = [], ...rule } = groupLines(
    [...asked, { amount: reductions, isSpread: true }],
    {
      inclusive: settings.taxInclusive,
      codeOf: (line) => String(places.get(line) ?? 0),
      ratesFor: (place) => rates[Number(place)] ?? [],
    },
  );
  const groupOf = (place: number | null) => (place === null ? null : (lineGroups[place] ?? null));
  return { ...rule, lineGroups: placesOf(lines).map(groupOf) };
}
