import type { MikroORM } from '@mikro-orm/postgresql';

const added =
  /^alter table "(\w+)" add constraint "(\w+)" (check|foreign key) (\(.*?\))(?:;$| references )/;

/**
 * The statements of the ORM against what migrations write by hand. These are functions, triggers, constraints of
 * several columns, and ids that the database numbers.
 */
const byHand =
  /^(drop (function|trigger) |alter table "\w+" drop constraint |alter table "\w+" alter column "id" drop default)/;

/**
 * The statements that would lead from the schema of a database to the entities; none where its migrations are complete.
 * PostgreSQL writes a check in words of its own, so a check is compared as PostgreSQL writes that of the entity. A
 * reference may have further columns, such as those of its tenant.
 */
export async function schemaDifference(orm: MikroORM): Promise<string[]> {
  const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false });
  const missing: string[] = [];
  for (const statement of sql.split('\n')) {
    if (statement === '' || byHand.test(statement)) continue;
    const [, table = '', name = '', kind, text = ''] = added.exec(statement) ?? [];
    const isThere =
      kind === 'check'
        ? await hasCheck(orm, table, name, text)
        : kind !== undefined && (await hasReference(orm, table, text.replaceAll(/[(")]/g, '')));
    if (!isThere) missing.push(statement);
  }
  return missing;
}

/** Whether a table has a check of this name that means the same. */
async function hasCheck(orm: MikroORM, table: string, name: string, condition: string) {
  const em = orm.em.fork();
  const written = (constraint: string) =>
    em.execute<{ text: string }[]>(
      `select replace(pg_get_constraintdef(oid), ' NOT VALID', '') as text from pg_constraint
       where conrelid = quote_ident(?)::regclass and conname = ?`,
      [table, constraint],
    );
  await em.begin();
  try {
    const [present] = await written(name);
    const expected = `${name.slice(0, 50)}_expected`;
    await em.execute(
      `alter table "${table}" add constraint "${expected}" check ${condition} not valid`,
    );
    const [wanted] = await written(expected);
    return present?.text === wanted?.text;
  } finally {
    await em.rollback();
  }
}

/** Whether a reference of a table contains a column. */
async function hasReference(orm: MikroORM, table: string, column: string) {
  const rows = await orm.em.fork().execute(
    `select from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where c.contype = 'f' and c.conrelid = quote_ident(?)::regclass and a.attname = ?`,
    [table, column],
  );
  return rows.length > 0;
}
