import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { cellsOf } from '#domain/metering/ledger/read-ledgers.ts';
import { costOfUsage } from '#domain/model/catalog/cost.ts';
import type { PricedTerms } from '#domain/model/catalog/exact-part.ts';
import type { CostOfPart, MeasuredUsage } from '#domain/model/invoicing/usage-breakdown.ts';
import { type MoneyText, priceSteps } from './price-steps.ts';

/**
 * Explains the amount of a period at a price with a model. It computes the cost of the usage again and deducts the
 * amounts that were billed before or are not on the line.
 */
export function explainPriced(
  terms: PricedTerms,
  { amount, before, rest }: CostOfPart,
  { usage, covered, events, cells }: MeasuredUsage,
  money: MoneyText,
) {
  const { amount: now, parts } = costOfUsage(terms, {
    usage: unitsOf(usage),
    covered: unitsOf(covered),
    events,
    cells: cellsOf(cells ?? null),
  });
  const due = now - before.amount;
  const isFirst = before.amount === 0 && unitsOf(before.usage) === 0n;
  const isWhole = rest.amount === 0 && unitsOf(rest.usage) === 0n;
  return {
    steps: [
      ...priceSteps(parts, money, terms.perUnit),
      ...(parts.length === 0 ? [`no usage is left to pay: ${money(0)}`] : []),
      ...(isFirst
        ? []
        : [`less ${money(before.amount)} for ${before.usage}, billed before: ${money(due)}`]),
      ...(isWhole
        ? []
        : [`of which ${rest.usage} with ${money(rest.amount)} is not on this invoice`]),
    ],
    differences:
      amount + rest.amount === due
        ? []
        : [`should amount to ${money(due - rest.amount)}, not ${money(amount)}`],
  };
}
