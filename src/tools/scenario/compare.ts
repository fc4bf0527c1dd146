import { inspect } from 'node:util';
import type { Values } from './scenario.ts';
import { listOfPage } from './selection.ts';

/** One place where a record is not as expected. */
export interface Difference {
  /** The path in the answer, such as `invoices[1].total`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * The differences between an expected value and the answer. Objects are compared by the fields that are expected, lists
 * record by record, times as instants and decimals by their value.
 */
export function differences(path: string, expected: unknown, answer: unknown): Difference[] {
  const actual = Array.isArray(expected) ? recordsOf(answer) : answer;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [different(path, expected, actual)];
    const sizes =
      expected.length === actual.length
        ? []
        : [
            {
              path,
              expected: countOf(expected.length),
              actual: `${countOf(actual.length)}: ${shown(actual)}`,
            },
          ];
    const pairs = expected.slice(0, actual.length);
    return [
      ...sizes,
      ...pairs.flatMap((one, place) => differences(`${path}[${place}]`, one, actual[place])),
    ];
  }
  if (typeof expected === 'object' && expected) {
    if (typeof actual !== 'object' || !actual) return [different(path, expected, actual)];
    return Object.entries(expected as Values).flatMap(([name, inner]) =>
      differences(`${path}.${name}`, inner, (actual as Values)[name]),
    );
  }
  return isEqual(expected, actual) ? [] : [different(path, expected, actual)];
}

/** The records of a list that must contain others, and does not: the nearest record is not known, so all are shown. */
export function missing(path: string, expected: readonly unknown[], answer: unknown): Difference[] {
  const actual = recordsOf(answer);
  const records = Array.isArray(actual) ? actual : [];
  return expected
    .filter((one) => !records.some((record) => differences(path, one, record).length === 0))
    .map((one) => ({
      path,
      expected: `a record ${shown(one)}`,
      actual: `${countOf(records.length)}: ${shown(records)}`,
    }));
}

const recordsOf = (answer: unknown) =>
  typeof answer === 'object' && answer && listOfPage in answer ? answer[listOfPage] : answer;

const countOf = (count: number) => (count === 1 ? '1 record' : `${count} records`);

function different(path: string, expected: unknown, actual: unknown): Difference {
  const isTime = typeof expected === 'string' && time.test(expected) && typeof actual === 'number';
  const found = isTime ? new Date(actual).toISOString() : actual;
  return { path, expected: shown(expected), actual: shown(found) };
}

/** Times are ISO 8601 in files, and milliseconds or ISO 8601 in answers. */
const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/;
const decimal = /^-?\d+(\.\d+)?$/;

function isEqual(expected: unknown, actual: unknown): boolean {
  if (expected === actual) return true;
  if (expected === null || actual === null) return expected === (actual ?? null);
  const [one, other] = [String(expected), String(actual)];
  if (time.test(one)) return Date.parse(one) === (time.test(other) ? Date.parse(other) : actual);
  // A decimal is a text in an answer and usually a number in a file.
  const isDecimal = typeof expected === 'number' && typeof actual === 'string';
  return isDecimal && decimal.test(other) && Number(other) === expected;
}

/** A value in one line; the names of types are not part of what is compared. */
function shown(value: unknown): string {
  const plain = JSON.stringify(value ?? null, (key, inner) =>
    key === '__typename' ? undefined : inner,
  );
  return inspect(JSON.parse(plain), { depth: 9, breakLength: Number.POSITIVE_INFINITY });
}
