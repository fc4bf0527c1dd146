import { z } from 'zod';

/** The refusal of a value that is missing. */
export const required = 'is required';

/**
 * The refusal of a value, in words whose subject is its path. zod's own words are for the programmer of a schema. It has
 * one configuration in a process, so each file that shows its messages imports this one.
 */
function plainWords(issue: z.core.$ZodRawIssue): string {
  const { code, input } = issue;
  const isMissing = input === undefined && missable.has(code);
  return isMissing ? required : (words[code] as (issue: z.core.$ZodRawIssue) => string)(issue);
}

/** The issues that zod also has for a value that is not there. */
const missable: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

interface Affixes {
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes?: string;
}

type Raw<Code> = Extract<z.core.$ZodRawIssue, { readonly code: Code }>;

const words: {
  readonly [Code in z.core.$ZodIssue['code']]: (issue: Raw<Code>) => string;
} = {
  invalid_type: ({ expected, input }) =>
    expected === 'number' && typeof input === 'number'
      ? 'must be a finite number'
      : (types[expected] ?? `must be of the type ${expected}`),
  too_small: ({ origin, minimum, inclusive, exact }) =>
    sized(origin, minimum, exact ? 'exactly' : inclusive ? 'at least' : 'more than') ??
    must(origin, minimum, inclusive ? 'at least' : 'greater than'),
  too_big: ({ origin, maximum, inclusive, exact }) =>
    sized(origin, maximum, exact ? 'exactly' : inclusive ? 'at most' : 'less than') ??
    must(origin, maximum, inclusive ? 'at most' : 'less than'),
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  invalid_format: (issue) => {
    const { format, pattern, prefix, suffix, includes } = issue as typeof issue & Affixes;
    if (format === 'regex') return `must match the pattern ${pattern}`;
    if (prefix !== undefined) return `must start with ${prefix}`;
    if (suffix !== undefined) return `must end with ${suffix}`;
    if (includes !== undefined) return `must contain ${includes}`;
    return `must be ${formats[format] ?? `a text of the format ${format}`}`;
  },
  invalid_value: ({ values }) => `must be ${values.length > 1 ? 'one of ' : ''}${listed(values)}`,
  unrecognized_keys: ({ keys, inst }) => {
    const unknown = keys.map((key) => JSON.stringify(key)).join(', ');
    const known = Object.keys((inst as Partial<z.ZodObject> | undefined)?.shape ?? {}).join(', ');
    return `must not have the field${keys.length > 1 ? 's' : ''} ${unknown}: its fields are ${known || 'none'}`;
  },
  invalid_key: ({ issues }) => `has a key that ${issues[0]?.message}`,
  invalid_element: ({ issues }) => `has a value that ${issues[0]?.message}`,
  invalid_union: (issue) => {
    const { options, inclusive, errors } = issue as {
      readonly options?: z.core.util.Primitive[];
      readonly inclusive?: boolean;
      readonly errors: readonly (readonly z.core.$ZodIssue[])[];
    };
    if (options) return words.invalid_value({ values: options } as Raw<'invalid_value'>);
    return inclusive === false ? 'must have one of its forms only' : alternatives(errors);
  },
  custom: () => 'is not allowed',
};

const types: Readonly<Record<string, string>> = {
  string: 'must be a text',
  number: 'must be a number',
  int: 'must be a whole number',
  bigint: 'must be a whole number',
  boolean: 'must be true or false',
  date: 'must be a time',
  array: 'must be a list',
  tuple: 'must be a list',
  set: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  map: 'must be an object',
  null: 'must be null',
  undefined: 'must be absent',
  never: 'must be absent',
  nonoptional: required,
};

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'an absolute URL, such as https://example.com',
  datetime: 'a date-time in ISO 8601 with a zone, such as 2026-01-31T10:00:00Z',
  date: 'a date, such as 2026-01-31',
  time: 'a time of day, such as 10:00:00',
  uuid: 'a UUID',
};

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
  file: ['byte', 'bytes'],
};

/** The limit of a length; undefined for the value of a number or a time. */
function sized(origin: string, limit: number | bigint, relation: string): string | undefined {
  const unit = units[origin];
  return unit && `must have ${relation} ${limit} ${unit[Number(limit) === 1 ? 0 : 1]}`;
}

function must(origin: string, limit: number | bigint, relation: string): string {
  if (origin !== 'date') return `must be ${relation} ${limit}`;
  const at = new Date(Number(limit)).toISOString();
  if (relation === 'at least') return `must be ${at} or later`;
  if (relation === 'at most') return `must be ${at} or earlier`;
  return `must be ${relation === 'greater than' ? 'after' : 'before'} ${at}`;
}

const listed = (values: readonly z.core.util.Primitive[]) =>
  values.map((value) => (value === '' ? 'empty' : String(value))).join(', ');

/** The refusals of all alternatives of a union, where these are about the value itself; else that of the nearest one. */
function alternatives(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const ofValue = errors.flatMap(([first]) => (first && first.path.length === 0 ? [first] : []));
  if (ofValue.length === errors.length && ofValue.length > 0) {
    const parts = [...new Set(ofValue.map(({ message }) => message))];
    return parts
      .map((part, index) => (index > 0 ? part.replace(/^must be /, '') : part))
      .join(', or ');
  }
  const [near] = errors
    .flatMap(([first]) => (first && first.path.length > 0 ? [first] : []))
    .toSorted((one, other) => other.path.length - one.path.length);
  return near
    ? `has no allowed form: ${near.path.join('.')} ${near.message}`
    : 'has no allowed form';
}

z.config({ localeError: plainWords });
