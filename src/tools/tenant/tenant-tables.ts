import type pg from 'pg';

/** Counters that are counted again instead of copied. */
const recounted = ['resource_claim_count', 'row_count', 'statistic_day'] as const;

/** A table with rows of organizations. */
export interface TenantTable {
  readonly name: string;
  /** The column with the organization. */
  readonly column: string;
  /** The stored columns in the order of their names: two installations may have added them in another order. */
  readonly columns: readonly string[];
  /** Itself, or its parts, as PostgreSQL writes their names. */
  readonly parts: readonly string[];
  readonly isPartitioned: boolean;
  /** Whether rows are found by their pricing model. */
  readonly hasPricingModel: boolean;
  /** The rows of all organizations, as the server estimates them. */
  readonly estimate: number;
}

const find = `select c.relname as name, case c.relname when 'organization' then 'id' else 'organization_id' end as "column",
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' order by a.attname) as columns,
    case c.relkind when 'r' then array[c.relname::text]
      else array(select p.relname::text from pg_inherits i join pg_class p on p.oid = i.inhrelid
        where i.inhparent = c.oid order by 1) end as parts,
    c.relkind = 'p' as "isPartitioned",
    exists (select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indrelid = c.oid and i.indpred is null and a.attname = 'pricing_model_id') as "hasPricingModel",
    greatest(case c.relkind when 'r' then c.reltuples else (select sum(greatest(p.reltuples, 0)) from pg_inherits i
      join pg_class p on p.oid = i.inhrelid where i.inhparent = c.oid) end, 0)::float8 as estimate
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not in ('organization_move', 'usage_forward')
    and (c.relname = 'organization' or exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))
  order by 1`;

/** All tables with rows of organizations, also detached months of usage events. */
export async function tenantTables(client: pg.Client): Promise<TenantTable[]> {
  return (await client.query<TenantTable>(find)).rows;
}

/** Those whose rows are copied. */
export const copiedTables = (tables: readonly TenantTable[]) =>
  tables.filter(({ name }) => !(recounted as readonly string[]).includes(name));

/** The condition for the rows of one organization. */
export const rowsOf = (client: pg.Client, { column }: TenantTable, organizationId: string) =>
  `${client.escapeIdentifier(column)} = ${client.escapeLiteral(organizationId)}`;
