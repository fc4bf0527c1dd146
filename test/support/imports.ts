import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of the domain, by its path below `src/domain`, and the files of the domain that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const domain = 'src/domain';
const imported = /^(?:import|export)\s[^;]*?from '(#domain\/|\.\.?\/)([^']+)';/gm;

/** Reads which file of the domain imports which, types included. */
export function importsOfDomain(): Imports {
  const files = readdirSync(domain, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return new Map(
    files.map((file) => {
      const source = readFileSync(join(domain, file), 'utf8');
      const targets = [...source.matchAll(imported)].map(([, from = '', rest = '']) =>
        from === '#domain/' ? rest : join(dirname(file), from, rest),
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
