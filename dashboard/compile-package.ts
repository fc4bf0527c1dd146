import { execFile } from 'node:child_process';
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const compiler = path.join(import.meta.dirname, '..', 'node_modules', 'typescript', 'bin', 'tsc');

/** Writes the ESM JavaScript and the declarations of a package into its folder `dist`, which is empty before. */
export async function compilePackage(folder: string): Promise<void> {
  const dist = path.join(folder, 'dist');
  await rm(dist, { recursive: true, force: true });
  await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(`${path.basename(folder)} does not compile:\n${stdout}`);
    },
  );
  await nameCompiledFiles(dist);
}

/** The compiler leaves the names of source files in declarations, which are not published. */
async function nameCompiledFiles(dist: string) {
  for await (const name of glob('**/*.d.ts', { cwd: dist })) {
    const file = path.join(dist, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/(['"]\.{1,2}\/[^'"]+)\.tsx?(?=['"])/g, '$1.js'));
  }
}

/**
 * Writes declarations for CommonJS. A compiler takes those of an ESM package for ESM, and refuses them there; Node
 * itself loads the same JavaScript by `require`.
 */
export async function declareForRequire(folder: string): Promise<void> {
  const dist = path.join(folder, 'dist');
  for await (const name of glob('**/*.d.ts', { cwd: dist })) {
    const text = await readFile(path.join(dist, name), 'utf8');
    const file = path.join(dist, name.replace(/\.d\.ts$/, '.d.cts'));
    await writeFile(file, text.replace(/(['"]\.{1,2}\/[^'"]+)\.js(?=['"])/g, '$1.cjs'));
  }
}
