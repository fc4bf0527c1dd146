/** The cells of a row of the table: the description and three columns of figures. */
export type Cells = readonly string[];

/** A row below the table, with one amount. */
export interface Sum {
  readonly text: string;
  readonly amount: string;
  readonly isBold?: boolean;
}

/** The content of a document as texts, which a thread can take. */
export interface Content {
  readonly title: string;
  /** Grey lines below the title. */
  readonly facts: readonly string[];
  /** A text above the parties, over the whole width. */
  readonly introduction: string;
  readonly seller: readonly string[];
  readonly customer: readonly string[];
  readonly columns: Cells;
  readonly lines: readonly Cells[];
  readonly sums: readonly Sum[];
  /** The rows below the sums, after a gap. */
  readonly settlement: readonly Sum[];
  /** Lines below the sums on how to transfer the amount; empty where it is paid otherwise. */
  readonly transfer: readonly string[];
  readonly closing: { readonly text: string; readonly isGrey: boolean };
}

/** All texts in a value, however deep. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** A copy of a value in which each text is changed, however deep. */
export function withTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change)) as Value;
  const entries = Object.entries(value).map(([name, each]) => [name, withTexts(each, change)]);
  return Object.fromEntries(entries);
}

/** The texts in the font Bold. */
export const boldTexts = ({ title, columns, sums, settlement }: Content): string[] =>
  textsIn([title, columns, [...sums, ...settlement].filter(({ isBold }) => isBold)]);
