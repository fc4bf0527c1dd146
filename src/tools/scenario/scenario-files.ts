import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../user-error.ts';

const isScenario = (name: string) => /\.ya?ml$/.test(name);

/** The files that the arguments name, with those of folders in the order of their names. Errors: UsageError. */
export async function scenarioFiles(names: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const name of names) {
    // An absent file is the error below.
    const found = await stat(name).catch(() => undefined);
    if (!found) throw new UsageError(`There is no file or folder ${name}`);
    if (!found.isDirectory()) files.push(name);
    else {
      const inside = (await readdir(name)).filter(isScenario).sort();
      if (inside.length === 0) throw new UsageError(`The folder ${name} has no .yaml or .yml file`);
      files.push(...inside.map((file) => join(name, file)));
    }
  }
  return files;
}

/** Errors: UsageError for a file that cannot be read. */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
