import { routeOf } from '#domain/platform/access/key-route.ts';
import { printable } from '../text-table.ts';
import type { CellClient } from './cell-database.ts';

/** The organizations of a cell as the rows of a table, with a head. */
export async function listOrganizations(client: CellClient): Promise<string[][]> {
  const { rows } = await client.query<Record<'id' | 'name' | 'rows' | 'state', string>>(
    `select o.id, coalesce(s.name, '') as name, coalesce(m.state || ' ' || m.cell, 'here') as state,
       coalesce((select sum(rows) from row_count c where c.organization_id = o.id), 0)::text as rows
     from organization o
       left join organization_settings s on s.organization_id = o.id and not s.livemode
       left join organization_move m on m.organization_id = o.id
     order by o.created_at, o.id`,
  );
  const lines = rows.map(({ id, name, rows, state }) => [
    id,
    routeOf(id),
    rows,
    state,
    printable(name),
  ]);
  return [['ID', 'ROUTE', 'ROWS', 'STATE', 'NAME'], ...lines];
}
