import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { generateClient } from './codegen.ts';

/** The pages, each with a script of its own. */
const pages = ['dashboard', 'balance'] as const;

const sources = join(import.meta.dirname, 'page');
const modules = join(import.meta.dirname, '../../../node_modules');

/** Generates the client of the pages, checks their types against it, and bundles them for a browser. */
export async function buildPages(folder: string): Promise<string> {
  const client = await generateClient(folder, join(sources, 'page.graphql'));
  const compilerOptions = {
    target: 'esnext',
    module: 'preserve',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    typeRoots: [],
    paths: { 'generated-client/*': [`${client.folder}*`], '*': [join(modules, '*')] },
  };
  const config = join(folder, 'tsconfig.json');
  const files = pages.map((page) => join(sources, `${page}.ts`));
  await writeFile(config, JSON.stringify({ compilerOptions, files }));
  const tsc = join(modules, 'typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', config]);
  const site = join(folder, 'site');
  for (const page of pages) {
    await build({
      input: join(sources, `${page}.ts`),
      resolve: { alias: { 'generated-client': client.folder } },
      platform: 'browser',
      logLevel: 'warn',
      output: { file: join(site, page, 'script.js'), format: 'esm' },
    });
  }
  return site;
}

/** Serves the built pages at `/<page>/`, under every name of this machine. */
export async function servePages(site: string) {
  const html = await readFile(join(sources, 'page.html'));
  const server = createServer(async ({ url = '' }, response) => {
    const [, page = '', file] = url.split('/');
    if (!pages.some((known) => known === page)) return void response.writeHead(404).end();
    if (file !== 'script.js') return void response.setHeader('content-type', 'text/html').end(html);
    response.setHeader('content-type', 'text/javascript');
    response.end(await readFile(join(site, page, file)));
  });
  await mkdir(site, { recursive: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    /** The origin of a name below localhost, which browsers resolve to this machine. */
    origin: (name: string) => `http://${name}.localhost:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
