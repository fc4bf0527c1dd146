import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '#root';
import { sqlValues } from './sql-values.ts';

/** Executes one or more statements in the transaction of the migrations. */
export type Execute = <Row extends object>(sql: string) => Promise<Row[]>;

/** A function of the database, as its file defines it. */
export interface SqlFunction {
  /** Of the function and of its file. */
  readonly name: string;
  readonly definition: string;
  /** Differs as soon as the definition does, including the values from TypeScript. */
  readonly digest: string;
}

interface Applied {
  readonly name: string;
  /** Name and types of arguments, as `drop routine` needs them. */
  readonly signature: string;
  readonly digest: string;
}

/** Reads the functions of the database: every file `sql/<name>.sql` below `src/domain`. */
export async function readSqlFunctions(schema: string): Promise<SqlFunction[]> {
  const files = await Array.fromAsync(glob('src/domain/**/sql/*.sql', { cwd: root }));
  return Promise.all(
    files.toSorted().map(async (file) => {
      const name = path.basename(file, '.sql');
      const text = await readFile(path.join(root, file), 'utf8');
      const definition = fill(text, { ...sqlValues, schema });
      if (!new RegExp(`^create or replace function ${name}\\(`, 'm').test(definition)) {
        throw new Error(`${file} does not define the function ${name}`);
      }
      return { name, definition, digest: createHash('sha256').update(definition).digest('hex') };
    }),
  );
}

/** Replaces `${name}` by its value. Throws for a value that does not exist. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The value ${name} is missing in sql-values.ts`);
    return value;
  });
}

/**
 * Brings the functions of a database to the definitions of their files: applies those whose digest differs, and
 * drops those without a file. Needs the tables of the newest migration.
 */
export async function applySqlFunctions(execute: Execute): Promise<void> {
  const [row] = await execute<{ schema: string }>('select quote_ident(current_schema()) as schema');
  const functions = await readSqlFunctions(row?.schema ?? 'public');
  const applied = await execute<Applied>('select name, signature, digest from sql_function');
  const before = new Map(applied.map((each) => [each.name, each]));
  const changed = functions.filter(({ name, digest }) => before.get(name)?.digest !== digest);
  const names = new Set(functions.map(({ name }) => name));
  const removed = applied.filter(({ name }) => !names.has(name));
  if (changed.length + removed.length === 0) return;

  // Bodies are checked when all functions exist, so that the order of the files does not matter.
  await execute('set local check_function_bodies = off');
  for (const each of changed) await applyFunction(execute, each, before.get(each.name)?.signature);
  for (const { name, signature } of removed) {
    await execute(`drop routine if exists ${signature}`);
    await execute(`delete from sql_function where name = ${literal(name)}`);
  }
  await execute('set local check_function_bodies = on');
  await execute(checkBodies(changed));
}

async function applyFunction(
  execute: Execute,
  { name, definition, digest }: SqlFunction,
  signature: string | undefined,
) {
  await execute('savepoint sql_function');
  try {
    await execute(definition);
  } catch (error) {
    // Other results or other names of parameters: the function must be dropped first.
    if ((error as { code?: string }).code !== '42P13') throw error;
    await execute('rollback to savepoint sql_function');
    await execute(`drop routine ${signature ?? name}`);
    await execute(definition);
  }
  await execute('release savepoint sql_function');
  await execute(`insert into sql_function (name, signature, digest)
    values (${[name, await replaceOverload(execute, name, signature), digest].map(literal).join(', ')})
    on conflict (name) do update
      set signature = excluded.signature, digest = excluded.digest, applied_at = now()`);
}

/** Drops the earlier function where the new one has other types of arguments. Returns the signature of the new one. */
async function replaceOverload(execute: Execute, name: string, earlier: string | undefined) {
  const found = await execute<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
     where proname = ${literal(name)} and pronamespace = current_schema()::regnamespace`,
  );
  if (found.length === 1 && found[0]) return found[0].signature;
  const [now, ...others] = found.filter(({ signature }) => signature !== earlier);
  if (!now || others.length > 0) throw new Error(`The function ${name} is overloaded`);
  await execute(`drop routine ${earlier}`);
  return now.signature;
}

/** Lets each language check the bodies of functions, as `create function` does. */
const checkBodies = (functions: readonly SqlFunction[]) => `do $$
declare
  each record;
begin
  for each in
    select p.oid, l.lanvalidator::regproc as validator from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = current_schema()::regnamespace
      and p.proname = any('{${functions.map(({ name }) => name).join(', ')}}')
  loop
    execute format('select %s(%s)', each.validator, each.oid);
  end loop;
end $$`;

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
