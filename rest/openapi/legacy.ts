import type { Legacy } from '../engine/legacy.ts';
import { type Components, dateTime, type JsonSchema, referred, shared } from './schemas.ts';

/**
 * The schema of an answer in the older rendering: the current one's schema, changed as
 * `renderLegacy` changes the answer.
 */
export function legacySchema(
  schema: JsonSchema,
  legacy: Legacy,
  components: Components,
): JsonSchema {
  const { $ref, items, anyOf, properties, ...rest } = schema;
  const older = (one: JsonSchema) => legacySchema(one, legacy, components);
  if ($ref) return { ...olderReference($ref, legacy, components), ...rest };
  if (items) return { ...schema, items: older(items) };
  if (anyOf) return { ...schema, anyOf: anyOf.map(older) };
  if (!properties) return schema;

  const isRecord = 'createdAt' in properties;
  const entries: [string, JsonSchema][] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (isRecord && legacy.omit.includes(name)) continue;
    const neverNull = isRecord && legacy.nullAsText?.includes(name);
    entries.push([name, neverNull ? textOrNull : textFor(name, older(property), legacy)]);
    if (isRecord && name === 'updatedAt') entries.push(...commits);
  }
  const names = entries.map(([name]) => name);
  const added = isRecord ? commits.map(([name]) => name) : [];
  const required = [...(rest.required ?? []), ...added];
  return {
    ...schema,
    properties: Object.fromEntries(entries),
    required: names.filter((name) => required.includes(name)),
  };
}

/** A text that is empty where the current rendering has null. */
const textFor = (name: string, property: JsonSchema, { emptyText }: Legacy): JsonSchema =>
  emptyText?.includes(name) && Array.isArray(property.type)
    ? { ...property, type: 'string' }
    : property;

const textOrNull: JsonSchema = {
  type: 'string',
  description: 'The id, or the text `null` when there is none.',
};

const release: JsonSchema = {
  type: 'string',
  description: 'The version of the service that responds.',
};
const commits: [string, JsonSchema][] = [
  ['createdByCommit', release],
  ['updatedByCommit', release],
];

function olderReference($ref: string, legacy: Legacy, components: Components): JsonSchema {
  const { name, schema } = referred(components, $ref);
  if (name === 'Timestamp') return dateTime;
  const older = legacySchema(schema, legacy, components);
  return JSON.stringify(older) === JSON.stringify(schema)
    ? { $ref }
    : shared(components, `Legacy${name}`, older);
}
