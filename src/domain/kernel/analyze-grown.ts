import type { EntityManager } from '@mikro-orm/postgresql';

/** The tables that grow with each billed period. */
const billed = ['billing_period', 'billing_run', 'invoice', 'invoice_line_item', 'payment'];

/** A table is analyzed when it has as many times the pages that its statistics know of. */
const growth = 8;
/** A table without statistics is as good as one with this number of pages. */
const fewPages = 4;

/**
 * Collects the statistics of tables that have grown much since the last time. The database does so by itself, but a
 * minute later. Until then it takes an index of the tenant for as selective as one of the record. Each read of a sweep
 * then reads all rows of the tenant. Without `tables` those are meant that grow with each billed period.
 */
export async function analyzeGrown(
  em: EntityManager,
  tables: readonly string[] = billed,
): Promise<void> {
  const rows = await em.fork().execute<{ name: string }[]>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relname = any(?)
       and pg_relation_size(oid) > current_setting('block_size')::bigint * ? * greatest(relpages, ?)`,
    [`{${tables.join(',')}}`, growth, fewPages],
  );
  for (const { name } of rows) await em.fork().execute(`analyze (skip_locked) "${name}"`);
}
