import { type CellClient, changeTable, moveName } from './cell-database.ts';
import { copiedTables, rowsOf, tenantTables } from './tenant-tables.ts';

/** Lets the database check each change of a row of an organization: refused while that is frozen or elsewhere. */
export async function addFence(client: CellClient, organizationId: string) {
  const name = client.escapeIdentifier(await moveName(client, organizationId));
  const id = client.escapeLiteral(organizationId);
  for (const table of copiedTables(await tenantTables(client))) {
    const on = client.escapeIdentifier(table.name);
    const of = rowsOf(client, table, organizationId);
    // One statement each: both triggers of a table need the same lock.
    await changeTable(
      client,
      `create or replace trigger ${name} before insert or update on ${on} for each row when (new.${of})
         execute function fence_organization(${id});
       create or replace trigger ${name.replace(/"$/, '_gone"')} before delete on ${on} for each row when (old.${of})
         execute function fence_organization(${id})`,
    );
  }
}

/** Removes the checks. */
export async function removeFence(client: CellClient, organizationId: string) {
  const name = await moveName(client, organizationId);
  const { rows } = await client.query<{ table: string; trigger: string }>(
    `select quote_ident(c.relname) as table, quote_ident(t.tgname) as trigger
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname::text in ($1::text, $1::text || '_gone') and t.tgparentid = 0 and c.relnamespace = current_schema()::regnamespace`,
    [name],
  );
  for (const { table, trigger } of rows) {
    await changeTable(client, `drop trigger if exists ${trigger} on ${table}`);
  }
}
