import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
} from 'graphql';
import type { Route } from './route.ts';

/** What a request brings. */
export interface Parts {
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
}

export type Shape = (value: unknown) => unknown;

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly shape: Shape;
}

/** The operation's variables, each with its type and the reading of what the caller sent for it. */
export function variablesOf({ operation }: Route, schema: GraphQLSchema): readonly Variable[] {
  return (operation.variableDefinitions ?? []).map(({ variable, type: node }) => {
    const type = typeFromAST(schema, node as never) as GraphQLInputType;
    return { name: variable.name.value, type, shape: shapeOf(type) };
  });
}

/** The values of the variables: from the path, else the body's key, else the query. `$input` is the whole body. */
export function valuesOf(variables: readonly Variable[], { path, body, query }: Parts) {
  const values: Record<string, unknown> = {};
  for (const { name, type, shape } of variables) {
    const value =
      path[name] ?? (name === 'input' ? body : (body[name] ?? fromQuery(query, name, type)));
    if (value != null) values[name] = name === 'limit' ? pageSize(shape(value)) : shape(value);
  }
  return values;
}

/** A page size that is no whole number is out of range like 0 is, and is refused in the same words. */
const pageSize: Shape = (value) =>
  Number.isInteger(value) && Math.abs(value as number) < 1e6 ? value : 0;

/**
 * Lenient in: fields that the type does not know are dropped, and null counts as absent, but for fields with the
 * extension `keepsNull`, where it means none.
 */
function shapeOf(type: GraphQLInputType): Shape {
  if (isNonNullType(type)) return shapeOf(type.ofType);
  if (isListType(type)) {
    const shape = shapeOf(type.ofType);
    return (value) => (Array.isArray(value) ? value.map(shape) : value);
  }
  if (isInputObjectType(type)) return objectShape(type);
  const name = getNamedType(type).name;
  // A client may quote numbers. Times it may not: a quoted time is ISO 8601.
  const pattern = numbers[name];
  return pattern ? numberIn(pattern) : (value) => value;
}

/**
 * The scalars whose values may arrive as text, from a query or from a client that quotes them. Text for a whole
 * number has digits only: `"49.00"` is 49 to some and 4900 minor units to others.
 */
const wholeNumber = /^-?\d{1,16}$/;

const numbers: Readonly<Record<string, RegExp | undefined>> = {
  Int: wholeNumber,
  SafeInt: wholeNumber,
  Sequence: wholeNumber,
  Float: /^-?\d+(\.\d+)?$/,
};

const numberIn =
  (pattern: RegExp): Shape =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? Number(value) : value;

function objectShape(type: Extract<GraphQLInputType, { getFields: unknown }>): Shape {
  // Types may contain themselves, so their fields are looked at when the first value comes.
  let shapes: [string, Shape, boolean][] | undefined;
  return (value) => {
    // GraphQL takes an array for an object without fields; a text it refuses in the right words.
    if (Array.isArray(value)) return '[]';
    if (typeof value !== 'object' || value === null) return value;
    shapes ??= Object.values(type.getFields()).map(({ name, type, extensions }) => [
      name,
      shapeOf(type),
      extensions.keepsNull === true,
    ]);
    const object: Record<string, unknown> = {};
    for (const [name, shape, keepsNull] of shapes) {
      const field = (value as Record<string, unknown>)[name];
      if (field != null) object[name] = shape(field);
      else if (field === null && keepsNull) object[name] = null;
    }
    return object;
  };
}

/** Lists come repeated or joined by commas. */
function fromQuery(query: URLSearchParams, name: string, type: GraphQLInputType): unknown {
  const texts = query.getAll(name);
  if (texts.length === 0) return undefined;
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) return texts.flatMap((text) => text.split(',')).filter(Boolean);
  if (texts.length > 1) return texts;
  const [text = ''] = texts;
  const { name: typeName } = getNamedType(type);
  if (typeName === 'Boolean' && /^(true|false)$/.test(text)) return text === 'true';
  // A query has texts only, so milliseconds are digits there.
  return typeName === 'Timestamp' ? numberIn(wholeNumber)(text) : text;
}
