import { type GraphQLLeafType, isEnumType, isSpecifiedScalarType } from 'graphql';

/** The part of JSON Schema 2020-12 that the description is made of. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  /** Lists of properties of which exactly one is given; not a keyword of JSON Schema. */
  readonly choices?: readonly (readonly string[])[];
  readonly [keyword: string]: unknown;
}

/** The schemas that the whole document shares, by name. */
export type Components = Map<string, JsonSchema>;

const reference = '#/components/schemas/';

export const dateTime: JsonSchema = { type: 'string', format: 'date-time' };

/** Names a schema and refers to it; where the name already means another, it stays in place. */
export function shared(components: Components, name: string, schema: JsonSchema): JsonSchema {
  const known = components.get(name) ?? schema;
  components.set(name, known);
  return same(known, schema) ? { $ref: reference + name } : schema;
}

/** The shared schema that is referred to, with its name. */
export function referred(components: Components, $ref: string) {
  const name = $ref.slice(reference.length);
  return { name, schema: components.get(name) ?? {} };
}

/** Exactly these properties: all of them are present, but for the optional ones. */
export function exactly(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export function orNull(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  if (typeof schema.type === 'string' && !('enum' in schema) && !('const' in schema)) {
    return { ...schema, type: [schema.type, 'null'] };
  }
  return { anyOf: [schema, { type: 'null' }] };
}

/** One schema for what may be any of several. */
export function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = distinct(schemas);
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

export const distinct = (schemas: readonly JsonSchema[]) =>
  schemas.filter((schema, at) => schemas.findIndex((other) => same(other, schema)) === at);

/** The more specific description wins, and an empty one is ignored. */
export const described = (
  schema: JsonSchema,
  description: string | null | undefined,
): JsonSchema => (description ? { ...schema, description } : schema);

/** An object with the rule that exactly one property of each list is there, in the keywords of JSON Schema. */
export function withChoices(object: JsonSchema, choices: JsonSchema['choices'] = []): JsonSchema {
  const rules = choices.map((names) => ({ oneOf: names.map((name) => ({ required: [name] })) }));
  const [only] = rules;
  if (!only) return object;
  return rules.length === 1 ? { ...object, ...only } : { ...object, allOf: rules };
}

const same = (one: JsonSchema, other: JsonSchema) => JSON.stringify(one) === JSON.stringify(other);

const specified: Readonly<Record<string, JsonSchema>> = {
  Boolean: { type: 'boolean' },
  Float: { type: 'number', format: 'double' },
  ID: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  String: { type: 'string' },
};

/** A scalar or an enum: shared by name, or in place when a range narrows it. */
export function leafSchema(
  type: GraphQLLeafType,
  components: Components,
  range: JsonSchema = {},
): JsonSchema {
  const whole = wholeLeaf(type);
  const { enum: values, ...limits } = range;
  const fewer = values && values.length < (whole.enum?.length ?? Number.POSITIVE_INFINITY);
  const narrower = fewer ? { ...limits, enum: values } : limits;
  if (Object.keys(narrower).length > 0) return { ...whole, ...narrower };
  return isSpecifiedScalarType(type)
    ? whole
    : shared(components, type.name, described(whole, type.description));
}

function wholeLeaf(type: GraphQLLeafType): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  return specified[type.name] ?? type.extensions.jsonSchema ?? {};
}
