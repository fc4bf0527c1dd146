import { once } from 'node:events';
import type pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { ConfigError } from '#config';
import { adoptEvents } from '#domain/platform/feed/adopt-events.ts';
import { version } from '#rest/engine/version.ts';
import type { About, Sum, Table } from './content.ts';
import { openLongConnection } from './long-connection.ts';
import { readBackup } from './read-backup.ts';
import { copied, readRows, tablesOf } from './tables.ts';

/** The numbers of a backup that was restored. */
export interface Restored {
  readonly createdAt: string;
  readonly tables: number;
  readonly rows: number;
}

/**
 * Reads a backup into a database with the tables of the same version and without data, in one transaction. Each table
 * is compared with the backup before the commit. Errors: ConfigError for another version, for a database with data,
 * for a role without the right, and for a table that differs.
 */
export async function restoreBackup(databaseUrl: string, file: string): Promise<Restored> {
  const client = await openLongConnection(databaseUrl, 'tollgate restore');
  try {
    await client.query('begin');
    await switchTriggersOff(client);
    let about: About | undefined;
    let loading: Loading | undefined;
    let sums: readonly Sum[] = [];
    await readBackup(file, {
      async onAbout(found) {
        about = found;
        await prepareTables(client, found, file);
      },
      async onPart(name, content) {
        if (loading?.name !== name) {
          await loading?.end();
          loading = load(client, tableIn(about, name));
        }
        await loading.write(content);
      },
      async onClosing({ tables, sequences }) {
        await loading?.end();
        loading = undefined;
        sums = tables;
        for (const { name, last } of sequences) {
          await client.query('select setval(to_regclass(quote_ident($1)), $2::bigint)', [
            name,
            last,
          ]);
        }
      },
    });
    if (!about) throw new Error('The backup has no beginning');
    await compare(client, about, sums);
    await client.query(adoptEvents);
    await client.query('commit');
    await client.query('analyze');
    const rows = sums.reduce((sum, table) => sum + table.rows, 0);
    return { createdAt: about.createdAt, tables: sums.length, rows };
  } finally {
    await client.end();
  }
}

/** The rows are complete as they are: no trigger counts them again, and their order does not matter to references. */
async function switchTriggersOff(client: pg.Client) {
  try {
    await client.query(`set local session_replication_role = replica`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    const { rows } = await client
      .query('rollback; select current_user as role')
      .then((results) => (results as unknown as pg.QueryResult[])[1] ?? { rows: [] });
    throw new ConfigError(
      `The role ${rows[0]?.role} may not switch triggers off while it restores; run as a superuser: grant set on parameter session_replication_role to "${rows[0]?.role}"`,
    );
  }
}

/** Checks that the tables are those of the backup, empties them, and adds those of months. */
async function prepareTables(client: pg.Client, about: About, file: string) {
  const { rows } = await client.query<{ name: string }>(
    'select name from mikro_orm_migrations order by name',
  );
  const own = rows.map(({ name }) => name);
  if (own.join() !== about.migrations.join()) {
    throw new ConfigError(
      `${file} is of version ${about.version} with the last migration ${about.migrations.at(-1)}, and this is ${version} with ${own.at(-1)}: restore it with that version, and start this one afterwards`,
    );
  }
  const { rows: found } = await client.query('select count(*)::int as count from organization');
  if (found[0].count > 0) {
    throw new ConfigError('The database has data already: name an empty database');
  }
  for (const month of [...about.attachedMonths, ...about.detachedMonths]) {
    const day = `${month.replace('usage_event_', '').replace('_', '-')}-01`;
    await client.query('select add_usage_event_month($1::date)', [day]);
  }
  for (const month of about.detachedMonths) {
    await client.query(
      `alter table usage_event detach partition ${client.escapeIdentifier(month)}`,
    );
  }
  const present = new Set((await tablesOf(client)).map(({ name }) => name));
  const missing = about.tables.filter(({ name }) => !present.has(name));
  if (missing.length > 0)
    throw new ConfigError(
      `${file} has unknown tables: ${missing.map(({ name }) => name).join(', ')}`,
    );
  const names = [...present].map((name) => client.escapeIdentifier(name));
  await client.query(`truncate ${names.join(', ')}`);
}

function tableIn(about: About | undefined, name: string): Table {
  const table = about?.tables.find((each) => each.name === name);
  if (!table) throw new ConfigError(`The backup has rows of ${name}, which it does not describe`);
  return table;
}

interface Loading {
  readonly name: string;
  write(content: Buffer): Promise<void>;
  end(): Promise<void>;
}

function load(client: pg.Client, table: Table): Loading {
  const stream: CopyStreamQuery = client.query(
    copyFrom(`copy ${copied(client, table)} from stdin`),
  );
  const failed = new Promise<never>((_, reject) => stream.once('error', reject));
  // The next wait reports the failure.
  failed.catch(() => {});
  return {
    name: table.name,
    async write(content) {
      if (!stream.write(content)) await Promise.race([once(stream, 'drain'), failed]);
    },
    async end() {
      const finished = once(stream, 'finish');
      stream.end();
      await Promise.race([finished, failed]);
    },
  };
}

/** Reads each table again. Errors: ConfigError that names the one that differs. */
async function compare(client: pg.Client, about: About, sums: readonly Sum[]) {
  // A scan begins at the first row, and not where another one is.
  await client.query('set local synchronize_seqscans = off');
  for (const sum of sums) {
    const { rows, sha256 } = await readRows(client, tableIn(about, sum.table), () => {});
    if (rows === sum.rows && sha256 === sum.sha256) continue;
    throw new ConfigError(
      `The table ${sum.table} differs from the backup: ${rows} rows instead of ${sum.rows}, or other ones; the file is damaged`,
    );
  }
}
