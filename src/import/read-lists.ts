import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { ImportError } from './import-error.ts';
import type { Problem } from './source.ts';

/** The records of a file that have the shape, and the problems of the others. */
export interface Records<T> {
  readonly records: readonly T[];
  readonly problems: readonly Problem[];
}

/**
 * Reads records from a JSON file: an array, a list with `data`, or one record a line. A file that is not there has none.
 * Errors: ImportError.
 */
export async function readJsonList<T>(
  folder: string,
  file: string,
  kind: string,
  shape: z.ZodType<T>,
): Promise<Records<T>> {
  const text = await readOptional(join(folder, file));
  return checkRecords(text === undefined ? [] : listIn(text, file), kind, shape);
}

/** The text of a file; undefined where there is none. Errors: ImportError. */
export async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ImportError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Sorts records by whether they have the shape. */
export function checkRecords<T>(
  list: readonly unknown[],
  kind: string,
  shape: z.ZodType<T>,
): Records<T> {
  const records: T[] = [];
  const problems: Problem[] = [];
  for (const [place, one] of list.entries()) {
    const { success, data, error } = shape.safeParse(one);
    if (success) {
      records.push(data);
      continue;
    }
    const [issue] = error.issues;
    const named = (one as { id?: unknown; external_id?: unknown } | null) ?? {};
    problems.push({
      record: `${kind} ${named.id ?? named.external_id ?? `${place + 1}`}`,
      message: `${issue?.path.join('.') || 'The record'}: ${issue?.message}`,
      isLeftOut: true,
    });
  }
  return { records, problems };
}

function listIn(text: string, file: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
    const { data } = value as { data?: unknown };
    if (Array.isArray(data)) return data;
    return [value];
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      return lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      throw new ImportError(
        `${file} must be a JSON array, a list with data, or one JSON object a line: ${(error as Error).message}`,
      );
    }
  }
}
