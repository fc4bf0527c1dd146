import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file by its path below a folder such as `src/domain`, and the files of the folder that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const domain = 'src/domain';

/** Reads which file of the domain imports which, types included. */
export const importsOfDomain = (): Imports => importsBelow(domain, '#domain/');

/** Reads which file below a folder imports which other one there, types included; the alias names the folder. */
export function importsBelow(folder: string, alias: string): Imports {
  const imported = new RegExp(
    `^(?:import|export)\\s[^;]*?from '(${alias}|\\.\\.?/)([^']+)';`,
    'gm',
  );
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return new Map(
    files.map((file) => {
      const source = readFileSync(join(folder, file), 'utf8');
      const targets = [...source.matchAll(imported)].map(([, from = '', rest = '']) =>
        from === alias ? rest : join(dirname(file), from, rest),
      );
      return [file, targets];
    }),
  );
}

/** Whether a file defines an entity. */
export const definesEntity = (file: string) =>
  readFileSync(join(domain, file), 'utf8').includes('defineEntity');

/** The files that these files import, directly or indirectly, within a limit. */
function reachableFrom(
  imports: Imports,
  start: readonly string[],
  isWithin: (file: string) => boolean,
): ReadonlySet<string> {
  const reached = new Set(start);
  // A set visits values that are added while it is iterated.
  for (const file of reached) {
    for (const next of imports.get(file) ?? []) if (isWithin(next)) reached.add(next);
  }
  return reached;
}

/** The groups of files with circular imports. */
export function circlesOf(imports: Imports, files: readonly string[]): string[][] {
  const within = new Set(files);
  const reach = new Map(
    files.map((file) => {
      const next = (imports.get(file) ?? []).filter((target) => within.has(target));
      return [file, reachableFrom(imports, next, (target) => within.has(target))];
    }),
  );
  const circles = new Map<string, string[]>();
  for (const file of files) {
    const others = files.filter(
      (other) => reach.get(file)?.has(other) && reach.get(other)?.has(file),
    );
    if (others.length > 0) circles.set(others.toSorted().join(' '), others.toSorted());
  }
  return [...circles.values()];
}
