import type { JsonSchema } from '#rest/openapi/schemas.ts';
import type { Exception } from '../../published/exceptions.ts';

type Answers = Readonly<Record<string, JsonSchema>>;

/** The published answers: schemas by operation and status, and those that they share. */
export interface Published {
  readonly operations: Readonly<Record<string, Answers>>;
  readonly components: { readonly schemas: Answers };
}

/** The published answers with the exceptions applied, and what no schema can express. */
export interface Expected {
  readonly document: Published;
  /** The operations whose default rendering is an older one. */
  readonly older: ReadonlySet<string>;
  /** Further statuses, as `404 POST /api/v1/…`, or `503 *` for every operation. */
  readonly statuses: ReadonlySet<string>;
}

/** Applies exceptions, those of extra keys where an answer `has` them. Errors: for a part of the interface that is not published. */
export function without(
  published: Published,
  exceptions: readonly Exception[],
  has: { readonly extras: boolean },
): Expected {
  const document = structuredClone(published);
  const older = new Set<string>();
  const statuses = new Set<string>();
  for (const exception of exceptions) {
    for (const name of exception.of) {
      if (exception.status) statuses.add(`${exception.status} ${name}`);
      else if (exception.older) older.add(name);
      else {
        const { adds = [], extra = [] } = exception;
        const added = has.extras ? [...adds, ...extra] : adds;
        change(schemaAt(document, name), { ...exception, adds: added });
      }
    }
  }
  return { document, older, statuses };
}

interface Mutable {
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** A shared schema, the success of an operation, or a part of one. */
function schemaAt({ operations, components }: Published, name: string): Mutable {
  const operation = Object.keys(operations)
    .filter((one) => name === one || name.startsWith(`${one}/properties/`))
    .sort((one, other) => other.length - one.length)[0];
  const [head = '', ...parts] = operation
    ? [operation, ...name.slice(operation.length).split('/').slice(1)]
    : name.split('/');
  const whole: unknown = operation ? operations[operation]?.['200'] : components.schemas[head];
  const found = parts.reduce(
    (at, key) => (at as Record<string, unknown> | undefined)?.[key],
    whole,
  );
  if (!found) throw new Error(`${name} is not published`);
  return found as Mutable;
}

function change(schema: Mutable, { instead, lacks = [], adds = [], differs = {} }: Exception) {
  if (instead) {
    for (const keyword of Object.keys(schema)) Reflect.deleteProperty(schema, keyword);
    Object.assign(schema, instead);
    return;
  }
  const { properties = {}, required = [] } = schema;
  for (const field of [...lacks, ...Object.keys(differs)]) {
    if (!(field in properties)) throw new Error(`${field} is not published`);
  }
  for (const field of adds) if (field in properties) throw new Error(`${field} is published`);
  const added = Object.fromEntries(adds.map((field) => [field, {}]));
  schema.properties = { ...properties, ...added, ...differs };
  schema.required = required.filter((field) => !lacks.includes(field));
}
