import { parse } from 'csv-parse/sync';
import { ImportError } from '../source/import-error.ts';
import { readOptional } from '../source/read-lists.ts';
import type { Problem } from '../source/source.ts';

const separators = [',', ';', '\t', '|'] as const;
const namesOfSeparators = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' } as const;

/** The line with which spreadsheets name the separator. */
const namedSeparator = /^sep=(.)\r?\n?/i;

/** The rows of a file of CSV, by the names in its first row. */
export interface Table {
  readonly rows: readonly unknown[];
  readonly problems: readonly Problem[];
}

/**
 * Reads a file of CSV, separated by commas, semicolons or tabs. A file that is not there has no rows. Errors:
 * ImportError, also for columns that are missing, unknown or there twice.
 */
export async function readTable(
  folder: string,
  file: string,
  columns: readonly string[],
  required: readonly string[],
): Promise<Table> {
  const read = await readOptional(folder, file);
  if (!read) return { rows: [], problems: [] };
  const named = namedSeparator.exec(read.text);
  const text = named ? read.text.slice(named[0].length) : read.text;
  const separator = named?.[1] ?? separatorOf(text, columns);
  const header = headerOf(text, separator);
  checkHeader(file, header, separator, columns, required);
  try {
    const options = { bom: true, skip_empty_lines: true, trim: true, delimiter: separator };
    return {
      rows: parse(text, { ...options, columns: [...header], from: 2 }),
      problems: read.problems,
    };
  } catch (error) {
    throw new ImportError(
      `${file} is not CSV with a first row of names: ${(error as Error).message}`,
    );
  }
}

/** The separator by which the first row has the most known names. */
function separatorOf(text: string, columns: readonly string[]): string {
  const known = (separator: string) =>
    headerOf(text, separator).filter((name) => columns.includes(name)).length;
  return separators.toSorted((a, b) => known(b) - known(a))[0] ?? ',';
}

function headerOf(text: string, delimiter: string): readonly string[] {
  try {
    const [names = []] = parse(text, {
      bom: true,
      skip_empty_lines: true,
      trim: true,
      delimiter,
      to: 1,
      relax_quotes: true,
    }) as unknown as string[][];
    return names.map((name) => name.toLowerCase());
  } catch {
    // The reader of the rows reports what is wrong.
    return [];
  }
}

function checkHeader(
  file: string,
  header: readonly string[],
  separator: string,
  columns: readonly string[],
  required: readonly string[],
) {
  const refuse = (why: string) => {
    const by = namesOfSeparators[separator as ','] ?? JSON.stringify(separator);
    throw new ImportError(
      `${file} ${why}. Its first row, separated by ${by}, is: ${header.join(', ')}`,
    );
  };
  const missing = required.filter((name) => !header.includes(name));
  if (missing.length > 0) refuse(`lacks the columns ${missing.join(', ')}`);
  const unknown = header.filter((name) => !columns.includes(name));
  if (unknown.length > 0)
    refuse(`has the unknown columns ${unknown.join(', ')}; known ones are ${columns.join(', ')}`);
  const double = header.find((name, place) => header.indexOf(name) !== place);
  if (double !== undefined) refuse(`has the column ${double} twice`);
}
