/** A line of a draft, as its form has it. */
export interface DraftLine {
  readonly key: number;
  readonly description: string;
  readonly quantity: number | undefined;
  /** The price of one unit, in minor units; undefined while the field is empty. */
  readonly price: number | undefined;
  /** The price in the catalog that the line follows. */
  readonly priceId?: string | null;
}

/** The lines of a form as those of the graph; undefined while one is incomplete. */
export function linesInputOf(lines: readonly DraftLine[]) {
  const complete = lines.flatMap(({ description, quantity, price, priceId }) =>
    price === undefined || !quantity
      ? []
      : [{ description: description.trim() || null, quantity, price, priceId }],
  );
  return complete.length === lines.length && lines.length > 0 ? complete : undefined;
}

/** The sum of the lines before tax, in minor units; incomplete ones count as 0. */
export const sumOfLines = (lines: readonly DraftLine[]) =>
  lines.reduce((sum, { quantity = 0, price = 0 }) => sum + Math.round(quantity * price), 0);
