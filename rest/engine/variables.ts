import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  typeFromAST,
} from 'graphql';
import { conditions, type Filter, filtersOf, fromText, readFilters } from './filters.ts';
import {
  Findings,
  isShort,
  listOf,
  type Place,
  type Read,
  readerOf,
  wholeNumber,
} from './reader.ts';
import type { Route } from './route.ts';
import { atOnce, inSlices } from './slices.ts';
import {
  expectedCatalog,
  expectedVersion,
  isExpectation,
  stateIn,
  versionIn,
} from './versioned.ts';

/** The parts of a request. */
export interface Parts {
  readonly path: Readonly<Record<string, string | undefined>>;
  /** The path of the request. */
  readonly pathname?: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
  /** The header of a request that writes. */
  readonly ifMatch?: string | null;
}

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly read: Read;
  /** The reader of a list's items. */
  readonly list: ReturnType<typeof listOf>;
  /** The query parameters that fill the variable of a list's conditions. */
  readonly filters?: readonly Filter[];
}

/** The part of a JSON Schema that limits the length of lists. */
export interface Ranges {
  readonly properties?: Readonly<Record<string, Ranges>>;
  readonly items?: Ranges;
  readonly maxItems?: number;
  readonly anyOf?: readonly Ranges[];
}

/** The operation's variables, each with its type and the reading of what the caller sent for it. */
export function variablesOf(
  { operation, method, path }: Route,
  schema: GraphQLSchema,
  rangesOf: (variable: string) => Ranges | undefined = () => undefined,
): readonly Variable[] {
  const definitions = operation.variableDefinitions ?? [];
  const inPath = path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []));
  const taken = new Set([...definitions.map(({ variable }) => variable.name.value), ...inPath]);
  return definitions.map(({ variable, type: node }) => {
    const type = typeFromAST(schema, node) as GraphQLInputType;
    const name = variable.name.value;
    const ranges = rangesOf(name);
    const known = { name, type, read: readerOf(type, ranges), list: listOf(type, ranges) };
    const isFiltered = method === 'GET' && name === conditions;
    return isFiltered ? { ...known, filters: filtersOf(type, taken) } : known;
  });
}

/** The variables of a route that its body fills; none for a GET. */
export function fieldsOf<T extends { readonly name: string }>(
  { method, path, preferences = {} }: Route,
  variables: readonly T[],
): readonly T[] {
  if (method === 'GET') return [];
  const elsewhere = new Set(Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name));
  for (const name of Object.values(preferences)) elsewhere.add(name);
  return variables.filter(({ name }) => !elsewhere.has(name) && !isExpectation(name));
}

/** The result of reading a request: the typed values, and the errors. */
export interface Reading {
  readonly values: Record<string, unknown>;
  readonly findings: Findings;
}

/** From how many items on a list is read in slices. */
const longList = 500;

/** The values of the variables: from the path, else the body's key, else the query. `$input` is the whole body. */
export function readVariables(
  variables: readonly Variable[],
  parts: Parts,
): Reading | Promise<Reading> {
  const given = variables.map((variable) => ({
    variable,
    value: variable.filters ? undefined : sentFor(variable, parts),
  }));
  const isLong = given.some(({ value }) => Array.isArray(value) && value.length > longList);
  const reading = isLong ? inSlices(readAll(given)) : atOnce(readAll(given));
  const filtered = variables.find(({ filters }) => filters);
  // Only bodies have long lists, and only a GET has filters.
  if (!filtered || parts.query.size === 0 || reading instanceof Promise) return reading;
  reading.values[filtered.name] = readFilters(
    filtered.filters ?? [],
    parts.query,
    reading.findings,
  );
  return reading;
}

function* readAll(
  given: readonly { readonly variable: Variable; readonly value: unknown }[],
): Generator<void, Reading> {
  const values: Record<string, unknown> = {};
  const findings = new Findings();
  for (const { variable, value } of given) {
    const { name, type, read, list } = variable;
    const place = { key: isExpectation(name) ? 'If-Match' : name };
    if (value == null) {
      if (isNonNullType(type)) findings.add(place, 'is required', 'REQUIRED');
    } else if (list && Array.isArray(value) && value.length > longList) {
      values[name] = isShort(value, list.most, place, findings)
        ? yield* readItems(value, list.readItem, place, findings)
        : value;
    } else if (name === expectedVersion && typeof value !== 'number') {
      findings.add(place, 'must be the ETag of an answer, such as "3", or *');
    } else values[name] = read(name === 'limit' ? pageSize(value) : value, place, findings);
  }
  return { values, findings };
}

const itemsAtOnce = 50;

function* readItems(
  list: readonly unknown[],
  readItem: Read,
  place: Place,
  findings: Findings,
): Generator<void, unknown[]> {
  const items: unknown[] = [];
  for (let key = 0; key < list.length && !findings.areEnough; key++) {
    items.push(readItem(list[key], { above: place, key }, findings));
    if (key % itemsAtOnce === 0) yield;
  }
  return items;
}

function sentFor({ name, type }: Variable, { path, body, query, ifMatch }: Parts): unknown {
  if (name === expectedVersion) return versionIn(ifMatch);
  if (name === expectedCatalog) return stateIn(ifMatch);
  return path[name] ?? (name === 'input' ? body : (body[name] ?? fromQuery(query, name, type)));
}

/** A page size that is no whole number is out of range like 0 is, and is refused in the same words. */
const pageSize = (value: unknown) =>
  wholeNumber.test(String(value)) && Math.abs(Number(value)) < 1e6 ? Number(value) : 0;

/** Lists come repeated or joined by commas. */
function fromQuery(query: URLSearchParams, name: string, type: GraphQLInputType): unknown {
  const texts = query.getAll(name);
  if (texts.length === 0) return undefined;
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) return texts.flatMap((text) => text.split(',')).filter(Boolean);
  if (texts.length > 1) return texts;
  const [text = ''] = texts;
  return fromText(text, getNamedType(type).name);
}
