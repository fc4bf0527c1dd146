import { defineEntity, type EntityClass, type FilterQuery, p } from '@mikro-orm/core';
import { safeInteger } from './columns.ts';
import type { Session } from './session.ts';

const RowCountSchema = defineEntity({
  name: 'RowCount',
  properties: {
    /** The counted table's name. */
    relation: p.string().primary(),
    pricingModelId: p.string().primary(),
    /** Writers at the same time add to different rows, so they never wait here (`add_row_count`). */
    slot: p.integer().primary(),
    rows: safeInteger(),
  },
});

/**
 * How many rows a pricing model has in a table, as the sum over slots. A trigger on every
 * tenant table keeps it in the transaction that adds or removes rows, so a list's total is exact
 * and costs the same with ten rows and with ten million.
 */
export class RowCount extends RowCountSchema.class {}
RowCountSchema.setClass(RowCount);

/** The exact length of a list: from the counters when it is the whole table's, else by counting what the filter leaves. */
export async function countRows<T extends object>(
  { em, pricingModelId, keyType }: Session,
  entity: EntityClass<T>,
  filter: object | null | undefined,
): Promise<number> {
  const { tableName, properties } = em.getMetadata(entity);
  // The counters count every row, of which a publishable key sees only some.
  const counted = 'pricingModelId' in properties && keyType === 'secret';
  if (!counted || Object.values(filter ?? {}).some((value) => value !== undefined)) {
    return em.count(entity, (filter ?? {}) as FilterQuery<NoInfer<T>>);
  }
  const [{ total }] = await em.execute<[{ total: string }]>(
    'select coalesce(sum(rows), 0) as total from row_count where relation = ? and pricing_model_id = ?',
    [tableName, pricingModelId],
  );
  return Number(total);
}
