import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '#root';
import { connect } from '#server/database/database.ts';
import { knownMigrations } from '#server/database/migrations.ts';
import { migrateSchema } from '#server/database/migrator.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { schemaDifference } from './support/tables/schema-difference.ts';
import { withTenants } from './support/tables/tenant-statements.ts';

/**
 * `npm run migration:create -- <words-with-hyphens>` writes the next migration, with the statements that lead from the
 * migrations to the entities. Review it: the ORM knows no data, no triggers and no locks.
 */
const [name = ''] = process.argv.slice(2);
if (!/^[a-z]+(-[a-z]+)*$/.test(name)) {
  process.stderr.write('Name what the migration does: npm run migration:create -- payment-notes\n');
  process.exit(1);
}
const number = Number(/\d+$/.exec(knownMigrations.at(-1) ?? '')?.[0]) + 1;
const statements = withTenants(await neededStatements());
const file = `${number}-${name}.sql`;
const text = statements.map((statement) => `${statement.replace(/;$/, '')};\n`).join('\n');
await writeFile(path.join(root, 'src/migrations', file), text);
process.stdout.write(`src/migrations/${file} has ${statements.length} statements\n`);

async function neededStatements() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tollgate-migration-'));
  try {
    await using postgres = await startEmbeddedPostgres({ dataDir, durable: false });
    const { databaseUrl } = postgres;
    const orm = await connect({ databaseUrl, poolSize: 2 });
    await migrateSchema(orm);
    const difference = await schemaDifference(orm);
    await orm.close();
    return difference;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
