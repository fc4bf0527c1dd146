import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '#root';
import { connect } from '#server/database/database.ts';
import { knownMigrations } from '#server/database/migrations.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { schemaDifference } from './support/tables/schema-difference.ts';

/**
 * `npm run migration:create -- <words-with-hyphens>` writes the next migration, with the statements that lead from the
 * migrations to the entities, and adds it to the list. Review it: the ORM knows no data, no triggers and no locks.
 */
const [name = ''] = process.argv.slice(2);
if (!/^[a-z]+(-[a-z]+)*$/.test(name)) {
  process.stderr.write('Name what the migration does: npm run migration:create -- payment-notes\n');
  process.exit(1);
}
const number = Number(/\d+$/.exec(knownMigrations.at(-1) ?? '')?.[0]) + 1;
const className = name.replaceAll(/(^|-)([a-z])/g, (_, _hyphen, letter) => letter.toUpperCase());
const statements = await neededStatements();
const file = `${number}-${name}.ts`;
const folder = path.join(root, 'src/migrations');
const list = path.join(folder, 'migrations.ts');
await writeFile(
  path.join(folder, file),
  `import { Migration } from '@mikro-orm/migrations';

export class ${className} extends Migration {
  override up(): void {
${statements.map((statement) => `    this.addSql(\`${statement.replace(/;$/, '')}\`);\n`).join('')}  }
}
`,
);
const text = await readFile(list, 'utf8');
await writeFile(
  list,
  text
    .replace(/(?=\nimport \{ Baseline)/, `\nimport { ${className} } from './${file}';`)
    .replace(/\n\];\n$/, `\n  { name: 'Migration${number}', class: ${className} },\n];\n`),
);
process.stdout.write(`src/migrations/${file} has ${statements.length} statements\n`);

async function neededStatements() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tollgate-migration-'));
  try {
    await using postgres = await startEmbeddedPostgres({ dataDir, durable: false });
    const { databaseUrl } = postgres;
    const orm = await connect({ databaseUrl, poolSize: 2 });
    await orm.migrator.up();
    const difference = await schemaDifference(orm);
    await orm.close();
    return difference;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
