import { type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import { atUnitPrice, type ExactPart, type Measured } from './exact-part.ts';
import type { PriceMatrix } from './pricing.ts';

/** The combinations that have no cell. */
const others = '';

/** The name of the cell of some property values, under which its usage is summed. */
const cellKey = (values: readonly string[]): string => JSON.stringify(values);

/** The names of the cells of a matrix, which many events look up. */
const known = new WeakMap<PriceMatrix, ReadonlySet<string>>();

function cellsOf(matrix: PriceMatrix): ReadonlySet<string> {
  const cells = known.get(matrix) ?? new Set(matrix.cells.map(({ values }) => cellKey(values)));
  known.set(matrix, cells);
  return cells;
}

/** The name of the cell of an event's properties. A value of another type than text counts as its JSON. */
export function cellOf(
  matrix: PriceMatrix,
  properties: Readonly<Record<string, unknown>> | null | undefined,
): string {
  const values = matrix.dimensions.map((name) => {
    const value = properties?.[name];
    return typeof value === 'string' ? value : JSON.stringify(value ?? null);
  });
  const key = cellKey(values);
  return cellsOf(matrix).has(key) ? key : others;
}

interface Cell {
  readonly values: readonly string[];
  readonly unitPrice: string;
  quantity: Units;
}

/** The charges of a matrix, in the order of its cells: credits cover the usage of the dearest cells first. */
export function matrixCharges(
  matrix: PriceMatrix | undefined,
  { covered, cells }: Measured,
): ExactPart[] {
  if (!matrix) throw new Error('A matrix price has no matrix');
  const used: Cell[] = [...matrix.cells, { values: [], unitPrice: matrix.otherUnitPrice }].map(
    ({ values, unitPrice }) => ({
      values,
      unitPrice,
      quantity: cells?.get(values.length === 0 ? others : cellKey(values)) ?? 0n,
    }),
  );
  let left = covered;
  for (const cell of used.toSorted(dearestFirst)) {
    const taken = left < cell.quantity ? left : cell.quantity;
    cell.quantity -= taken;
    left -= taken;
  }
  return used
    .filter(({ quantity }) => quantity > 0n)
    .map(({ values, unitPrice, quantity }) => ({
      kind: 'units',
      tier: null,
      values,
      unitPrice,
      quantity,
      amount: atUnitPrice(quantity, unitPrice),
    }));
}

function dearestFirst(one: Cell, other: Cell): number {
  const difference = unitsOf(other.unitPrice) - unitsOf(one.unitPrice);
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}
