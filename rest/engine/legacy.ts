import type { DocumentNode } from 'graphql';
import {
  type GraphQLSchema,
  getNamedType,
  isScalarType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Deprecation } from './deprecation.ts';
import { version } from './version.ts';

/** An older rendering: ISO 8601 times, commit fields, fewer fields. */
export interface Legacy {
  /** Fields that the older rendering does not have. */
  readonly omit: readonly string[];
  /** Fields that say the text `null` where they are null. */
  readonly nullAsText?: readonly string[];
  /** Fields, also of the parts of a record, that say the empty text where they are null. */
  readonly emptyText?: readonly string[];
  /** The notice that callers change to the current rendering. */
  readonly deprecated?: Deprecation;
}

/** The release that answers, in place of the commit that the older service named. */
const commit = `v${version}`;

/** The names under which an answer shows points in time, as the document selects them. */
export function timestampNames(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ alias, name }) {
        const type = getNamedType(types.getType());
        if (isScalarType(type) && type.name === 'Timestamp') names.add((alias ?? name).value);
      },
    }),
  );
  return names;
}

/** Renders every record of an answer (whatever has a `createdAt`) in the older way. */
export function renderLegacy(value: unknown, legacy: Legacy, times: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renderLegacy(item, legacy, times));
  if (value === null || typeof value !== 'object') return value;
  const isRecord = 'createdAt' in value;
  const rendered: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (isRecord && legacy.omit.includes(name)) continue;
    rendered[name] =
      times.has(name) && typeof field === 'number'
        ? new Date(field).toISOString()
        : isRecord && field === null && legacy.nullAsText?.includes(name)
          ? 'null'
          : field === null && legacy.emptyText?.includes(name)
            ? ''
            : renderLegacy(field, legacy, times);
    if (isRecord && name === 'updatedAt') {
      rendered.createdByCommit = commit;
      rendered.updatedByCommit = commit;
    }
  }
  return rendered;
}

/** Reads a body that may contain an older answer, in which the text `null` means null. */
export function readLegacy(
  body: Readonly<Record<string, unknown>>,
  { nullAsText = [] }: Legacy,
): Readonly<Record<string, unknown>> {
  const read = (record: object) =>
    Object.fromEntries(
      Object.entries(record).map(([name, field]) => [
        name,
        field === 'null' && nullAsText.includes(name) ? null : field,
      ]),
    );
  return Object.fromEntries(
    Object.entries(body).map(([name, part]) => [
      name,
      typeof part === 'object' && part !== null && !Array.isArray(part) ? read(part) : part,
    ]),
  );
}
