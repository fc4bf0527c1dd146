import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { routes } from '../../rest/index.ts';
import { openApiOf } from '../../rest/openapi/openapi.ts';
import { schema } from '../../schema/index.ts';
import { compilePackage, declareForRequire } from '../compile-package.ts';
import { generateDocuments } from '../generate.ts';
import { installPackages } from '../install-packages.ts';

const here = import.meta.dirname;

await generateDocuments();
await compilePackage(here);
await writeFile(path.join(here, 'dist', 'rest.d.ts'), await restTypes());
await declareForRequire(here);

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
