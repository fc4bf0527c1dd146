import type { EntityManager } from '@mikro-orm/postgresql';
import { statement } from '#engines/lockstep/statement.ts';

/** Locks the clocks and the customers that no other transaction has locked, in their order; returns the customers. */
export async function lockFreeCustomers(
  em: EntityManager,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  await statement(
    em,
    'lock clocks of a batch',
    `select id from test_clock where id in (select test_clock_id from customer where id = any($1::text[]))
     order by id for share`,
    [ids],
  );
  const rows = await statement<{ id: string }>(
    em,
    'lock customers of a batch',
    'select id from customer where id = any($1::text[]) order by id for update skip locked',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
