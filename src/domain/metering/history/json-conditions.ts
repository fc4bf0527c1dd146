import { sqlText } from './sql-text.ts';

/**
 * Whether a JSON value contains another one, as the operator `@>` of PostgreSQL decides for `jsonb`: an object has all
 * entries, an array has each element somewhere, and scalars are equal. `value` is SQL of DuckDB.
 */
export function contains(value: string, part: unknown, depth = 0): string {
  if (Array.isArray(part)) {
    const each = `each_${depth}`;
    const elements = part.map(
      (element) =>
        `coalesce(list_bool_or(list_transform(json_extract(${value}, '$[*]'), lambda ${each}: ${contains(each, element, depth + 1)})), false)`,
    );
    return all([isOf(value, 'ARRAY'), ...elements]);
  }
  if (typeof part === 'object' && part !== null) {
    const entries = Object.entries(part).map(([key, entry]) =>
      contains(`json_extract(${value}, ${sqlText(pointer(key))})`, entry, depth),
    );
    return all([isOf(value, 'OBJECT'), ...entries]);
  }
  if (part === null || part === undefined) return isOf(value, 'NULL');
  const text = `json_extract_string(${value}, '$')`;
  if (typeof part === 'string') return all([isOf(value, 'VARCHAR'), `${text} = ${sqlText(part)}`]);
  if (typeof part === 'boolean') return all([isOf(value, 'BOOLEAN'), `${text} = '${part}'`]);
  return all([isNumber(value), `try_cast(${text} as double) = ${Number(part)}::double`]);
}

/** A part of a document, as RFC 6901 writes it. */
const pointer = (key: string) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** No row for a value that is not there, instead of an unknown one. */
const isOf = (value: string, type: string) => `coalesce(json_type(${value}), '') = '${type}'`;

const isNumber = (value: string) =>
  `coalesce(json_type(${value}), '') not in ('', 'ARRAY', 'OBJECT', 'NULL', 'VARCHAR', 'BOOLEAN')`;

const all = (conditions: readonly string[]) => `(${conditions.join(' and ')})`;
