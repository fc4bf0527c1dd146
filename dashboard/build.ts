import { copyFile, glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildSchema } from 'graphql';
import { build } from 'vite';
import { bundleService } from '../src/bundle.ts';
import { viewerFiles } from '../src/server/http/dashboard-files.ts';
import { introspectionFile, introspectionText } from '../src/server/operations/introspect.ts';
import { graphiqlPage } from '../src/server/pages/graphiql.ts';
import { graphiqlFile } from '../src/server/pages/use-graphiql.ts';
import { generateDocuments } from './generate.ts';
import { pages } from './src/pages.ts';
import { trustedDocuments } from './trusted-documents.ts';

const here = import.meta.dirname;
const dist = path.join(here, 'dist');
/** Shorter files are not smaller after compression in a way that counts. */
const smallestBytes = 1_024;

await generateDocuments();
await build({ configFile: path.join(here, 'vite.config.ts'), logLevel: 'warn' });
await writeFile(path.join(dist, 'pages.json'), JSON.stringify(pages));
await writeFile(path.join(dist, 'documents.json'), JSON.stringify(await trustedDocuments()));
const graph = await readFile(path.join(here, '../schema/schema.graphql'), 'utf8');
await writeWhole(introspectionFile(graph), introspectionText(buildSchema(graph)));
await writeWhole(graphiqlFile, await graphiqlPage());
await copyViewer();
await compressAssets();
await bundleService();

/** Writes an answer that the service sends as it is, and a compressed copy. */
async function writeWhole(name: string, content: string) {
  await writeFile(path.join(dist, name), content);
  await writeFile(path.join(dist, `${name}.gz`), await promisify(gzip)(content));
}

/** Copies the viewer of the API reference, so that the service needs nothing of its package. */
async function copyViewer() {
  const { resolve } = createRequire(import.meta.url);
  await mkdir(path.join(dist, 'docs'));
  for (const name of viewerFiles) {
    await copyFile(resolve(`swagger-ui-dist/${name}`), path.join(dist, 'docs', name));
  }
}

/** Writes compressed copies beside the assets, so that the service compresses nothing per request. */
async function compressAssets() {
  for await (const name of glob('assets/*.{js,css,svg}', { cwd: dist })) {
    const file = path.join(dist, name);
    if ((await stat(file)).size < smallestBytes) continue;
    const content = await readFile(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}
