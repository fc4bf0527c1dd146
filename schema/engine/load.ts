import { type EntityClass, helper } from '@mikro-orm/core';
import DataLoader from 'dataloader';
import type { Session } from '#domain/kernel/session.ts';

/** Reads the visible rows with these ids, in any order. */
export type Find<T> = (session: Session, ids: readonly string[]) => Promise<readonly T[]>;

interface Reader {
  readonly find: Find<object>;
  readonly idOf: (row: object) => string;
}

/** Bounds the parameters of a statement. */
const mostIds = 10_000;

/** The records that are not simply read by their primary key. */
const readers = new Map<object, Reader>();
const loaders = new WeakMap<Session['em'], Map<object, DataLoader<string, object | null>>>();

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
  const known = session.em
    .getUnitOfWork()
    .getById<object>(entity as EntityClass<object>, id as never);
  if (known && helper(known).isInitialized()) return known as T;
  return (await loaderOf(session, entity).load(id)) as T | null;
}

/** For the option `loadOne` of a node: the same as `load`. */
export const loadOne =
  <T extends object>(entity: EntityClass<T>) =>
  (id: string, session: Session): Promise<T | null> =>
    load(session, entity, id);

function loaderOf(session: Session, entity: EntityClass<object>) {
  const { em } = session;
  const own = loaders.get(em) ?? new Map<object, DataLoader<string, object | null>>();
  loaders.set(em, own);
  const known = own.get(entity);
  if (known) return known;
  const reader = readers.get(entity) ?? { find: plain(entity), idOf };
  const loader = new DataLoader<string, object | null>(
    async (ids) => {
      const rows = await reader.find(session, [...new Set(ids)]);
      const found = new Map(rows.map((row) => [reader.idOf(row), row]));
      return ids.map((id) => found.get(id) ?? null);
    },
    // Records change within a mutation, so nothing is remembered beyond the identity map.
    { cache: false, maxBatchSize: mostIds },
  );
  own.set(entity, loader);
  return loader;
}

const plain =
  (entity: EntityClass<object>): Find<object> =>
  ({ em }, ids) =>
    em.find(entity, { id: { $in: ids } } as never);
