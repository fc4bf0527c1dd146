import { type EntityClass, helper } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';

/** The type of the graph of an entity: the builder knows types by their classes. */
export const typeOf = (entity: EntityClass<object>) => entity as unknown as new () => object;

/** Reads the visible rows with these ids, in any order. */
type Find<T> = (session: Session, ids: readonly string[]) => Promise<readonly T[]>;

interface Reader {
  readonly find: Find<object>;
  readonly idOf: (row: object) => string;
}

/** The records that a plain condition on the primary key does not read. */
const readers = new Map<object, Reader>();

const idOf = (row: object) => (row as { id: string }).id;

/** Declares how the records of an entity are read by their ids, where a plain condition does not do. */
export function readsBy<T extends object>(
  entity: EntityClass<T>,
  find: Find<T>,
  id: (row: T) => string = idOf,
) {
  readers.set(entity, { find, idOf: id as Reader['idOf'] });
}

/**
 * Loads a record by its id; null when the caller sees no such record. All loads of one level of a document become
 * one statement, whatever their number.
 */
export async function load<T extends object>(
  session: Session,
  entity: EntityClass<T>,
  id: string,
): Promise<T | null> {
  // No text of the database has a zero character, so such an id is the id of no record.
  if (id.includes('\0')) return null;
  const known = session.em.getUnitOfWork().getById<object>(entity as EntityClass<object>, id);
  if (known && helper(known).isInitialized()) return known as T;
  const found = await batched(session, entity, id, (session, ids) => read(session, entity, ids));
  return (found ?? null) as T | null;
}

/** For the option `loadOne` of a node: the same as `load`. */
export const loadOne =
  <T extends object>(entity: EntityClass<T>) =>
  (id: string, session: Session): Promise<T | null> =>
    load(session, entity, id);

async function read(session: Session, entity: EntityClass<object>, ids: readonly string[]) {
  const reader = readers.get(entity) ?? { find: plain(entity), idOf };
  const rows = await reader.find(session, ids);
  return new Map(rows.map((row) => [reader.idOf(row), row]));
}

const plain =
  (entity: EntityClass<object>): Find<object> =>
  ({ em }, ids) =>
    em.find(entity, { id: { $in: ids } });

/** A record that must be visible. Errors: NOT_FOUND. */
export function found<T>(record: T | null, name: string): T {
  if (record === null) throw new DomainError('NOT_FOUND', `${name.replaceAll('\0', '')} not found`);
  return record;
}
