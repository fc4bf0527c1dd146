import { defineEntity, type EntityClass, type FilterQuery, p } from '@mikro-orm/core';
import { organizationColumn, safeInteger } from './columns.ts';
import type { Session } from './session.ts';

const RowCountSchema = defineEntity({
  name: 'RowCount',
  properties: {
    /** The counted table's name. */
    relation: p.string().primary(),
    pricingModelId: p.string().primary(),
    /** Concurrent writers add to different rows, so they never wait here (`add_row_count`). */
    slot: p.integer().primary(),
    organizationId: organizationColumn(),
    rows: safeInteger(),
  },
});

/**
 * The number of rows of a pricing model in a table, as the sum over slots. A trigger on every tenant table updates it
 * in the transaction that adds or removes rows. So a list's total is exact, and its cost does not depend on the
 * number of rows.
 */
export class RowCount extends RowCountSchema.class {}
RowCountSchema.setClass(RowCount);

/** The exact length of a list: from the counters for a whole table, else by counting the filtered rows. */
export async function countRows<T extends object>(
  { em, pricingModelId, keyType }: Session,
  entity: EntityClass<T>,
  filter: object | null | undefined,
): Promise<number> {
  const { tableName, properties } = em.getMetadata(entity);
  // The counters include every row, of which a publishable key sees only some.
  const counted = 'pricingModelId' in properties && keyType === 'secret';
  if (!counted || isRestricted(filter)) {
    return em.count(entity, (filter ?? {}) as FilterQuery<NoInfer<T>>);
  }
  const [{ total }] = await em.execute<[{ total: string }]>(
    'select coalesce(sum(rows), 0) as total from row_count where relation = ? and pricing_model_id = ?',
    [tableName, pricingModelId],
  );
  return Number(total);
}

/** Whether a condition has any part; fragments of SQL have symbols as keys. */
const isRestricted = (condition: object | null | undefined) =>
  Reflect.ownKeys(condition ?? {}).some((key) => Reflect.get(condition ?? {}, key) !== undefined);
