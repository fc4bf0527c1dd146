import type { CellClient } from './cell-database.ts';
import { copiedTables, rowsOf, type TenantTable, tenantTables } from './tenant-tables.ts';

/** Tables with more rows, of all organizations, are compared by the number of rows alone. */
const largestDigested = 2_000_000;

/** The rows of an organization in a table. */
interface Content {
  readonly table: string;
  readonly rows: string;
  /** Null where only the rows are counted. */
  readonly digest: string | null;
}

/** The extent of a comparison, and the differences. */
export interface Comparison {
  readonly tables: number;
  readonly rows: number;
  /** The tables that differ, with their numbers of rows. */
  readonly differences: readonly string[];
}

/**
 * Compares the rows of an organization in both cells, and the sums of its books. Both must be at rest. Rows of large
 * tables are counted; the totals of usage have digests of their events.
 */
export async function compare(
  source: CellClient,
  target: CellClient,
  organizationId: string,
): Promise<Comparison> {
  const tables = copiedTables(await tenantTables(source));
  const [here, there] = await Promise.all(
    [source, target].map((client) => contentsOf(client, tables, organizationId)),
  );
  const other = new Map(there?.map((content) => [content.table, content]));
  const differences = (here ?? []).flatMap(({ table, rows, digest }) => {
    const found = other.get(table);
    if (found?.rows === rows && found.digest === digest) return [];
    const how = found?.rows === rows ? 'other values' : `${found?.rows ?? 'no'} of ${rows} rows`;
    return [`${table}: ${how}`];
  });
  return {
    tables: tables.length,
    rows: (here ?? []).reduce((sum, { rows }) => sum + Number(rows), 0),
    differences,
  };
}

async function contentsOf(
  client: CellClient,
  tables: readonly TenantTable[],
  organizationId: string,
): Promise<Content[]> {
  const { rows: models } = await client.query<{ id: string }>(
    'select id from pricing_model where organization_id = $1 order by id',
    [organizationId],
  );
  const ofModels = `pricing_model_id in ('', ${models.map(({ id }) => client.escapeLiteral(id)).join(', ') || "''"})`;
  const parts = tables.map((table) => {
    const isLarge = table.estimate > largestDigested;
    const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
    const digest = isLarge
      ? 'null'
      : `coalesce(sum(hashtextextended(row(${columns})::text, 0)), 0)::text`;
    const own = rowsOf(client, table, organizationId);
    const condition = isLarge && table.hasPricingModel ? ofModels : own;
    return `select '${table.name}' as table, count(*)::text as rows, ${digest} as digest
      from ${client.escapeIdentifier(table.name)} where ${condition}`;
  });
  const { rows } = await client.query<Content>(`${parts.join(' union all ')} order by 1`);
  return rows;
}
