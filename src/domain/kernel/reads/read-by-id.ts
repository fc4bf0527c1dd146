import type { EntityClass } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { recordOf } from '#engines/statements/record-of.ts';
import { Attached } from './attached.ts';
import { hasValuesBeside, type Row, rowByKey, type UniqueColumn } from './rows-by-key.ts';

/** A unique column, with the condition of the same rows for the ORM. */
export interface Key extends UniqueColumn {
  readonly where: (value: string) => object;
}

const byId: Key = { column: 'id', where: (id) => ({ id }) };

/** The rows from which records were read. */
const sources = new Attached<object, Row>();

/**
 * Reads one row of the session's pricing model by its id, the most frequent read of clients. All reads of one turn of
 * the event loop become one statement, whatever their request, so the cost of a read falls under load. Nothing is
 * cached: each read sees the committed row. Errors: NOT_FOUND.
 */
export async function readById<T extends object>(
  session: Session,
  entity: EntityClass<T>,
  id: string,
): Promise<T> {
  const found = await readByKey(session, entity, byId, id);
  if (found) return found;
  throw new DomainError('NOT_FOUND', `${entity.name} ${id} not found`);
}

/** The same by any unique column; undefined when the session sees no such row. */
export async function readByKey<T extends object>(
  session: Session,
  entity: EntityClass<T>,
  key: Key,
  value: string,
): Promise<T | undefined> {
  const { em, keyType } = session;
  const meta = em.getMetadata(entity);
  const plain = 'pricingModelId' in meta.properties && keyType === 'secret';
  // A transaction, and a record that the key sees only in part, use the ordinary read.
  if (!plain || em.isInTransaction()) {
    return ((await em.findOne<object>(entity, key.where(value))) ?? undefined) as T;
  }
  // PostgreSQL cannot store a zero character, so such a value is not queried.
  const row = value.includes('\0') ? undefined : await rowByKey(session, entity, key, value);
  if (!row) return undefined;
  const record = recordOf<T>(em, meta, row);
  if (hasValuesBeside(entity)) sources.set(record, row);
  return record;
}

/** A value that was read with a record (`readsBeside`); undefined for a record that was read otherwise. */
export const valueBeside = (record: object, column: string): unknown =>
  sources.get(record)?.[column];
