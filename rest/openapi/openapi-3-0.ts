import type { JsonSchema } from './schemas.ts';

interface Described {
  readonly openapi: string;
  /** Version 3.0 has none. */
  readonly webhooks?: object;
  /** Licenses have an identifier since 3.1 only. */
  readonly info: { readonly license: { readonly identifier?: string } };
  readonly components: { readonly schemas: Schemas };
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * A description in OpenAPI 3.0.3, from one in 3.1, for generators of clients that do not read 3.1. The schemas of 3.0
 * are not those of JSON Schema: null is the keyword `nullable`, and a reference has no keywords next to it.
 */
export function openApi30Of(description: object): object {
  const { openapi: _, webhooks: __, info, ...parts } = description as Described;
  const { identifier = '', ...named } = info.license;
  const page = `https://spdx.org/licenses/${identifier}.html`;
  const license = isListed.test(identifier) ? { ...named, url: page } : named;
  const { WebhookEvent: ___, ...schemas } = parts.components.schemas;
  const convert = converterOf(schemas);
  return {
    openapi: '3.0.3',
    info: { ...info, license },
    ...(convert({ ...parts, components: { ...parts.components, schemas } }) as object),
  };
}

/** The identifier of a license that has a page of its own. */
const isListed = /^(?!LicenseRef-)[A-Za-z0-9.-]+$/;

/** Converts a part of a document with these shared schemas. */
function converterOf(components: Schemas): (part: unknown) => unknown {
  return converted;

  /** A part around schemas, which are values of `schema` and of the shared `schemas`. */
  function converted(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(converted);
    if (typeof part !== 'object' || part === null) return part;
    const entries = Object.entries(part).map(([key, value]) => {
      if (key === 'example' || key === 'examples') return [key, value];
      if (key === 'schema') return [key, schemaOf(value as JsonSchema)];
      if (key === 'schemas') return [key, eachOf(value as Schemas)];
      return [key, converted(value)];
    });
    return Object.fromEntries(entries);
  }

  function eachOf(schemas: Schemas): Schemas {
    const entries = Object.entries(schemas).map(([name, schema]) => [name, schemaOf(schema)]);
    return Object.fromEntries(entries);
  }

  function schemaOf(schema: JsonSchema): JsonSchema {
    const { $ref, ...own } = withOlderWords(schema);
    if ($ref) return Object.keys(own).length > 0 ? { allOf: [{ $ref }], ...own } : { $ref };
    const { type, anyOf, ...rest } = withSubschemas(own);
    if (anyOf) return choiceOf(anyOf, { ...rest, ...(type && { type }) });
    if (!Array.isArray(type)) return { ...rest, ...(type && { type }) };
    return choiceOf(
      type.map((each: string) => ({ type: each })),
      rest,
    );
  }

  /** The schemas within a schema. */
  function withSubschemas(schema: JsonSchema): JsonSchema {
    const { properties, items, additionalProperties } = schema;
    const lists = (['anyOf', 'oneOf', 'allOf'] as const).flatMap((key) => {
      const list = schema[key] as readonly JsonSchema[] | undefined;
      return list ? [[key, list.map(schemaOf)] as const] : [];
    });
    return {
      ...schema,
      ...Object.fromEntries(lists),
      ...(properties && { properties: eachOf(properties) }),
      ...(items && { items: schemaOf(items) }),
      ...(isSchema(additionalProperties) && {
        additionalProperties: schemaOf(additionalProperties),
      }),
    };
  }

  /** A choice of converted schemas. The keywords around it are about all that is chosen. */
  function choiceOf(all: readonly JsonSchema[], around: JsonSchema): JsonSchema {
    const others = all.filter(({ type }) => type !== 'null');
    const [only] = others;
    const isNullable = others.length < all.length;
    if (others.length > 1 || !only) {
      return { ...around, anyOf: isNullable ? withNullable(others) : others };
    }
    const value = isNullable ? nullable(only) : only;
    return value.$ref ? { ...around, allOf: [value] } : { ...value, ...around };
  }

  /** A choice of which one may be null. */
  function withNullable(choice: readonly JsonSchema[]): JsonSchema[] {
    const at = choice.findIndex((one) => typeOf(one) !== undefined);
    return choice.map((one, place) => (place === at ? nullable(one) : one));
  }

  /** A schema that also allows null. `nullable` is only about a type, and a schema without a type allows anything. */
  function nullable(schema: JsonSchema): JsonSchema {
    const type = typeOf(schema);
    if (type === undefined) {
      return schema.anyOf ? { ...schema, anyOf: withNullable(schema.anyOf) } : schema;
    }
    return schema.$ref
      ? { type, nullable: true, allOf: [schema] }
      : { ...schema, type, nullable: true };
  }

  function typeOf({ type, $ref, allOf }: JsonSchema): string | undefined {
    const [only] = (allOf ?? []) as readonly JsonSchema[];
    if ($ref) return typeOf(components[$ref.slice('#/components/schemas/'.length)] ?? {});
    if (type === undefined && only?.$ref) return typeOf(only);
    return typeof type === 'string' ? type : undefined;
  }
}

/** One example in place of a list, a list of one value in place of a constant, and no empty list of required names. */
function withOlderWords({ examples, const: only, required, ...rest }: JsonSchema): JsonSchema {
  const [example] = (examples ?? []) as readonly unknown[];
  return {
    ...rest,
    ...(required?.length && { required }),
    ...(example !== undefined && { example }),
    ...(only !== undefined && { enum: [only] }),
  };
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null;
