import { execFile } from 'node:child_process';
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { routes } from '../../rest/index.ts';
import { openApiOf } from '../../rest/openapi/openapi.ts';
import { schema } from '../../schema/index.ts';
import { generateDocuments } from '../generate.ts';

const here = import.meta.dirname;
const dist = path.join(here, 'dist');
const compiler = path.join(here, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');

await rm(dist, { recursive: true, force: true });
await generateDocuments();
await promisify(execFile)(process.execPath, [compiler, '-p', here]);
await nameCompiledFiles();
await writeFile(path.join(dist, 'rest.d.ts'), await restTypes());

/** The compiler leaves the names of source files in declarations, which are not published. */
async function nameCompiledFiles() {
  for await (const name of glob('**/*.d.ts', { cwd: dist })) {
    const file = path.join(dist, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/(['"]\.{1,2}\/[^'"]+)\.tsx?(?=['"])/g, '$1.js'));
  }
}

/** The types of the REST endpoints, for `openapi-fetch`. */
async function restTypes(): Promise<string> {
  // The generator prints types with the compiler's classic API, which the project's own compiler no longer has.
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
  });
  const { astToString, default: typesOf } = await import('openapi-typescript');
  const types = await typesOf(JSON.stringify(openApiOf(routes, schema)), { silent: true });
  return astToString(types);
}
