import { defineEntity, type EntityClass, type FilterQuery, p } from '@mikro-orm/core';
import { organizationColumn, safeInteger } from '#domain/kernel/columns.ts';
import type { Session } from '#domain/kernel/session.ts';

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

/** Tables without the triggers: they get rows with most changes, and old rows leave them. */
const uncounted = new Set(['cause', 'event', 'ledger_transaction', 'mail', 'webhook_delivery']);

/**
 * The exact length of a list: from the counters for a whole table, else by counting the filtered rows. Rows that are not
 * archived are most of a table, so they are all rows less the archived ones, which have an index.
 */
export async function countRows<T extends object>(
  { em, pricingModelId, keyType }: Session,
  entity: EntityClass<T>,
  filter: object | null | undefined,
): Promise<number> {
  const { tableName, properties } = em.getMetadata(entity);
  // The counters include every row, of which a publishable key sees only some.
  const counted =
    'pricingModelId' in properties && !uncounted.has(tableName) && keyType === 'secret';
  const less = counted ? subtracted(filter) : undefined;
  if (!counted || (isRestricted(filter) && !less)) {
    return em.count(entity, (filter ?? {}) as FilterQuery<NoInfer<T>>);
  }
  // One statement, and so one snapshot: a row that is archived meanwhile is counted in both parts or in none.
  const [{ total }] = await em.execute<[{ total: string }]>(
    `select coalesce(sum(rows), 0)${less ? ` - (select count(*) from ${tableName} where pricing_model_id = ? and ${less})` : ''}
       as total from row_count where relation = ? and pricing_model_id = ?`,
    [...(less ? [pricingModelId] : []), tableName, pricingModelId],
  );
  return Number(total);
}

/** The rows that a condition leaves out, where they are few and have an index; undefined for any other condition. */
function subtracted(condition: object | null | undefined) {
  const [field, ...others] = Reflect.ownKeys(condition ?? {}).filter(
    (key) => Reflect.get(condition ?? {}, key) !== undefined,
  );
  const leavesArchivedOut = field === 'archived' && Reflect.get(condition ?? {}, field) === false;
  return leavesArchivedOut && others.length === 0 ? 'archived' : undefined;
}

/** Whether a condition has any part; fragments of SQL have symbols as keys. */
const isRestricted = (condition: object | null | undefined) =>
  Reflect.ownKeys(condition ?? {}).some((key) => Reflect.get(condition ?? {}, key) !== undefined);
