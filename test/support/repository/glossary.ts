import { globSync, readFileSync } from 'node:fs';

/** A row of the glossary. */
export interface GlossaryRow {
  /** The document with the row. */
  readonly document: string;
  readonly terms: readonly string[];
  /** Words that no text uses in place of the terms. */
  readonly refused: readonly string[];
  /** Words that are wrong for these terms, and have another sense elsewhere. */
  readonly wrongHere: readonly string[];
}

const row = /^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm;
const table = /^\| term \| meaning \| not \|\n\|(?:---\|){3}\n((?:\|.*\n?)*)/gm;

const partsOf = (cell: string) => cell.split(', ').map((part) => part.trim());

/** The rows of the tables of words in a document. */
export function glossaryIn(document: string, text: string): GlossaryRow[] {
  return [...text.matchAll(table)].flatMap(([, rows = '']) =>
    [...rows.matchAll(row)].map(([, terms = '', , not = '']) => {
      const words = partsOf(not);
      return {
        document,
        terms: partsOf(terms),
        refused: words.filter((word) => !word.startsWith('(')),
        wrongHere: words.filter((word) => word.startsWith('(')).map((word) => word.slice(1, -1)),
      };
    }),
  );
}

/** The glossary: the words that everybody needs, and those of each area. */
export const glossary = (): GlossaryRow[] =>
  ['src/README.md', ...globSync('src/{domain,engines,server}/**/README.md')].flatMap((document) =>
    glossaryIn(document, readFileSync(document, 'utf8')),
  );

/** The words of a text that the glossary refuses. Code in backticks is not read. */
export function refusedIn(text: string, rows: readonly GlossaryRow[]): string[] {
  const plain = text.replaceAll(/`[^`]*`/g, '').replaceAll(/\s+/g, ' ');
  return rows.flatMap(({ refused }) =>
    refused.filter((word) => new RegExp(`\\b${word}s?\\b`, 'i').test(plain)),
  );
}
