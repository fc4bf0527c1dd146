interface Identified {
  readonly id: string;
}

/**
 * The rows of a long list after its first page was read again. Rows that the page has are as the page has them. Rows
 * that new ones displaced from the page follow it. Rows that left the list are left out: `left` is how many fewer
 * rows the list has now.
 */
export function mergedRows<Row extends Identified>(
  before: readonly Row[],
  page: readonly Row[],
  left: number,
): Row[] {
  const onPage = new Set(page.map(({ id }) => id));
  const last = page.at(-1)?.id;
  const boundary = before.findIndex(({ id }) => id === last);
  const rest = before.filter(({ id }) => !onPage.has(id));
  // Without fewer rows, all that the page does not have were displaced by new ones.
  if (left <= 0 || boundary < 0) return [...page, ...rest];
  return [...page, ...before.slice(boundary + 1).filter(({ id }) => !onPage.has(id))];
}
