import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { routes } from '../../rest/index.ts';
import { openApiOf } from '../../rest/openapi/openapi.ts';
import { schema } from '../../schema/index.ts';
import { generateDocuments } from '../generate.ts';
import { installPackages } from '../install-packages.ts';

const here = import.meta.dirname;
const dist = path.join(here, 'dist');
const compiler = path.join(here, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');

await rm(dist, { recursive: true, force: true });
await generateDocuments();
await promisify(execFile)(process.execPath, [compiler, '-p', here]);
await nameCompiledFiles();
await writeFile(path.join(dist, 'rest.d.ts'), await restTypes());
await declareForRequire();

/** The compiler leaves the names of source files in declarations, which are not published. */
async function nameCompiledFiles() {
  for await (const name of glob('**/*.d.ts', { cwd: dist })) {
    const file = path.join(dist, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/(['"]\.{1,2}\/[^'"]+)\.tsx?(?=['"])/g, '$1.js'));
  }
}

/**
 * Declarations for CommonJS. A compiler takes those of an ESM package for ESM, and refuses them there; Node itself loads
 * the same JavaScript by `require`.
 */
async function declareForRequire() {
  for await (const name of glob('**/*.d.ts', { cwd: dist })) {
    const text = await readFile(path.join(dist, name), 'utf8');
    const file = path.join(dist, name.replace(/\.d\.ts$/, '.d.cts'));
    await writeFile(file, text.replace(/(['"]\.{1,2}\/[^'"]+)\.js(?=['"])/g, '$1.cjs'));
  }
}

/** The types of the REST endpoints, for `openapi-fetch`. Their generator has packages of its own. */
async function restTypes(): Promise<string> {
  const folder = path.join(here, 'rest-types');
  await installPackages(folder);
  const generator = spawn(process.execPath, [path.join(folder, 'generate.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(generator, 'exit');
  generator.stdin.end(JSON.stringify(openApiOf(routes, schema)));
  const types = await text(generator.stdout);
  const [code] = await exit;
  if (code !== 0) throw new Error(`The generator of the REST types ended with ${code}`);
  return types;
}
