import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import '#domain/kernel/inputs/plain-words.ts';
import { withoutDuplicates } from './duplicates.ts';
import { ImportError } from './import-error.ts';
import type { Problem } from './source.ts';
import { damagedPath, tellingLine, textIn } from './text-in.ts';

/** The records of a file that have the shape, also as they are in the file, and the problems of the others. */
export interface Records<T> {
  readonly records: readonly T[];
  /** The records as they are in the file, in the order of `records`. */
  readonly raw: readonly Raw[];
  /** The others, as they are in the file. */
  readonly refused: readonly Raw[];
  readonly problems: readonly Problem[];
}

/** A record as its file has it. */
export type Raw = Readonly<Record<string, unknown>>;

interface Page {
  readonly data?: unknown;
  readonly has_more?: unknown;
}

/**
 * Reads records from a JSON file: an array, a list with `data`, or several values one after the other. A file that is not
 * there has none. Errors: ImportError.
 */
export async function readJsonList<T>(
  folder: string,
  file: string,
  kind: string,
  shape: z.ZodType<T>,
): Promise<Records<T>> {
  const read = await readOptional(folder, file);
  if (!read) return { records: [], raw: [], refused: [], problems: [] };
  const pages = pagesIn(read.text, file);
  const checked = withoutDuplicates(checkRecords(pages.flatMap(recordsOf), kind, shape), kind);
  const isCut = (pages.findLast(isPage) as Page | undefined)?.has_more === true;
  const cut: Problem = {
    record: `file ${file}`,
    message:
      'is incomplete: it ends with has_more: true. List all pages (starting_after the last id), and import again with all of them',
    isLeftOut: true,
  };
  return {
    ...checked,
    problems: [...read.problems, ...(isCut ? [cut] : []), ...checked.problems],
  };
}

/**
 * The text of a file, with a note where its encoding was guessed; undefined where there is no file. Errors: ImportError, also
 * for one without a text.
 */
export async function readOptional(
  folder: string,
  file: string,
): Promise<{ readonly text: string; readonly problems: readonly Problem[] } | undefined> {
  const bytes = await readFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new ImportError(`${join(folder, file)} cannot be read: ${error.message}`);
  });
  if (!bytes) return undefined;
  const { text, encoding } = textIn(bytes, file);
  if (text.trim() === '')
    throw new ImportError(
      `${file} is empty, as a failed export leaves it: export it again, or remove it where there are no records`,
    );
  if (encoding !== 'windows-1252') return { text, problems: [] };
  const { line = 1, content = '' } = tellingLine(text) ?? {};
  const message = `is no UTF-8, and is read as Windows-1252. If line ${line} is wrong, save the file as UTF-8: ${content}`;
  return { text, problems: [{ record: `file ${file}`, message, isLeftOut: false }] };
}

/** The files of an ending that an import does not read, as problems. Errors: ImportError. */
export async function otherFiles(
  folder: string,
  ending: string,
  read: readonly string[],
): Promise<Problem[]> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new ImportError(`${folder} cannot be read: ${error.message}`);
  });
  return names
    .filter((name) => name.toLowerCase().endsWith(ending) && !read.includes(name))
    .map((name) => ({
      record: `file ${name}`,
      message: `is not read: an export has the files ${read.join(', ')}`,
      isLeftOut: true,
    }));
}

/** Sorts records by whether they have the shape, and by whether their texts are intact. */
export function checkRecords<T>(
  list: readonly unknown[],
  kind: string,
  shape: z.ZodType<T>,
): Records<T> {
  const records: T[] = [];
  const raw: Raw[] = [];
  const refused: Raw[] = [];
  const problems: Problem[] = [];
  for (const [place, one] of list.entries()) {
    const named = (one as { id?: unknown; external_id?: unknown } | null) ?? {};
    const refuse = (message: string) => {
      const name = named.id ?? named.external_id ?? place + 1;
      problems.push({ record: `${kind} ${name}`, message, isLeftOut: true });
      refused.push(one as Raw);
    };
    const damaged = damagedPath(one);
    const { success, data, error } = shape.safeParse(one);
    if (!success) {
      const [issue] = error.issues;
      refuse(`${issue?.path.join('.') || 'The record'}: ${issue?.message}`);
    } else if (damaged !== undefined) {
      refuse(`${damaged}: has a letter that an earlier conversion has damaged: export it again`);
    } else {
      records.push(data);
      raw.push(one as Raw);
    }
  }
  return { records, raw, refused, problems };
}

/** The parts of a file: lists, or records. */
function pagesIn(text: string, file: string): readonly unknown[] {
  try {
    try {
      return [JSON.parse(text) as unknown].flat();
    } catch {
      // The file has several values one after the other.
      return valuesIn(text).flatMap((one) => JSON.parse(one) as unknown);
    }
  } catch (error) {
    throw new ImportError(
      `${file} must be a JSON array, lists with data one after the other, or one JSON object a line: ${(error as Error).message}`,
    );
  }
}

/**
 * The texts of the objects and arrays that follow one another, each in one line or in several. Any other text is a value,
 * too, for the error of its parser.
 */
function valuesIn(text: string): string[] {
  const values: string[] = [];
  let depth = 0;
  let from = 0;
  // Texts are matched as a whole, so that no bracket within them counts.
  for (const { 0: part, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/gs)) {
    if (part.startsWith('"')) continue;
    depth += part === '{' || part === '[' ? 1 : -1;
    if (depth !== 0) continue;
    values.push(text.slice(from, index + 1).trim());
    from = index + 1;
  }
  const rest = text.slice(from);
  return rest.trim() === '' ? values : [...values, rest];
}

/** Whether a part of a file is a list of Stripe's API; a record has no array `data` of its own. */
const isPage = (value: unknown): value is Page =>
  Array.isArray((value as Page | null)?.data) && (value as { id?: unknown }).id === undefined;

const recordsOf = (value: unknown): readonly unknown[] =>
  isPage(value) ? (value.data as unknown[]) : [value];
