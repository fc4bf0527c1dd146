import type { Findings } from './reader.ts';

/** An entry of key-value pairs, which an object must have. */
interface Entry {
  readonly key: string;
  readonly value: unknown;
}

/** The form of a parameter that takes entries, for descriptions and refusals: `metadata[key]`. */
export const entryForm = (name: string) => `${name}[key]`;

const inBrackets = /^(\w+)\[(.*)\]$/s;

/** The parameter of a list that a name in a query is meant for: `metadata[plan]` is one of `metadata[key]`. */
export function parameterOf(name: string): string {
  const [, parameter] = inBrackets.exec(name) ?? [];
  return parameter ? entryForm(parameter) : name;
}

/** Reads the parameters `name[key]=value` of a query; undefined where it has none. */
export function readEntries(
  name: string,
  query: URLSearchParams,
  findings: Findings,
): readonly Entry[] | undefined {
  const names = [...new Set(query.keys())].filter((one) => parameterOf(one) === entryForm(name));
  if (names.length === 0) return undefined;
  return names.map((parameter) => {
    const key = inBrackets.exec(parameter)?.[2] ?? '';
    const [text = '', another] = query.getAll(parameter);
    const place = { key: parameter };
    if (key === '') findings.add(place, `must have a key, such as ${name}[plan]=pro`);
    if (another !== undefined) findings.add(place, 'must be one value');
    if (`${key}${text}`.includes('\0'))
      findings.add(place, 'must not contain the character U+0000');
    return { key, value: valueIn(text) };
  });
}

/** Numbers, `true` and `false` have the type that they have in JSON, and so has text in quotes; all else is text. */
function valueIn(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  // Digits that a number does not keep, such as 007 or those of a long card number, are text.
  if (Number.isFinite(Number(text)) && String(Number(text)) === text) return Number(text);
  return /^".*"$/s.test(text) ? unquoted(text) : text;
}

function unquoted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is no JSON, so the text itself is meant.
    return text;
  }
}
