import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import '#domain/kernel/inputs/plain-words.ts';
import type { Expectation, Scenario, Step, Values } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

type Path = readonly (string | number)[];

/** Finds the line of a value by its path. */
type LineOf = (path: Path) => number;

const values = z.record(z.string(), z.unknown());
const refusal = z
  .strictObject({ code: z.string(), message: z.string() })
  .partial()
  .refine(({ code, message }) => code ?? message, 'must have a code, a message or both');

const header = z.strictObject({
  name: z.string().min(1),
  currency: z.string().default('USD'),
  clock: z.string().default('2026-01-01T00:00:00Z'),
  organization: values.optional(),
  catalog: values.optional(),
  steps: z.array(values).min(1),
});

const query = z
  .strictObject({
    of: values.default({}),
    is: values.nullable().optional(),
    are: z.array(z.unknown()).optional(),
    include: z.array(z.unknown()).min(1).optional(),
    count: z.int().min(0).optional(),
  })
  .refine(
    ({ is, are, include, count }) => [is, are, include, count].some((value) => value !== undefined),
    'must have one of is, are, include and count',
  );

const source = z.strictObject({
  from: z.enum(['stripe', 'csv']).default('stripe'),
  folder: z.string().min(1),
  report: z.array(z.string()).optional(),
});

const name = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9]*$/, 'must be a word of letters and digits, without $');

/** Reads a scenario from YAML text. Errors: ScenarioError with the line. */
export function readScenario(source: string): Scenario {
  const counter = new LineCounter();
  const document = parseDocument(source, {
    logLevel: 'error',
    merge: true,
    stringKeys: true,
    lineCounter: counter,
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw new ScenarioError(problem.message, problem.linePos?.[0].line);
  const lineOf = (path: Path) => lineIn(document, counter, path);
  const { steps, ...rest } = checked(header, document.toJS() ?? {}, [], lineOf);
  return {
    ...rest,
    organization: rest.organization,
    catalog: rest.catalog,
    steps: steps.map((step, place) => readStep(step, ['steps', place], lineOf)),
  };
}

function readStep(step: Values, path: Path, lineOf: LineOf): Step {
  const line = lineOf(path);
  const { as, fails, ...rest } = step;
  const [key, ...others] = Object.keys(rest);
  if (key === undefined || others.length > 0) {
    throw new ScenarioError(
      `A step has one of advance, expect, find, import and the name of a mutation, besides as and fails; this one has ${[key, ...others].join(', ') || 'none'}`,
      line,
    );
  }
  const value = rest[key];
  if (key === 'expect') {
    const expected = checked(values, value, [...path, key], lineOf);
    return {
      kind: 'expect',
      line,
      expected: Object.keys(expected).map((field) =>
        readExpectation(field, expected[field], [...path, key, field], lineOf),
      ),
    };
  }
  if (key === 'advance') {
    return { kind: 'advance', line, to: checked(z.string(), value, [...path, key], lineOf) };
  }
  if (key === 'import') {
    const { report, ...rest } = checked(source, value, [...path, key], lineOf);
    return { kind: 'import', line, ...rest, report };
  }
  if (key === 'find') return readFind(value, as, path, lineOf);
  return {
    kind: 'action',
    line,
    mutation: key,
    args: checked(values, value ?? {}, [...path, key], lineOf),
    as: checked(name.optional(), as, [...path, 'as'], lineOf),
    fails: checked(refusal.optional(), fails, [...path, 'fails'], lineOf),
  };
}

function readFind(value: unknown, as: unknown, path: Path, lineOf: LineOf): Step {
  const fields = checked(values, value, [...path, 'find'], lineOf);
  const [field, ...others] = Object.keys(fields);
  if (field === undefined || others.length > 0) {
    throw new ScenarioError('find names one query with its arguments', lineOf(path));
  }
  const args = checked(values, fields[field] ?? {}, [...path, 'find', field], lineOf);
  const line = lineOf(path);
  return {
    kind: 'find',
    line,
    as: checked(name, as, [...path, 'as'], lineOf),
    expected: { field, line, args, is: undefined, include: undefined, count: undefined },
  };
}

/** A list is the short form of `are`, and an object without its words that of `is`. */
function readExpectation(field: string, value: unknown, path: Path, lineOf: LineOf): Expectation {
  const words = ['of', 'is', 'are', 'include', 'count'];
  const isLong = values.safeParse(value).data;
  const long = isLong && Object.keys(isLong).some((key) => words.includes(key));
  const { of, is, are, include, count } = long
    ? checked(query, value, path, lineOf)
    : { of: {}, is: value, are: undefined, include: undefined, count: undefined };
  return { field, line: lineOf(path), args: of, is: are ?? is, include, count };
}

/** Errors: ScenarioError for the first mistake, with its path and line. */
function checked<T>(shape: z.ZodType<T>, value: unknown, path: Path, lineOf: LineOf): T {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = [...path, ...((issue?.path ?? []) as Path)];
  throw new ScenarioError(`${place.join('.') || 'The file'}: ${issue?.message}`, lineOf(place));
}

/** The line of the value at a path, or of the nearest value above it. */
function lineIn(document: Document, counter: LineCounter, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return counter.linePos(node.range[0]).line;
  }
  return 1;
}
