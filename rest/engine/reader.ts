import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLLeafType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type Issue, mostIssues } from './errors.ts';
import type { Ranges } from './variables.ts';

/** The position of a value in a request; written out only for errors. */
export interface Place {
  readonly above?: Place | undefined;
  readonly key: string | number;
}

/** Messages repeat the value that they are about, which may be long. */
const longestMessage = 500;

/** The issues of a request, up to as many as an answer names. */
export class Findings {
  readonly issues: Issue[] = [];
  /** Whether there is more than an answer names, so that reading on finds nothing new. */
  get areEnough(): boolean {
    return this.issues.length > mostIssues;
  }

  add(place: Place, message: string, code: Issue['code'] = 'INVALID') {
    const path: (string | number)[] = [];
    for (let at: Place | undefined = place; at; at = at.above) path.unshift(at.key);
    this.issues.push({ code, path, message: message.slice(0, longestMessage) });
  }
}

/** Reads a value as its type has it; one that does not fit is found and stays as it is. */
export type Read = (value: unknown, place: Place, findings: Findings) => unknown;

/** The largest length of lists without a rule of their own. */
const mostItems = 10_000;

/**
 * The reader of a type. It drops fields that the type does not know. Null counts as absent, except
 * for fields with the extension `keepsNull`, where it means none. `ranges` limits the length of
 * lists: a longer one is refused before its items are read.
 */
export function readerOf(type: GraphQLInputType, ranges: Ranges | undefined): Read {
  if (isNonNullType(type)) return requiredReader(readerOf(type.ofType, ranges));
  if (isListType(type)) return listReader(type.ofType, ranges);
  if (isInputObjectType(type)) return objectReader(type, ranges);
  return leafReader(type);
}

const requiredReader =
  (read: Read): Read =>
  (value, place, findings) =>
    value === null
      ? findings.add(place, 'must not be null', 'REQUIRED')
      : read(value, place, findings);

/** A list with what reads its items, for lists that are read in slices. */
export function listOf(type: GraphQLInputType, ranges: Ranges | undefined) {
  const list = isNonNullType(type) ? type.ofType : type;
  if (!isListType(list)) return undefined;
  const own = given(ranges, 'items');
  return { most: own?.maxItems ?? mostItems, readItem: readerOf(list.ofType, own?.items) };
}

/** Whether a list is short enough to be read; finds it when not. */
export function isShort(list: unknown[], most: number, place: Place, findings: Findings) {
  if (list.length <= most) return true;
  findings.add(place, `must have at most ${most} items`, 'TOO_LONG');
  return false;
}

function listReader(itemType: GraphQLInputType, ranges: Ranges | undefined): Read {
  const own = given(ranges, 'items');
  const most = own?.maxItems ?? mostItems;
  const readItem = readerOf(itemType, own?.items);
  return (value, place, findings) => {
    if (value === null) return null;
    // GraphQL takes a single value as a list of one.
    if (!Array.isArray(value)) return [readItem(value, place, findings)];
    if (!isShort(value, most, place, findings)) return value;
    const items: unknown[] = [];
    for (let key = 0; key < value.length && !findings.areEnough; key++) {
      items.push(readItem(value[key], { above: place, key }, findings));
    }
    return items;
  };
}

/** `ranges` may also allow null. */
const given = (ranges: Ranges | undefined, part: 'items' | 'properties'): Ranges | undefined =>
  ranges?.[part] ? ranges : ranges?.anyOf?.find((one) => one[part]);

interface Field {
  readonly name: string;
  readonly read: Read;
  readonly isRequired: boolean;
  readonly keepsNull: boolean;
  readonly defaultValue: unknown;
}

function objectReader(
  type: Extract<GraphQLInputType, { getFields: unknown }>,
  ranges: Ranges | undefined,
): Read {
  // Types may contain themselves, so their fields are looked at when the first value comes.
  let fields: Field[] | undefined;
  return (value, place, findings) => {
    if (value === null) return null;
    if (typeof value !== 'object' || Array.isArray(value)) {
      findings.add(place, 'must be an object');
      return value;
    }
    fields ??= fieldsOf(type, given(ranges, 'properties'));
    const object: Record<string, unknown> = {};
    for (const { name, read, isRequired, keepsNull, defaultValue } of fields) {
      const field = (value as Record<string, unknown>)[name];
      if (field != null) object[name] = read(field, { above: place, key: name }, findings);
      else if (field === null && keepsNull) object[name] = null;
      else if (isRequired) findings.add({ above: place, key: name }, 'is required', 'REQUIRED');
      else if (defaultValue !== undefined) object[name] = defaultValue;
    }
    return object;
  };
}

const fieldsOf = (
  type: Extract<GraphQLInputType, { getFields: unknown }>,
  ranges: Ranges | undefined,
): Field[] =>
  Object.values(type.getFields()).map(({ name, type, extensions, defaultValue }) => ({
    name,
    read: readerOf(type, ranges?.properties?.[name]),
    isRequired: isNonNullType(type) && defaultValue === undefined,
    keepsNull: extensions.keepsNull === true,
    defaultValue,
  }));

export const wholeNumber = /^-?\d{1,16}$/;

/**
 * The scalars whose values may arrive as text, from a query or from a client that quotes them. Text for a whole
 * number has digits only: `"49.00"` is 49 to some and 4900 minor units to others. A quoted time is ISO 8601.
 */
const numbers: Readonly<Record<string, RegExp | undefined>> = {
  Int: wholeNumber,
  SafeInt: wholeNumber,
  Sequence: wholeNumber,
  Float: /^-?\d+(\.\d+)?$/,
};

function leafReader(type: GraphQLLeafType): Read {
  const pattern = numbers[type.name];
  return (value, place, findings) => {
    if (value === null) return null;
    const meant = typeof value === 'string' && pattern?.test(value) ? Number(value) : value;
    try {
      const parsed = type.parseValue(meant);
      if (parsed !== undefined) return parsed;
    } catch (error) {
      // A refused value is described below, in the words of GraphQL.
      if (!(error instanceof GraphQLError)) throw error;
    }
    findings.add(place, problemOf(type, meant));
    return meant;
  };
}

const builtInRules: Readonly<Record<string, string>> = {
  Int: 'must be a whole number',
  Float: 'must be a number',
  Boolean: 'must be true or false',
};

function problemOf(type: GraphQLLeafType, value: unknown): string {
  const rule = builtInRules[type.name];
  if (rule) return rule;
  if (isEnumType(type) && typeof value === 'string') {
    return `must be one of ${type
      .getValues()
      .map(({ name }) => name)
      .join(', ')}`;
  }
  let problem = '';
  coerceInputValue(value, type, (_path, _value, { message }) => {
    problem = message.replace(/^Expected type "\w+"\. /, '');
  });
  return problem;
}
