import pg, { escapeIdentifier } from 'pg';

/** Each way in which a text becomes a script where a page takes it for markup, for an attribute or for an address. */
export const attack = `javascript:attack()//'"><img src=x onerror=attack()><svg onload=attack()></title><script>attack()</script>`;

/** Columns whose values the service chooses, or that name a record. */
const chosenByService =
  /(_ids|(?<!external)_id|_hash|_text|_state|_percentage|_type|_by|_key|_secret|_token|_number|_status)$|^(id|type|status|token|currency|slug|claim|data|digest|scopes|attempts|operation|discount|proration|parties|processor|domain|previous_attributes|recovery_codes|tax_lines|taxes_credited|commitment|allowed_origins|dunning_retry_days|usage_breakdown|job|outcome|api_version|recorded_by)$/;

const columnsOfPeople = `
  select c.relname as table, a.attname as column, a.atttypid = 'jsonb'::regtype as "isJson"
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition and a.attgenerated = ''
    and c.relname !~ '^(mikro_orm|sql_function|sandbox|event$|cause$|idempotency|operator|api_key|processor_event)'
    and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'jsonb'::regtype)
    and not exists (
      select from pg_constraint k
      where k.conrelid = c.oid and a.attnum = any (k.conkey) and k.contype in ('p', 'f'))
  order by 1, 2`;

/**
 * Writes markup into each column of a database that holds texts of people, so that a new column is included. Returns
 * the names of the columns, and a way to the id of a record.
 */
export async function writeAttacks(databaseUrl: string) {
  const columns: string[] = [];
  await connected(databaseUrl, async (client) => {
    // Triggers keep what is final, such as the lines of invoices.
    await client.query('set session_replication_role = replica');
    const { rows } = await client.query(columnsOfPeople);
    for (const { table, column, isJson } of rows) {
      if (chosenByService.test(column)) continue;
      const [place, name] = [escapeIdentifier(table), escapeIdentifier(column)];
      const value = isJson ? jsonOf(column) : attack;
      try {
        // Some columns are unique, so each row has a number.
        const written = isJson ? '$1::jsonb' : "$1 || ' ' || ctid::text";
        await client.query(`update ${place} set ${name} = ${written}`, [value]);
        columns.push(`${table}.${column}`);
      } catch (error) {
        // The column has a form of its own, which a constraint states.
        if (!/^(23514|22)/.test((error as { code?: string }).code ?? '')) throw error;
      }
    }
  });
  const idOf = (table: string) =>
    connected(databaseUrl, async (client) => {
      const { rows } = await client.query(
        `select id from ${escapeIdentifier(table)} order by id limit 1`,
      );
      return rows[0].id as string;
    });
  return { columns, idOf };
}

function jsonOf(column: string) {
  if (column === 'bank_account')
    return JSON.stringify({ holder: attack, iban: attack, bic: attack });
  if (!/address|details/.test(column)) return JSON.stringify({ [attack]: attack });
  const address = { line1: attack, city: attack, country: 'DE' };
  return JSON.stringify({ name: attack, email: attack, address, ...address });
}

async function connected<T>(connectionString: string, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
