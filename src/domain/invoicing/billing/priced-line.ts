import type { UnbilledPart } from '#domain/invoicing/crediting/unbilled-part.ts';
import { decimalText } from '#domain/kernel/values/decimal.ts';
import type { PricePart } from '#domain/model/catalog/cost.ts';
import type { PriceModel, Pricing } from '#domain/model/catalog/pricing.ts';

/** How the description of a line names the model. */
const wordsOf: Readonly<Record<PriceModel, string>> = {
  per_unit: 'per unit',
  flat: 'at a flat price',
  graduated: 'in graduated tiers',
  volume: 'in volume tiers',
  stairstep: 'in steps',
  package: 'in packages',
  percentage: 'at a percentage',
  matrix: 'by properties',
};

/**
 * The line of usage at a price with a model. It has a quantity of 1, or -1 for a credit, and its amount as its price; its
 * steps state the units.
 */
export function pricedLine({ model }: Pricing, meterName: string, parts: readonly UnbilledPart[]) {
  const amount = parts.reduce((sum, part) => sum + Number(part.amount), 0);
  const units = parts.reduce((sum, part) => sum + part.units, 0n);
  const isCredit = amount < 0 || (amount === 0 && units < 0n);
  return {
    type: 'usage' as const,
    description: `Usage: ${meterName}: ${decimalText(units)} ${wordsOf[model]}${isCredit ? ', credited' : ''}`,
    quantity: isCredit ? -1 : 1,
    price: Math.abs(amount),
    amount,
    usageQuantity: decimalText(units),
    priceParts: [...Map.groupBy(parts, ({ periodId }) => periodId).values()].flatMap(stepsOf),
    parts,
  };
}

/** The steps of a period: its cost, less what was billed before and what is not on the line. */
function stepsOf(parts: readonly UnbilledPart[]): PricePart[] {
  const [{ cost, before, change }] = parts as [UnbilledPart];
  const amount = parts.reduce((sum, part) => sum + part.amount, 0n);
  const units = parts.reduce((sum, part) => sum + part.units, 0n);
  return [
    ...(cost?.parts ?? []),
    ...deducted('billed_before', before.amount, before.units),
    ...deducted('not_billed_yet', change.amount - amount, change.units - units),
  ];
}

const deducted = (kind: PricePart['kind'], amount: bigint, units: bigint): PricePart[] =>
  amount === 0n && units === 0n
    ? []
    : [
        {
          kind,
          tier: null,
          values: null,
          unitPrice: null,
          quantity: decimalText(units),
          amount: -Number(amount),
        },
      ];
