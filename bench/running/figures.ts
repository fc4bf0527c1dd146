/** A figure in a line of a benchmark: its label and its unit, and its value. */
export interface Figure {
  readonly name: string;
  readonly value: number;
}

/** `label   12,345 unit   12 unit`: the label ends before two spaces, or before the first figure. */
const line = /^(\S.*?)\s{2,}(?=[\d.,]+ )/;
const figure = /([\d][\d.,]*) ([a-zA-ZµMK][^\s]*)/g;

/**
 * The figures of a benchmark's output. The same label in a later section is another figure, so it is counted. A line
 * without a label followed by two spaces has none.
 */
export function figuresIn(output: string): Figure[] {
  const seen = new Map<string, number>();
  return output.split('\n').flatMap((text) => {
    const label = line.exec(text)?.[1];
    if (label === undefined) return [];
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    const of = count === 1 ? label : `${label} (${count})`;
    return [...text.slice(line.exec(text)?.[0].length).matchAll(figure)].map(
      ([, value = '', unit]) => ({
        name: `${of}, ${unit}`,
        value: Number(value.replaceAll(',', '')),
      }),
    );
  });
}

/** The median, the smallest and the largest of some values. */
export function spreadOf(values: readonly number[]) {
  const sorted = values.toSorted((one, other) => one - other);
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
  };
}
