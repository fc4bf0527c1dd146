import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { root } from '#root';

/** The TypeScript files of the service, by their paths from the root. */
export async function serviceFiles(): Promise<string[]> {
  const patterns = ['src/**/*.ts', 'schema/**/*.ts', 'rest/**/*.ts'];
  const files = await Array.fromAsync(glob(patterns, { cwd: root }));
  return files.map((file) => file.replaceAll(path.sep, '/')).toSorted();
}

export const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

export const folderOf = (file: string): string => path.posix.dirname(file);

/** The folders of the service that each folder imports from. */
export async function folderImports(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const imports = new Map<string, Set<string>>();
  for (const file of await serviceFiles()) {
    const from = imports.get(folderOf(file)) ?? new Set();
    imports.set(folderOf(file), from);
    for (const [, name = ''] of textOf(file).matchAll(/\bfrom '([.#][^']+)'/g)) {
      const folder = folderOf(fileOf(file, name));
      if (folder !== folderOf(file)) from.add(folder);
    }
  }
  return imports;
}

const aliases: Readonly<Record<string, string>> = JSON.parse(textOf('package.json')).imports;

/** The path of an imported file, by the aliases of `package.json`. */
function fileOf(importer: string, name: string): string {
  if (name.startsWith('.')) return path.posix.join(folderOf(importer), name);
  const [head = '', ...rest] = name.split('/');
  const place = aliases[name] ?? aliases[`${head}/*`] ?? '';
  return path.posix.normalize(place.replace('*', rest.join('/')));
}
