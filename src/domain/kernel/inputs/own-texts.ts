import type { z } from 'zod';

/**
 * A text of a record that its organization may set and empty, stated once. Its column, its inputs, the patch, the graph
 * and its erasure follow from this; a test compares REST with it.
 */
export interface OwnText {
  /** A nullable column of text, as the entity defines it. */
  readonly column: object;
  readonly input: z.ZodType<string, string>;
  /** The description of the field in the graph. */
  readonly description: string;
  /** The description of the input, where that has rules of its own. */
  readonly given?: string;
  /** Whether answers of REST have it always, with `Prefer: include=all`, or never. */
  readonly rest: 'always' | 'extra' | 'never';
}

/** The own texts of a record, by their names. */
export type OwnTexts = Readonly<Record<string, OwnText>>;

const entriesOf = <T extends OwnTexts, K extends keyof OwnText>(texts: T, key: K) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text[key]])) as {
    readonly [Name in keyof T]: T[Name][K];
  };

/** The columns of own texts, for the entity. */
export const columnsOf = <T extends OwnTexts>(texts: T) => entriesOf(texts, 'column');

/** The inputs of own texts; null empties one, and an absent one does not change. */
export const inputsOf = <T extends OwnTexts>(texts: T) =>
  Object.fromEntries(Object.entries(texts).map(([name, { input }]) => [name, input.nullish()])) as {
    readonly [Name in keyof T]: z.ZodOptional<z.ZodNullable<T[Name]['input']>>;
  };

/** The given own texts among the fields of an input. */
export const ownTextsIn = <T extends OwnTexts, Given extends object>(
  texts: T,
  given: Given,
): Pick<Given, keyof Given & keyof T> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name in texts)) as Given;

/** Own texts that are erased, or empty in a new record. */
export const emptied = <T extends OwnTexts>(texts: T) =>
  Object.fromEntries(Object.keys(texts).map((name) => [name, null])) as {
    readonly [Name in keyof T]: null;
  };
