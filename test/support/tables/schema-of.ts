import pg from 'pg';

/**
 * Everything that a schema is made of, by kind and name. `not null` is part of the columns; the conditions of triggers
 * have no parentheses, since a restored dump has fewer of them.
 */
const objects = `
  select 'column ' || c.relname || '.' || a.attname as name,
    format('%s %s %s', format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid)) as definition
  from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  union all
  select 'relation ' || relname, format('%s %s', relkind, reloptions) from pg_class where relnamespace = 'public'::regnamespace
  union all
  select 'constraint ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all
  select 'index ' || indexname, indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'trigger ' || tgrelid::regclass || '.' || tgname, translate(pg_get_triggerdef(oid), '()', '') from pg_trigger
  where not tgisinternal
  union all
  select 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid) from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`;

/** The partitions of usage events depend on the date of a start. */
const isMonth = (name: string) => /usage_event_\d{4}_\d{2}/.test(name);

/** The schema of a database, as the definition of each of its objects. */
export async function schemaOf(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; definition: string }>(objects);
    const lasting = rows.filter(({ name }) => !isMonth(name));
    return Object.fromEntries(lasting.map(({ name, definition }) => [name, definition]));
  } finally {
    await client.end();
  }
}
