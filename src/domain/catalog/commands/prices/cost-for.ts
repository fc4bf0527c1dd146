import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { jsonObjectInput } from '#domain/kernel/inputs/json-object-input.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { type Cost, costOfUsage } from '#domain/model/catalog/cost.ts';
import { cellOf } from '#domain/model/catalog/matrix-charges.ts';
import type { Price } from '#domain/model/catalog/price.ts';

export const costForInput = z.object({
  /** An exact decimal. */
  quantity: z
    .string()
    .refine((text) => !text.startsWith('-'), coded('OUT_OF_RANGE', [], 'must be 0 or more')),
  /** The number of events of the usage. */
  events: z.int().min(0).nullish(),
  properties: jsonObjectInput.nullish(),
});

type Properties = Readonly<Record<string, unknown>> | null | undefined;

/**
 * The cost of a quantity in a whole billing period at a price, without credits. Usage of a matrix has the given
 * properties. Errors: BAD_REQUEST for an amount that is too large.
 */
export function costFor(
  { terms }: Price,
  { quantity, events, properties }: z.output<typeof costForInput>,
): Cost {
  const usage = unitsOf(quantity);
  const { matrix } = terms.pricing ?? {};
  const cell = matrix ? cellOf(matrix, properties as Properties) : '';
  const cost = costOfUsage(terms, {
    usage,
    covered: 0n,
    events: events ?? 1,
    cells: new Map([[cell, usage]]),
  });
  if (Number.isSafeInteger(cost.amount)) return cost;
  throw invalid('OUT_OF_RANGE', 'quantity', 'results in an amount that is too large');
}
