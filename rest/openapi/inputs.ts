import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import type { DocumentPart } from '../engine/documents.ts';
import {
  anyOf,
  type Components,
  dateTime,
  described,
  distinct,
  type JsonSchema,
  leafSchema,
  orNull,
  shared,
  withChoices,
} from './schemas.ts';

/**
 * The schema of a variable or an input field. The graph's type decides the kind of value. Its
 * `range`, a JSON Schema from the validation, decides length, size and format. The `strict` part has no other fields.
 */
export function inputSchema(
  type: GraphQLInputType,
  range: JsonSchema,
  components: Components,
  strict?: DocumentPart,
): JsonSchema {
  const value = valueSchema(type, range, components, strict);
  return isNonNullType(type) ? value : orNull(value);
}

/** The same where null cannot be sent, as in a query. */
export function valueSchema(
  type: GraphQLInputType,
  range: JsonSchema,
  components: Components,
  strict?: DocumentPart,
): JsonSchema {
  return anyOf(alternatives(range).map((one) => oneSchema(type, one, components, strict)));
}

function oneSchema(
  type: GraphQLInputType,
  range: JsonSchema,
  components: Components,
  strict: DocumentPart | undefined,
): JsonSchema {
  if (isNonNullType(type)) return oneSchema(type.ofType, range, components, strict);
  if (isListType(type)) {
    const items = inputSchema(type.ofType, range.items ?? {}, components, belowOf(strict));
    return { type: 'array', items, ...limitsOf(range) };
  }
  if (isInputObjectType(type))
    return shared(components, type.name, objectSchema(type, range, components, strict));
  const leaf = leafSchema(type, components, limitsOf(range));
  return type.name === 'Timestamp' ? { anyOf: [leaf, dateTime] } : leaf;
}

/** The part of a value that is a document, below its first level. */
const belowOf = (strict: DocumentPart | undefined) => strict && ('all' as const);

function objectSchema(
  type: GraphQLInputObjectType,
  range: JsonSchema,
  components: Components,
  strict: DocumentPart | undefined,
): JsonSchema {
  const fields = Object.values(type.getFields());
  const properties = fields.map(({ name, type, description }) => {
    const schema = inputSchema(type, propertyRange(range, name), components, belowOf(strict));
    return [name, described(schema, description)] as const;
  });
  const required = fields.filter(isRequiredInputField).map(({ name }) => name);
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  const exact = strict === 'all' ? { ...schema, additionalProperties: false } : schema;
  const choices = alternatives(range).flatMap(({ choices = [] }) => choices);
  return described(withChoices(exact, choices), type.description);
}

/** The range of one property of the objects that a range is about. */
export function propertyRange(range: JsonSchema, property: string): JsonSchema {
  const ranges = alternatives(range).map(({ properties }) => properties?.[property]);
  return anyOf(ranges.filter((one) => one !== undefined));
}

/** The kinds of value that a range allows; null is the graph's business. */
function alternatives(range: JsonSchema): readonly JsonSchema[] {
  const several = range.anyOf ?? range.oneOf;
  if (!several) return [range];
  const kinds = distinct(several.filter(({ type }) => type !== 'null').flatMap(alternatives));
  return kinds.length > 0 ? kinds : [{}];
}

/** Structure and types are the graph's; these are what it cannot express. */
const limits = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'allOf', 'enum', 'const', 'default'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
]);

const limitsOf = (range: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(range).filter(([keyword]) => limits.has(keyword)));
