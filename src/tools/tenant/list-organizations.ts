import { routeOf } from '#domain/platform/access/key-route.ts';
import { printable } from '../text-table.ts';
import type { CellClient } from './cell-database.ts';

/** An organization of a cell, with the route of its keys and the number of its rows. */
interface ListedOrganization {
  readonly id: string;
  readonly route: string;
  readonly rows: number;
  /** The cell to which it moves or has moved; `here` for most. */
  readonly state: string;
  readonly name: string;
}

/** The organizations of a cell, oldest first. */
export async function listOrganizations(client: CellClient): Promise<ListedOrganization[]> {
  const { rows } = await client.query<Record<'id' | 'name' | 'rows' | 'state', string>>(
    `select o.id, coalesce(s.name, '') as name, coalesce(m.state || ' ' || m.cell, 'here') as state,
       coalesce((select sum(rows) from row_count c where c.organization_id = o.id), 0)::text as rows
     from organization o
       left join organization_settings s on s.organization_id = o.id and not s.livemode
       left join organization_move m on m.organization_id = o.id
     order by o.created_at, o.id`,
  );
  return rows.map(({ id, name, rows, state }) => {
    return { id, route: routeOf(id), rows: Number(rows), state, name };
  });
}

/** The organizations as the rows of a table, with a head. */
export const organizationLines = (organizations: readonly ListedOrganization[]): string[][] => [
  ['ID', 'ROUTE', 'ROWS', 'STATE', 'NAME'],
  ...organizations.map(({ id, route, rows, state, name }) => [
    id,
    route,
    String(rows),
    state,
    printable(name),
  ]),
];
